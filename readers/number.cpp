// SPDX-License-Identifier: EPL-2.0
#include "readers/number.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "readers/output.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

/// Is a decimal number out of range because it is too small? `digits` is a number without sign.
bool isTooSmall(std::string_view digits) {
  std::size_t const mark = digits.find_first_of("eE");
  if (mark != std::string_view::npos && digits.substr(mark + 1).starts_with('-')) return true;
  // Without a negative exponent only 0.000...1 is too small.
  std::size_t const first = digits.find_first_not_of('0');
  return first != std::string_view::npos && digits[first] == '.';
}

Number parseUnsigned(std::string_view digits) {
  Number number;
  char const* end = digits.data() + digits.size();
  auto const [stop, code] = std::from_chars(digits.data(), end, number.value);
  if (code == std::errc{} && stop == end) return number;
  if (code == std::errc::result_out_of_range && stop == end) {
    if (isTooSmall(digits)) return {0.0, NumberFault::none};
    return {std::numeric_limits<double>::infinity(), NumberFault::overflow};
  }
  return {0.0, NumberFault::notANumber};
}

Number parseWord(std::string_view digits) {
  if (isOneOf(digits, "inf infinity"))
    return {std::numeric_limits<double>::infinity(), NumberFault::infinite};
  if (equalsIgnoringCase(digits, "nan")) return {0.0, NumberFault::nan};
  return {0.0, NumberFault::notANumber};
}

thread_local rational::Meanings* kept = nullptr;

/// A number with a stroke, or one that is kept, whose nearest double is `number.value`.
Number exactNumber(std::string_view digits, Number number) {
  try {
    rational::Rational exact = rational::rationalOf(std::string(digits));
    rational::Meanings none;
    if (!kept) return {none.numberFor(exact), NumberFault::none};
    char printed[40];  // a double that was printed with 17 digits
    char* const end = std::to_chars(printed, printed + sizeof printed, number.value,
                                    std::chars_format::scientific, 16)
                          .ptr;
    if (exact == rational::rationalOf({printed, end}))
      exact = rational::rationalOf(shortest(number.value));
    return {kept->numberFor(exact), NumberFault::none};
  } catch (std::invalid_argument const&) {
    return number;
  }
}

}  // namespace

KeepsFractions::KeepsFractions(rational::Meanings& table) {
  kept = &table;
}
KeepsFractions::~KeepsFractions() {
  kept = nullptr;
}

bool fractionsAreKept() {
  return kept != nullptr;
}

double sumOf(double a, double b, long double extended) {
  auto const sum = static_cast<double>(a + extended);
  if (!kept || !std::isfinite(sum)) return sum;
  return kept->numberFor(kept->meaningOf(a) + kept->meaningOf(b));
}

std::string written(double number) {
  if (!kept || !kept->entries().contains(std::fabs(number))) return shortest(number);
  return kept->written(kept->meaningOf(number));
}

std::string writtenRange(double lower, double upper) {
  if (!kept) return {};
  return kept->written(kept->meaningOf(upper) - kept->meaningOf(lower));
}

Number parseNumber(std::string_view word) {
  bool const negative = word.starts_with('-');
  std::string_view digits = word.substr(negative || word.starts_with('+') ? 1 : 0);
  if (digits.empty()) return {0.0, NumberFault::notANumber};

  Number number;
  if (!isDigit(digits[0]) && digits[0] != '.') {
    number = parseWord(digits);
  } else {
    number = parseUnsigned(digits);
    std::size_t const mark =
        number.fault == NumberFault::notANumber ? digits.find_first_of("dD") : digits.npos;
    if (mark != digits.npos) {  // Fortran's double precision exponent
      std::string copy(digits);
      copy[mark] = 'e';
      number = parseUnsigned(copy);
    }
  }
  constexpr std::size_t briefDigits = 15;
  bool const isFraction =
      number.fault == NumberFault::notANumber && digits.find('/') != digits.npos;
  if (isFraction || (kept && number.fault == NumberFault::none && digits.size() > briefDigits))
    number = exactNumber(digits, number);
  if (negative) number.value = -number.value;
  return number;
}

long double parseExtended(std::string_view word) {
  std::string_view const digits = word.substr(word.starts_with('+') ? 1 : 0);
  long double value = 0.0L;
  char const* end = digits.data() + digits.size();
  auto const [stop, code] = std::from_chars(digits.data(), end, value);
  return code == std::errc{} && stop == end ? value : parseNumber(word).value;
}

std::optional<double> parseEncoded(std::string_view word) {
  constexpr std::string_view digits =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ*+";
  constexpr std::size_t groups = 4, charactersOfGroup = 3, highestOfThird = 15;
  if (word.size() != groups * charactersOfGroup) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    std::uint64_t part = 0;
    for (std::size_t c = 0; c < charactersOfGroup; ++c) {
      std::size_t const digit = digits.find(word[g * charactersOfGroup + c]);
      bool const fits = c + 1 < charactersOfGroup || digit <= highestOfThird;
      if (digit == digits.npos || !fits) return std::nullopt;
      part |= static_cast<std::uint64_t>(digit) << (6 * c);
    }
    bits = bits << 16 | part;
  }
  return std::bit_cast<double>(bits);
}

char const* describe(NumberFault fault) {
  if (fault == NumberFault::overflow) return "a number that fits a double";
  bool const notFinite = fault == NumberFault::nan || fault == NumberFault::infinite;
  return notFinite ? "a finite number" : "a number";
}

}  // namespace osi_cuda::readers
