// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/lifting.hpp"
#include "osi_cuda/base/index.hpp"

#include <flint/fmpq.h>

#include <algorithm>
#include <cmath>
#include <numeric>
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
      : length_(length), field_(field), watch_(watch), numerators_(length), over_(length) {
    stride_ = std::max<size_t>(1, length / 3);
    while (std::gcd(stride_, std::max<size_t>(1, length)) > 1) ++stride_;
  }

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
  /// Fractions x that agree with the digits, each with a numerator and a denominator below the root
  /// of p^digits / 2^65: what 64 bits more than needed make all but certain. Short ones are formed
  /// from few digits and kept: of a matrix that falls into parts the denominators are short, and
  /// only what they have in common is long. False: some need more digits.
  bool reconstruct(Fractions& x) {
    Integer modulus(1), bound;
    for (size_t left = digits_, k = 1; left > 0; left /= 2, k *= 2)
      if (left % 2 == 1) fmpz_mul(modulus.get(), modulus.get(), power(k).get());
    constexpr ulong spareBits = 65;
    fmpz_fdiv_q_2exp(bound.get(), modulus.get(), spareBits);
    if (fmpz_is_zero(bound.get())) return false;
    fmpz_sqrt(bound.get(), bound.get());

    // Each time the digits have doubled all are tried, as long as enough of them succeed.
    bool const all = digits_ >= 2 * digitsOfAll_;
    if (all) digitsOfAll_ = digits_;
    size_t const start = hardest_;
    size_t misses = 0, found = 0;
    denominators_.emplace_back(1);
    for (size_t step = 0; step < length_; ++step) {
      size_t const i = (start + step * stride_) % length_;
      if (over_[i] > 0) continue;
      if (fits(i, modulus, bound)) {
        ++found;
        continue;
      }
      if (misses++ == 0) hardest_ = i;
      constexpr size_t fewMisses = 4;
      if (!all || misses > fewMisses + found) break;
    }
    if (misses > 0) return false;
    assemble(x);
    return true;
  }
  /// What was kept proved wrong.
  void forget() { over_.assign(length_, 0); }

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

  /// Whether component i is a fraction within the bounds: over the last denominator, a multiple of
  /// it, or one of its own.
  bool fits(size_t i, Integer const& modulus, Integer const& bound) {
    Integer const value = this->value(i);
    Integer over, top, bottom, room;
    auto const fraction = [&](Integer const& number, Integer const& most) {
      watch_.spend(static_cast<std::int64_t>(100 * digits_));
      fmpz_mod(over.get(), number.get(), modulus.get());
      return !fmpz_is_zero(most.get()) &&
             _fmpq_reconstruct_fmpz_2(top.get(), bottom.get(), over.get(), modulus.get(),
                                      bound.get(), most.get()) != 0;
    };
    Integer const& last = denominators_.back();
    Integer product;
    fmpz_mul(product.get(), value.get(), last.get());
    fmpz_smod(top.get(), product.get(), modulus.get());
    if (fmpz_cmpabs(top.get(), bound.get()) > 0) {
      fmpz_fdiv_q(room.get(), bound.get(), last.get());
      if (fraction(product, room))
        fmpz_mul(bottom.get(), bottom.get(), last.get());
      else if (fmpz_is_one(last.get()) || !fraction(value, bound))
        return false;
      denominators_.push_back(bottom);
    }
    fmpz_swap(numerators_[i], top.get());
    over_[i] = denominators_.size() - 1;
    return true;
  }

  /// All fractions over their least common denominator.
  void assemble(Fractions& x) {
    x.denominator = Integer(1);
    std::vector<size_t> used(denominators_.size(), 0);
    for (size_t const k : over_) used[k] = 1;
    for (size_t k = 0; k < used.size(); ++k)
      if (used[k] > 0) fmpz_lcm(x.denominator.get(), x.denominator.get(), denominators_[k].get());
    Integers factors(used.size());
    for (size_t k = 0; k < used.size(); ++k)
      if (used[k] > 0) fmpz_divexact(factors[k], x.denominator.get(), denominators_[k].get());
    x.numerators = Integers(length_);
    for (size_t i = 0; i < length_; ++i)
      fmpz_mul(x.numerators[i], numerators_[i], factors[over_[i]]);
  }

  size_t length_;
  size_t digits_ = 0;
  PrimeField const& field_;
  Watch& watch_;
  std::vector<std::vector<std::int64_t>> digitsOf_;
  std::vector<Integer> powers_;  ///< p, p^2, p^4, ...
  size_t hardest_ = 0;           ///< the component that failed last
  size_t digitsOfAll_ = 1;       ///< with which all were tried last
  Integers numerators_;          ///< of the fractions that were found
  std::vector<Integer> denominators_{Integer()};
  std::vector<size_t> over_;  ///< the denominator of each; 0: none was found
  size_t stride_ = 1;         ///< from one component to the next: neighbours are alike
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
        if (digits_.reconstruct(x)) {
          if (holds(x)) return x;
          digits_.forget();
        }
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
      subtractMultiples(residual_[i], matrix_.values.get(), at(matrix_.starts[i]),
                        at(matrix_.starts[i + 1]),
                        [&](size_t e) { return digit[at(matrix_.indices[e])]; });
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
