// SPDX-License-Identifier: EPL-2.0
#include <flint/fmpq.h>

#include <utility>

#include "osi_cuda/rational/lifting.hpp"

namespace osi_cuda::rational {

using std::size_t;

PadicVector::PadicVector(size_t length, PrimeField const& field, Watch& watch)
    : length_(length), field_(field), watch_(watch) {}

std::vector<std::int64_t> const& PadicVector::append(std::vector<ulong> const& remainders) {
  ulong const half = field_.prime() / 2;
  std::vector<std::int64_t> digit(length_);
  for (size_t i = 0; i < length_; ++i)
    digit[i] = remainders[i] > half ? -static_cast<std::int64_t>(field_.prime() - remainders[i])
                                    : static_cast<std::int64_t>(remainders[i]);
  ++digits_;
  return digitsOf_.emplace_back(std::move(digit));
}

Integer const& PadicVector::power(size_t exponent) {
  size_t k = 0;
  while ((size_t{1} << k) < exponent) ++k;
  if (powers_.empty()) {
    powers_.emplace_back();
    fmpz_set_ui(powers_.back().get(), field_.prime());
  }
  while (powers_.size() <= k) {
    Integer square;
    fmpz_mul(square.get(), powers_.back().get(), powers_.back().get());
    powers_.push_back(std::move(square));
  }
  return powers_[k];
}

Integer PadicVector::sum(size_t i, size_t begin, size_t count) {
  constexpr size_t few = 4;
  if (count <= few) {
    Integer result;
    for (size_t k = begin + count; k-- > begin;) {
      fmpz_mul_ui(result.get(), result.get(), field_.prime());
      std::int64_t const digit = digitsOf_[k][i];
      if (digit >= 0)
        fmpz_add_ui(result.get(), result.get(), static_cast<ulong>(digit));
      else
        fmpz_sub_ui(result.get(), result.get(), static_cast<ulong>(-digit));
    }
    return result;
  }
  size_t half = few;
  while (2 * half < count) half *= 2;
  Integer low = sum(i, begin, half);
  Integer const high = sum(i, begin + half, count - half);
  fmpz_addmul(low.get(), high.get(), power(half).get());
  return low;
}

Integer PadicVector::value(size_t i) {
  watch_.spend(static_cast<std::int64_t>(16 * digits_));
  return sum(i, 0, digits_);
}

Integers PadicVector::values() {
  Integers result(length_);
  for (size_t i = 0; i < length_; ++i) fmpz_set(result[i], value(i).get());
  return result;
}

bool PadicVector::reconstruct(Fractions& x) {
  Integer modulus(1), bound, denominator(1), value, top, bottom, room;
  for (size_t left = digits_, k = 1; left > 0; left /= 2, k *= 2)
    if (left % 2 == 1) fmpz_mul(modulus.get(), modulus.get(), power(k).get());
  constexpr ulong spareBits = 65;
  fmpz_fdiv_q_2exp(bound.get(), modulus.get(), spareBits);
  if (fmpz_is_zero(bound.get())) return false;
  fmpz_sqrt(bound.get(), bound.get());

  Integers numerators(length_);
  std::vector<Integer> denominators{denominator};  // as they grew
  std::vector<size_t> stage(length_);              // which of them each numerator is over
  for (size_t step = 0; step < length_; ++step) {
    size_t const i = (hardest_ + step) % length_;
    Integer const digits = this->value(i);
    fmpz_mul(value.get(), digits.get(), denominator.get());
    fmpz_smod(numerators[i], value.get(), modulus.get());
    if (fmpz_cmpabs(numerators[i], bound.get()) > 0) {
      fmpz_mod(value.get(), value.get(), modulus.get());
      fmpz_fdiv_q(room.get(), bound.get(), denominator.get());
      watch_.spend(static_cast<std::int64_t>(100 * digits_));
      if (fmpz_is_zero(room.get()) ||
          !_fmpq_reconstruct_fmpz_2(top.get(), bottom.get(), value.get(), modulus.get(),
                                    bound.get(), room.get())) {
        hardest_ = i;
        return false;
      }
      fmpz_swap(numerators[i], top.get());
      fmpz_mul(denominator.get(), denominator.get(), bottom.get());
      denominators.push_back(denominator);
    }
    stage[i] = denominators.size() - 1;
  }
  for (size_t i = 0; i < length_; ++i) {
    if (stage[i] + 1 == denominators.size()) continue;
    fmpz_divexact(value.get(), denominator.get(), denominators[stage[i]].get());
    fmpz_mul(numerators[i], numerators[i], value.get());
  }
  x.numerators = std::move(numerators);
  x.denominator = std::move(denominator);
  return true;
}

}  // namespace osi_cuda::rational
