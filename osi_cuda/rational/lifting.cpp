// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/lifting.hpp"
#include "osi_cuda/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

Lifting::Lifting(IntegerMatrix const& matrix, SparseLuMod const& factors, PrimeField const& field,
                 Watch& watch)
    : matrix_(matrix), factors_(factors), field_(field), watch_(watch) {}

Fractions Lifting::solve(Integers const& b) const {
  auto const modulo = [this](std::vector<ulong>& x) { factors_.solve(x, x); };
  return Run(matrix_, b, field_, watch_).run(modulo, factors_.entries());
}

Fractions Lifting::solveTransposed(Integers const& b) const {
  auto const modulo = [this](std::vector<ulong>& x) { factors_.solveTransposed(x, x); };
  return Run(transposed(matrix_), b, field_, watch_).run(modulo, factors_.entries());
}

}  // namespace osi_cuda::rational
