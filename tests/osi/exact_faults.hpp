// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "OsiSolverInterface.hpp"

/// What sums of doubles cannot tell of an answer, in rational arithmetic of the tests' own.
namespace osi_cuda::testing::exact {

using Rational = boost::multiprecision::cpp_rational;
using Rationals = std::vector<Rational>;
using Matrix = std::vector<Rationals>;

inline bool isFinite(double bound) {
  return std::fabs(bound) < COIN_DBL_MAX;
}

inline Matrix matrixOf(OsiSolverInterface const& s) {
  auto const n = static_cast<std::size_t>(s.getNumCols());
  Matrix rows(static_cast<std::size_t>(s.getNumRows()), Rationals(n));
  CoinPackedMatrix const& held = *s.getMatrixByCol();
  for (int j = 0; j < s.getNumCols(); ++j) {
    CoinBigIndex const begin = held.getVectorFirst(j);
    for (CoinBigIndex e = begin; e < begin + held.getVectorSize(j); ++e)
      rows[static_cast<std::size_t>(held.getIndices()[e])][static_cast<std::size_t>(j)] +=
          Rational(held.getElements()[e]);
  }
  return rows;
}

/// Whether multipliers of the rows, or their opposites, prove that no point is feasible: the gap is
/// positive. What is nothing but rounding of doubles, and needs an infinite bound, must not close
/// it for points within 1e9.
inline bool provesInfeasible(OsiSolverInterface const& s, Rationals const& y) {
  Rational const rounding = Rational(1) / (std::int64_t{1} << 51), distant = 1000000000;
  Matrix const matrix = matrixOf(s);
  for (int const sign : {1, -1}) {
    Rational most = 0;  // of y'r - (y'A)x over activities r and columns x within their bounds
    bool finite = true;
    auto const add = [&](Rational const& factor, double lower, double upper,
                         Rational const& terms) {
      if (factor == 0) return;
      double const bound = factor > 0 ? upper : lower;
      if (isFinite(bound))
        most += factor * Rational(bound);
      else if (abs(factor) <= rounding * terms)
        most += abs(factor) * distant;
      else
        finite = false;
    };
    for (std::size_t i = 0; i < y.size(); ++i)
      add(sign * y[i], s.getRowLower()[i], s.getRowUpper()[i], 0);
    for (int j = 0; j < s.getNumCols(); ++j) {
      Rational sum = 0, terms = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        Rational const& a = matrix[i][static_cast<std::size_t>(j)];
        if (a == 0 || y[i] == 0) continue;
        sum += a * y[i];
        terms += abs(a * y[i]);
      }
      add(-sign * sum, s.getColLower()[j], s.getColUpper()[j], terms);
    }
    if (finite && most < 0) return true;
  }
  return false;
}

/// The solution of a square system; empty where it is singular.
inline Rationals solved(Matrix a, Rationals b) {
  std::size_t const n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    while (p < n && a[p][k] == 0) ++p;
    if (p == n) return {};
    std::swap(a[k], a[p]);
    std::swap(b[k], b[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k] == 0) continue;
      Rational const factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j)
        if (a[k][j] != 0) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// The basic solution that an interface hands out, exactly, and how good it is.
class BasicSolution {
 public:
  explicit BasicSolution(OsiSolverInterface const& s)
      : s_(s), matrix_(matrixOf(s)), x_(size(s.getNumCols())), y_(size(s.getNumRows())) {
    std::vector<int> columns(x_.size()), rows(y_.size());
    s.getBasisStatus(columns.data(), rows.data());
    constexpr int basic = 1;
    std::vector<std::size_t> in, tight;
    auto const resting = [](double value, double lower, double upper) {
      if (!isFinite(lower) && !isFinite(upper)) return 0.0;
      return std::fabs(value - lower) <= std::fabs(value - upper) ? lower : upper;
    };
    for (std::size_t j = 0; j < x_.size(); ++j)
      if (columns[j] == basic)
        in.push_back(j);
      else
        x_[j] = resting(s.getColSolution()[j], s.getColLower()[j], s.getColUpper()[j]);
    Rationals sides, costs;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (rows[i] == basic) continue;
      tight.push_back(i);
      sides.push_back(resting(s.getRowActivity()[i], s.getRowLower()[i], s.getRowUpper()[i]));
      for (std::size_t j = 0; j < x_.size(); ++j)
        if (x_[j] != 0) sides.back() -= matrix_[i][j] * x_[j];
    }
    if (in.size() != tight.size()) return;
    Matrix basis(in.size(), Rationals(in.size()));
    transposed_ = basis;
    for (std::size_t p = 0; p < in.size(); ++p) {
      costs.push_back(s.getObjCoefficients()[in[p]]);
      for (std::size_t q = 0; q < in.size(); ++q)
        basis[q][p] = transposed_[p][q] = matrix_[tight[q]][in[p]];
    }
    in_ = in;
    tight_ = tight;
    Rationals const inner = solved(basis, sides);
    regular_ = inner.size() == in.size();
    if (!regular_) return;
    for (std::size_t p = 0; p < in.size(); ++p) x_[in[p]] = inner[p];
    y_ = multipliers(costs, y_);
  }

  bool regular() const { return regular_; }

  /// Whether the basis proves that no point is feasible: by the row of B^-1 of a basic variable
  /// that is outside its bounds, or by the sum of these.
  bool provesInfeasible() const {
    if (!regular_) return false;
    Rationals sumOfColumns(in_.size()), sumOfRows(y_.size());
    auto const proves = [&](Rationals const& columns, Rationals const& rows) {
      Rationals sides = columns;
      for (std::size_t p = 0; p < in_.size(); ++p)
        for (std::size_t i = 0; i < rows.size(); ++i)
          if (rows[i] != 0) sides[p] -= rows[i] * matrix_[i][in_[p]];
      return exact::provesInfeasible(s_, multipliers(sides, rows));
    };
    auto const outside = [](Rational const& value, double lower, double upper) {
      if (isFinite(lower) && value < lower) return -1;
      return isFinite(upper) && value > upper ? 1 : 0;
    };
    for (std::size_t p = 0; p < in_.size(); ++p) {
      std::size_t const j = in_[p];
      int const side = outside(x_[j], s_.getColLower()[j], s_.getColUpper()[j]);
      if (side == 0) continue;
      Rationals unit(in_.size());
      sumOfColumns[p] = unit[p] = side;
      if (proves(unit, Rationals(y_.size()))) return true;
    }
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (std::ranges::find(tight_, i) != tight_.end()) continue;
      Rational activity = 0;
      for (std::size_t j = 0; j < x_.size(); ++j) activity += matrix_[i][j] * x_[j];
      int const side = outside(activity, s_.getRowLower()[i], s_.getRowUpper()[i]);
      if (side == 0) continue;
      Rationals unit(y_.size());
      sumOfRows[i] = side;
      unit[i] = side;
      if (proves(Rationals(in_.size()), unit)) return true;
    }
    for (Rational& side : sumOfRows) side = -side;
    return proves(sumOfColumns, sumOfRows);
  }

  /// The largest violation of a bound, or of the sign that optimality asks of a multiplier, each
  /// relative to 1 + |bound| or 1 + |cost|.
  double residual() const { return residualOf(x_, y_); }
  /// That of the nearest doubles.
  double residualOfDoubles() const {
    auto const nearest = [](Rationals values) {
      for (Rational& value : values) value = static_cast<double>(value);
      return values;
    };
    return residualOf(nearest(x_), nearest(y_));
  }

 private:
  /// Multipliers of all rows that give the basic columns these combinations, where rows that are
  /// not tight have the given ones.
  Rationals multipliers(Rationals const& wanted, Rationals all) const {
    Rationals const inner = solved(transposed_, wanted);
    for (std::size_t q = 0; q < inner.size(); ++q) all[tight_[q]] = inner[q];
    return all;
  }

  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  double residualOf(Rationals const& x, Rationals const& y) const {
    double worst = 0.0;
    auto const atMost = [&](Rational const& excess, double unit) {
      if (excess > 0)
        worst = std::max(worst, static_cast<double>(excess) / (1.0 + std::fabs(unit)));
    };
    auto const check = [&](Rational const& value, Rational const& pull, double lower, double upper,
                           double cost) {
      if (isFinite(lower)) atMost(lower - value, lower);
      if (isFinite(upper)) atMost(value - upper, upper);
      // Where it pulls, the value has to rest on a bound.
      double const wanted = pull > 0 ? lower : upper;
      bool const rests =
          isFinite(wanted) && abs(value - wanted) <= Rational(1e-6) * (1 + abs(Rational(wanted)));
      if (!rests) atMost(abs(pull), cost);
    };
    Rational const sense = s_.getObjSense();
    for (std::size_t j = 0; j < x.size(); ++j) {
      double const cost = s_.getObjCoefficients()[j];
      Rational reduced = cost;
      for (std::size_t i = 0; i < y.size(); ++i)
        if (y[i] != 0 && matrix_[i][j] != 0) reduced -= y[i] * matrix_[i][j];
      check(x[j], sense * reduced, s_.getColLower()[j], s_.getColUpper()[j], cost);
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
      Rational activity = 0;
      for (std::size_t j = 0; j < x.size(); ++j)
        if (x[j] != 0 && matrix_[i][j] != 0) activity += matrix_[i][j] * x[j];
      check(activity, sense * y[i], s_.getRowLower()[i], s_.getRowUpper()[i], 0.0);
    }
    return worst;
  }

  OsiSolverInterface const& s_;
  Matrix const matrix_;
  Matrix transposed_;                    ///< of the basic columns in the tight rows
  std::vector<std::size_t> in_, tight_;  ///< basic columns; rows whose slacks are not basic
  Rationals x_, y_;
  bool regular_ = false;
};

/// The fault of an abandoned solve, or "": the basis is optimal but for rounding, and the nearest
/// doubles of its point miss the tolerances, as the interface says.
inline std::string faultOfAbandonment(OsiSolverInterface const& s) {
  BasicSolution const solution(s);
  if (!solution.regular()) return "it is abandoned, and its basis is singular";
  if (double const miss = solution.residual(); miss > 1e-9)
    return "it is abandoned, and its basis misses optimality by " + std::to_string(miss);
  double primal = 0.0, dual = 0.0;
  s.getDblParam(OsiPrimalTolerance, primal);
  s.getDblParam(OsiDualTolerance, dual);
  if (double const miss = solution.residualOfDoubles(); miss <= std::min(primal, dual))
    return "it is abandoned, though doubles hold the optimum";
  return "";
}

}  // namespace osi_cuda::testing::exact
