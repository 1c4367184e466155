// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/meanings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>

#include "osi_cuda/base/decimal.hpp"

namespace osi_cuda::rational {
namespace {

Rational timesPowerOfTen(Rational number, int exponent) {
  Integer power(10);
  fmpz_pow_ui(power.get(), power.get(), static_cast<ulong>(std::abs(exponent)));
  if (exponent >= 0)
    fmpq_mul_fmpz(number.get(), number.get(), power.get());
  else
    fmpq_div_fmpz(number.get(), number.get(), power.get());
  return number;
}

Rational rationalOf(Decimal const& decimal) {
  Rational mantissa;
  fmpq_set_si(mantissa.get(), decimal.mantissa, 1);
  return timesPowerOfTen(std::move(mantissa), decimal.exponent);
}

}  // namespace

Rational rationalOf(std::string const& text) {
  auto const fault = [&] {
    return std::invalid_argument("'" + text + "' is no number and no fraction");
  };
  bool const isSigned = text.starts_with('-') || text.starts_with('+');
  std::size_t const mark = std::min(text.find_first_of("eEdD"), text.size());
  std::string digits = text.substr(isSigned, mark - isSigned);
  int exponent = 0;
  if (mark < text.size()) {
    char const* const begin = text.data() + mark + 1 + (text.substr(mark + 1, 1) == "+");
    char const* const end = text.data() + text.size();
    auto const [stop, error] = std::from_chars(begin, end, exponent);
    constexpr int most = 100'000;
    if (error != std::errc() || stop != end || std::abs(exponent) > most) throw fault();
  }
  if (std::size_t const point = digits.find('.'); point != digits.npos) {
    digits.erase(point, 1);
    exponent -= static_cast<int>(digits.size() - point);
  }
  Rational number;
  bool const sound = digits.find_first_not_of("0123456789/") == digits.npos &&
                     fmpq_set_str(number.get(), digits.c_str(), 10) == 0 &&
                     !fmpz_is_zero(number.denominator());
  if (!sound) throw fault();
  fmpq_canonicalise(number.get());
  number = timesPowerOfTen(std::move(number), exponent);
  return text.starts_with('-') ? -number : number;
}

double Meanings::numberFor(Rational const& rational) {
  if (rational.sign() == 0) return 0.0;
  Rational const size = rational.sign() < 0 ? -rational : rational;
  double number = toDouble(size.numerator(), size.denominator());
  for (;; number = std::nextafter(number, std::numeric_limits<double>::infinity())) {
    if (!std::isfinite(number))
      throw std::invalid_argument(rational.text() + " is beyond the range of doubles");
    if (number == 0.0) continue;
    constexpr std::int64_t brief = 1'000'000'000'000'000;
    if (auto const entry = entries_.find(number); entry != entries_.end()) {
      if (entry->second == size) break;
    } else if (decimals_ && shortestDecimal(number).mantissa < brief) {
      if (rationalOf(shortestDecimal(number)) == size) break;
    } else {
      entries_[number] = size;
      break;
    }
  }
  return rational.sign() < 0 ? -number : number;
}

std::string Meanings::written(Rational const& number) const {
  char text[32];  // a double's shortest decimal
  char* const end =
      std::to_chars(text, text + sizeof text, toDouble(number.numerator(), number.denominator()))
          .ptr;
  if (decimals_ && rational::rationalOf({text, end}) == number) return {text, end};
  Integer rest(number.denominator());
  Integer const two(2), five(5);
  auto const twos = fmpz_remove(rest.get(), rest.get(), two.get());
  auto const fives = fmpz_remove(rest.get(), rest.get(), five.get());
  int const digits = static_cast<int>(std::max(twos, fives));
  if (!decimals_ || digits == 0 || !fmpz_is_one(rest.get())) return number.text();
  return timesPowerOfTen(number, digits).text() + "e-" + std::to_string(digits);
}

Rational Meanings::meaningOf(double number, ExactNumbers numbers) const {
  if (numbers == ExactNumbers::doubles) return number;
  if (auto const entry = entries_.find(std::fabs(number)); entry != entries_.end())
    return number < 0.0 ? -entry->second : entry->second;
  return numbers == ExactNumbers::automatic ? Rational(number)
                                            : rationalOf(shortestDecimal(number));
}

}  // namespace osi_cuda::rational
