// SPDX-License-Identifier: EPL-2.0
// The tableau of a solver's basis in the problem's own terms. With the scaled matrix R A C and its
// basis matrix B_s, the problem's own is B = R^-1 B_s D^-1, where D has the column scale of basic
// columns and the inverse row scale of basic slacks: B^-1 = D B_s^-1 R.
#include "osi_cuda/simplex/problem_tableau.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/tolerances.hpp"
#include "osi_cuda/simplex/refinement.hpp"

namespace osi_cuda {
namespace {

std::vector<double> unitVector(int size, int position, double value) {
  std::vector<double> unit(at(size), 0.0);
  unit.at(at(position)) = value;
  return unit;
}

/// What is nothing but rounding, beside the largest entry and beside 1, becomes zero: callers look
/// at patterns.
constexpr double entryNoise = 1e-12;

/// An entry up to this share of what its terms can be may be rounding of the tableau, also one that
/// is zero there: it is computed anew.
constexpr double doubtfulEntry = 1e-9;
/// A row of B^-1 with a residual up to this, relative, tells zero from what only looks like it.
constexpr double wellRefined = 1e-25;
/// What is up to this share of the largest number of a refined vector, scaled, is zero: far below
/// what coefficients of very different magnitude make, far above the rounding of its sums.
constexpr double refinedNoise = 1e-27;

void dropNoise(std::vector<double>& entries) {
  double largest = 1.0;
  for (double const entry : entries) largest = std::max(largest, std::fabs(entry));
  for (double& entry : entries)
    if (std::fabs(entry) <= entryNoise * largest) entry = 0.0;
}

/// D by row position.
std::vector<double> basicFactors(StandardForm const& form, std::vector<int> const& basic) {
  std::vector<double> factors(basic.size());
  for (std::size_t i = 0; i < basic.size(); ++i) factors[i] = std::fabs(form.factor(basic[i]));
  return factors;
}

/// One row of B^-1 in double-double arithmetic, for the doubtful entries of a row of the tableau.
class ExactRow {
 public:
  ExactRow(StandardForm const& form, Engine& engine, std::vector<int> const& basic, int position)
      : form_(form) {
    ExtendedVector unit(basic.size());
    unit[at(position)] = 1.0;
    inverse_ = refinedBtran(form, engine, basic, unit);
    double largest = 0.0;
    for (DoubleDouble const& entry : inverse_.value)
      largest = std::max(largest, std::fabs(entry.hi));
    double const rounding = std::max(refinedNoise, 1e4 * inverse_.residual) * largest;
    for (DoubleDouble& entry : inverse_.value)
      if (std::fabs(entry.hi) <= rounding) entry = {};
  }

  /// The entry of a nonbasic variable: zero where it is that up to 1e-20 of its terms, of a slack
  /// up to what the refinement left. `otherwise` where the row could not be refined so far.
  double entry(int variable, double otherwise) const {
    if (!(inverse_.residual <= wellRefined)) return otherwise;
    if (variable >= form_.columns()) return inverse_.value[at(variable - form_.columns())].hi;
    DoubleDouble sum;
    double terms = 0.0;
    for (auto const [i, number] : form_.matrix().column(variable)) {
      DoubleDouble const term = inverse_.value[at(i)] * number;
      sum += term;
      terms += std::fabs(term.hi);
    }
    return std::fabs(sum.hi) <= proof::extendedZero * terms ? 0.0 : sum.hi;
  }

 private:
  StandardForm const& form_;
  RefinedVector inverse_;
};

}  // namespace

// x_B = const - T x_N in scaled numbers; the factors also turn slacks into activities.
bool ProblemTableau::visitRates(RateVisitor const& visit) const {
  Snapshot const point = engine_.snapshot();
  std::vector<double> inverseFactor(point.nonbasicVariable.size());
  std::vector<double> columnSize(point.nonbasicVariable.size(), 1.0);
  for (std::size_t k = 0; k < inverseFactor.size(); ++k) {
    int const variable = point.nonbasicVariable[k];
    inverseFactor[k] = 1.0 / form_.factor(variable);
    if (variable >= form_.columns()) continue;
    columnSize[k] = 0.0;
    for (double const value : form_.matrix().columnValues(variable))
      columnSize[k] += std::fabs(value);
  }
  for (std::size_t i = 0; i < point.basicVariable.size(); ++i) {
    std::vector<double> rates = engine_.row(static_cast<int>(i));
    double const factor = form_.factor(point.basicVariable[i]);
    // Entries of nonbasic slacks are those of B^-1; beside them it has one of 1, of a basic slack.
    double largest = point.basicVariable[i] >= form_.columns() ? 1.0 : 0.0;
    for (std::size_t k = 0; k < rates.size(); ++k)
      if (point.nonbasicVariable[k] >= form_.columns())
        largest = std::max(largest, std::fabs(rates[k]));
    std::optional<ExactRow> exact;
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (std::fabs(rates[k]) <= doubtfulEntry * largest * columnSize[k]) {
        if (!exact) exact.emplace(form_, engine_, point.basicVariable, static_cast<int>(i));
        rates[k] = exact->entry(point.nonbasicVariable[k], rates[k]);
      }
      rates[k] *= -factor * inverseFactor[k];
    }
    if (!visit(static_cast<int>(i), rates)) return false;
  }
  return true;
}

std::vector<double> ProblemTableau::inverseRow(int position) const {
  int const variable = engine_.snapshot().basicVariable.at(at(position));
  std::vector<double> row =
      engine_.solves().btran(unitVector(form_.rows(), position, std::fabs(form_.factor(variable))));
  for (std::size_t i = 0; i < row.size(); ++i) row[i] *= form_.rowScale[i];
  dropNoise(row);
  return row;
}

std::vector<double> ProblemTableau::inverseColumn(int row) const {
  return solved(unitVector(form_.rows(), row, form_.rowScale.at(at(row))));
}

std::vector<double> ProblemTableau::column(int column) const {
  std::vector<double> right(at(form_.rows()), 0.0);
  for (auto const [i, a] : lp_.matrix.column(column)) right[at(i)] = a * form_.rowScale[at(i)];
  return solved(right);
}

// B^-1 of a column that is scaled by rows.
std::vector<double> ProblemTableau::solved(std::span<double const> right) const {
  std::vector<double> entries = engine_.solves().ftran(right);
  auto const factors = basicFactors(form_, engine_.snapshot().basicVariable);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] *= factors[i];
  dropNoise(entries);
  return entries;
}

std::vector<double> ProblemTableau::dualsFor(std::span<double const> costs) const {
  auto const basic = engine_.snapshot().basicVariable;
  std::vector<double> right = basicFactors(form_, basic);
  for (std::size_t i = 0; i < right.size(); ++i)
    right[i] = basic[i] < form_.columns() ? right[i] * costs[at(basic[i])] : 0.0;
  std::vector<double> y = engine_.solves().btran(right);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= form_.rowScale[i];
  return y;
}

std::vector<double> rowOfTableau(LinearProgram const& lp, std::span<double const> inverse) {
  std::vector<double> row(at(lp.columns()));
  ColumnReader read(lp.matrix);
  for (int j = 0; j < lp.columns(); ++j) {
    long double sum = 0.0L, scale = 1.0L;
    for (auto const [i, a] : read.column(j)) {
      long double const term = static_cast<long double>(a) * inverse[at(i)];
      sum += term;
      scale = std::max(scale, std::fabs(term));
    }
    row[at(j)] = std::fabs(sum) <= entryNoise * scale ? 0.0 : static_cast<double>(sum);
  }
  return row;
}

}  // namespace osi_cuda
