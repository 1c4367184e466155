// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/lifting.hpp"
#include "osi_cuda/base/index.hpp"

#include <flint/fmpq.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// Digits after which the fractions are surely there: numerators and denominators are determinants
/// (Cramer), which the lengths of their rows bound (Hadamard).
double mostDigits(IntegerMatrix const& matrix, Integers const& b, PrimeField const& field) {
  double bits = 0.0;
  for (int i = 0; i < matrix.rows; ++i) {
    auto const begin = at(matrix.starts[at(i)]);
    auto const end = at(matrix.starts[at(i) + 1]);
    double longest = static_cast<double>(fmpz_bits(b[at(i)]));
    for (size_t e = begin; e < end; ++e)
      longest = std::max(longest, static_cast<double>(fmpz_bits(matrix.values[e])));
    bits += longest + 0.5 * std::log2(static_cast<double>(end - begin) + 1.0);
  }
  constexpr double spareBits = 128.0;
  return (2.0 * bits + spareBits) / std::log2(static_cast<double>(field.prime())) + 2.0;
}

/// Digits of a vector to the base of the prime, each within half of it on either side of 0, and
/// what they are equal to.
class PadicVector {
 public:
  PadicVector(size_t length, PrimeField const& field, Watch& watch)
      : length_(length), field_(field), watch_(watch) {}

  size_t length() const { return length_; }
  size_t digits() const { return digits_; }
  /// The next digit of each component, in [0, p); returns them as they are kept.
  std::vector<std::int64_t> const& append(std::vector<ulong> const& remainders) {
    ulong const half = field_.prime() / 2;
    std::vector<std::int64_t> digit(length_);
    for (size_t i = 0; i < length_; ++i)
      digit[i] = remainders[i] > half ? -static_cast<std::int64_t>(field_.prime() - remainders[i])
                                      : static_cast<std::int64_t>(remainders[i]);
    ++digits_;
    return digitsOf_.emplace_back(std::move(digit));
  }

  /// The sum of the digits of component i times powers of p.
  Integer value(size_t i) {
    watch_.spend(static_cast<std::int64_t>(16 * digits_));
    return sum(i, 0, digits_);
  }
  /// All of them, as integers.
  Integers values() {
    Integers result(length_);
    for (size_t i = 0; i < length_; ++i) fmpz_set(result[i], value(i).get());
    return result;
  }
  /// Fractions x with numerators and denominator below the root of p^digits / 2^65 that agree with
  /// the digits: what 64 bits more than needed make all but certain. False: there are none.
  bool reconstruct(Fractions& x) {
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

 private:
  /// p^exponent, a power of two
  Integer const& power(size_t exponent) {
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
  Integer sum(size_t i, size_t begin, size_t count) {
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

  size_t length_;
  size_t digits_ = 0;
  PrimeField const& field_;
  Watch& watch_;
  std::vector<std::vector<std::int64_t>> digitsOf_;
  std::vector<Integer> powers_;  ///< p, p^2, p^4, ...
  size_t hardest_ = 0;           ///< the component that failed last
};

/// The lifting of one right-hand side.
class Run {
 public:
  Run(IntegerMatrix const& matrix, Integers const& b, PrimeField const& field, Watch& watch)
      : matrix_(matrix),
        b_(b),
        field_(field),
        watch_(watch),
        residual_(b),
        digits_(b.size(), field, watch) {}

  Fractions run(auto const& solve, std::int64_t solveCost) {
    double const most = mostDigits(matrix_, b_, field_);
    std::vector<ulong> remainders(b_.size());
    Fractions x;
    size_t next = 2;  // digits at which to try
    while (true) {
      if (_fmpz_vec_is_zero(residual_.get(), static_cast<slong>(residual_.size()))) {
        x.numerators = digits_.values();
        x.denominator = Integer(1);
        if (holds(x)) return x;
      }
      if (digits_.digits() >= next) {
        // Those kept, and the fractions with the room they need while they are formed.
        watch_.allow(32.0 * static_cast<double>(b_.size()) * static_cast<double>(next));
        if (digits_.reconstruct(x) && holds(x)) return x;
        if (static_cast<double>(digits_.digits()) > most)
          throw std::logic_error("more digits than the determinant can have");
        constexpr size_t growth = 6;  // by a sixth: at worst so much is done in vain
        next += 1 + next / growth;
      }
      for (size_t i = 0; i < b_.size(); ++i)
        remainders[i] = fmpz_fdiv_ui(residual_[i], field_.prime());
      solve(remainders);
      takeFrom(digits_.append(remainders));
      constexpr std::int64_t costOfEntry = 8;
      watch_.spend(solveCost + costOfEntry * matrix_.entries());
    }
  }

 private:
  /// residual = (residual - P digit) / p
  void takeFrom(std::vector<std::int64_t> const& digit) {
    for (int row = 0; row < matrix_.rows; ++row) {
      auto const i = at(row);
      auto const end = at(matrix_.starts[i + 1]);
      for (auto e = at(matrix_.starts[i]); e < end; ++e)
        subtractMultiple(residual_[i], matrix_.values[e], digit[at(matrix_.indices[e])]);
      fmpz_divexact_ui(residual_[i], residual_[i], field_.prime());
    }
  }

  /// P X = d b in integers.
  bool holds(Fractions const& x) {
    Integer right;
    for (int i = 0; i < matrix_.rows; ++i) {
      Integer const left = rowTimes(matrix_, i, x.numerators);
      fmpz_mul(right.get(), b_[at(i)], x.denominator.get());
      if (!fmpz_equal(left.get(), right.get())) return false;
      watch_.spend(static_cast<std::int64_t>(fmpz_size(right.get())) + 1);
    }
    return true;
  }

  IntegerMatrix const& matrix_;
  Integers const& b_;
  PrimeField const& field_;
  Watch& watch_;
  Integers residual_;
  PadicVector digits_;
};

}  // namespace

Fractions lifted(IntegerMatrix const& matrix, SparseLuMod const& factors, PrimeField const& field,
                 Watch& watch, Integers const& b, bool transposed) {
  auto const modulo = [&](std::vector<ulong>& x) {
    transposed ? factors.solveTransposed(x, x) : factors.solve(x, x);
  };
  IntegerMatrix const other = transposed ? rational::transposed(matrix) : IntegerMatrix();
  return Run(transposed ? other : matrix, b, field, watch).run(modulo, factors.entries());
}

}  // namespace osi_cuda::rational
