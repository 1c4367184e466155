// SPDX-License-Identifier: EPL-2.0
#include "tests/support/random_lp.hpp"

#include <algorithm>
#include <numeric>

#include "tests/support/random.hpp"

namespace osi_cuda::testing {
namespace {

using enum VariableStatus;

/// A multiple of 1/4 in [0.25, limit]
double positive(Random& dice, int limit) {
  return 0.25 * dice.whole(1, 4 * limit);
}
double nonzero(Random& dice, int limit) {
  return dice.percent(50) ? positive(dice, limit) : -positive(dice, limit);
}

/// The matrix while it is built, row-major and dense: these problems are small.
struct Dense {
  int rows, columns;
  std::vector<double> values;

  Dense(int m, int n) : rows(m), columns(n), values(std::size_t(m) * n, 0.0) {}
  double& at(int i, int j) { return values[std::size_t(i) * columns + j]; }
  double at(int i, int j) const { return values[std::size_t(i) * columns + j]; }

  std::vector<double> times(std::vector<double> const& x) const {  // A x
    std::vector<double> product(rows, 0.0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) product[i] += at(i, j) * x[j];
    return product;
  }
  std::vector<double> transposedTimes(std::vector<double> const& y) const {  // A'y
    std::vector<double> product(columns, 0.0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) product[j] += at(i, j) * y[i];
    return product;
  }
  SparseMatrix sparse() const {
    SparseMatrix matrix;
    matrix.rows = rows;
    matrix.columns = columns;
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        if (at(i, j) == 0.0) continue;
        matrix.indices.push_back(i);
        matrix.values.push_back(at(i, j));
      }
      matrix.starts.push_back(static_cast<std::int64_t>(matrix.indices.size()));
    }
    return matrix;
  }
};

Dense randomMatrix(Random& dice, int m, int n) {
  Dense matrix(m, n);
  int const percent = dice.whole(10, 90);
  for (int i = 0; i < m; ++i) {
    if (dice.percent(8)) continue;  // an empty row
    if (i > 0 && dice.percent(8)) {
      int const original = dice.below(i);  // a duplicate row
      for (int j = 0; j < n; ++j) matrix.at(i, j) = matrix.at(original, j);
      continue;
    }
    for (int j = 0; j < n; ++j)
      if (dice.percent(percent)) matrix.at(i, j) = nonzero(dice, 3);
  }
  for (int j = 0; j < n; ++j)
    if (dice.percent(8))
      for (int i = 0; i < m; ++i) matrix.at(i, j) = 0.0;  // an empty column
  return matrix;
}

struct Bounds {
  double lower = -infinity;
  double upper = infinity;
};

/// Bounds of a random kind that `value` satisfies.
Bounds boundsAround(Random& dice, double value) {
  auto const slack = [&] { return dice.percent(30) ? 0.0 : positive(dice, 5); };
  switch (dice.below(5)) {
    case 0:
      return {};
    case 1:
      return {value - slack(), infinity};
    case 2:
      return {-infinity, value + slack()};
    case 3:
      return {value, value};
    default:
      return {value - slack(), value + slack()};
  }
}

/// Bounds that make `value` the resting place of a variable with this status. Degenerate: a basic
/// variable may sit on a bound as well.
Bounds boundsFor(Random& dice, VariableStatus status, double value, bool degenerate) {
  double const width = positive(dice, 6);
  switch (status) {
    case atLower:
      if (dice.percent(15)) return {value, value};
      return {value, dice.percent(50) ? infinity : value + width};
    case atUpper:
      return {dice.percent(50) ? -infinity : value - width, value};
    case VariableStatus::free:
      return {};
    default:
      break;
  }
  Bounds bounds{dice.percent(40) ? -infinity : value - positive(dice, 4),
                dice.percent(40) ? infinity : value + positive(dice, 4)};
  if (degenerate && dice.percent(60)) (dice.percent(50) ? bounds.lower : bounds.upper) = value;
  return bounds;
}

/// A reduced cost with the sign that the status wants in a minimisation.
double reducedCostFor(Random& dice, VariableStatus status, Bounds bounds, bool degenerate) {
  if (status == basic || status == VariableStatus::free || (degenerate && dice.percent(50)))
    return 0.0;
  if (bounds.lower == bounds.upper) return nonzero(dice, 4);
  return status == atLower ? positive(dice, 4) : -positive(dice, 4);
}

VariableStatus nonbasicStatus(Random& dice, int percentFree) {
  if (dice.percent(percentFree)) return VariableStatus::free;
  return dice.percent(60) ? atLower : atUpper;
}

/// Statuses of a nonsingular basis: p structural columns are basic, p rows nonbasic, and the p x p
/// block of the matrix where they meet is made upper triangular with a nonzero diagonal.
Basis chooseBasis(Random& dice, Dense& matrix) {
  int const m = matrix.rows;
  int const n = matrix.columns;
  int const p = dice.whole(0, std::min(m, n));
  auto const rows = dice.shuffled(m);
  auto const columns = dice.shuffled(n);
  for (int k = 0; k < p; ++k) {
    for (int l = 0; l < k; ++l) matrix.at(rows[k], columns[l]) = 0.0;
    matrix.at(rows[k], columns[k]) = nonzero(dice, 3);
  }
  Basis basis{std::vector<VariableStatus>(n), std::vector<VariableStatus>(m)};
  for (int k = 0; k < n; ++k) basis.columns[columns[k]] = k < p ? basic : nonbasicStatus(dice, 8);
  for (int k = 0; k < m; ++k) basis.rows[rows[k]] = k < p ? nonbasicStatus(dice, 0) : basic;
  return basis;
}

void setColumnBounds(LinearProgram& lp, int j, Bounds bounds) {
  lp.columnLower[j] = bounds.lower;
  lp.columnUpper[j] = bounds.upper;
}

void setRowBounds(LinearProgram& lp, int i, Bounds bounds) {
  lp.rowLower[i] = bounds.lower;
  lp.rowUpper[i] = bounds.upper;
}

std::vector<double> randomPoint(Random& dice, int n) {
  std::vector<double> x(n);
  for (double& value : x) value = dice.percent(25) ? 0.0 : nonzero(dice, 6);
  return x;
}

LinearProgram blank(int m, int n) {
  LinearProgram lp;
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  lp.matrix.starts.assign(std::size_t(n) + 1, 0);
  lp.objective.assign(n, 0.0);
  lp.columnLower.assign(n, -infinity);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower.assign(m, -infinity);
  lp.rowUpper.assign(m, infinity);
  return lp;
}

/// Chooses basis and x*, hangs bounds on them, then y* and d by sign, and c = A'y + d.
void makeOptimal(Random& dice, RandomLp& made, Dense& matrix, bool degenerate) {
  LinearProgram& lp = made.lp;
  made.basis = chooseBasis(dice, matrix);
  made.x = randomPoint(dice, matrix.columns);
  for (int j = 0; j < matrix.columns; ++j)
    if (made.basis.columns[j] == VariableStatus::free) made.x[j] = 0.0;
  auto const activity = matrix.times(made.x);
  std::vector<double> reducedCosts(matrix.columns);
  for (int j = 0; j < matrix.columns; ++j) {
    auto const status = made.basis.columns[j];
    Bounds const bounds = boundsFor(dice, status, made.x[j], degenerate);
    setColumnBounds(lp, j, bounds);
    reducedCosts[j] = reducedCostFor(dice, status, bounds, degenerate);
  }
  made.y.resize(matrix.rows);
  for (int i = 0; i < matrix.rows; ++i) {
    auto const status = made.basis.rows[i];
    Bounds const bounds = boundsFor(dice, status, activity[i], degenerate);
    setRowBounds(lp, i, bounds);
    made.y[i] = reducedCostFor(dice, status, bounds, degenerate);
  }
  lp.objective = matrix.transposedTimes(made.y);
  for (int j = 0; j < matrix.columns; ++j) lp.objective[j] += reducedCosts[j];
}

/// Two ways that need no multipliers: crossed column bounds, or an empty row that must not be zero.
void makeTriviallyInfeasible(Random& dice, RandomLp& made, Dense& matrix) {
  LinearProgram& lp = made.lp;
  made.farkas.assign(matrix.rows, 0.0);
  if (matrix.rows > 0 && (matrix.columns == 0 || dice.percent(50))) {
    int const i = dice.below(matrix.rows);
    for (int j = 0; j < matrix.columns; ++j) matrix.at(i, j) = 0.0;
    double const bound = positive(dice, 4);
    bool const above = dice.percent(50);
    setRowBounds(lp, i, above ? Bounds{bound, infinity} : Bounds{-infinity, -bound});
    made.farkas[i] = above ? 1.0 : -1.0;
  } else {
    int const j = dice.below(matrix.columns);
    double const lower = nonzero(dice, 4);
    setColumnBounds(lp, j, {lower, lower - positive(dice, 4)});
  }
}

/// Chooses y, gives every column the bound that max (A'y)'x needs, and moves one row's bound past
/// that maximum.
void makeInfeasible(Random& dice, RandomLp& made, Dense const& matrix) {
  LinearProgram& lp = made.lp;
  auto const inside = randomPoint(dice, matrix.columns);
  auto const activity = matrix.times(inside);
  made.farkas.assign(matrix.rows, 0.0);
  int const moved = dice.below(matrix.rows);
  for (int i = 0; i < matrix.rows; ++i)
    if (i == moved || dice.percent(40)) made.farkas[i] = nonzero(dice, 2);
  made.farkas[moved] = dice.percent(50) ? 1.0 : -1.0;  // keeps the division below exact
  auto const z = matrix.transposedTimes(made.farkas);
  double room = 0.0;  // max of z'x less z'inside
  for (int j = 0; j < matrix.columns; ++j) {
    Bounds bounds = boundsAround(dice, inside[j]);
    if (z[j] > 0.0 && bounds.upper == infinity) bounds.upper = inside[j] + positive(dice, 3);
    if (z[j] < 0.0 && bounds.lower == -infinity) bounds.lower = inside[j] - positive(dice, 3);
    if (z[j] > 0.0) room += z[j] * (bounds.upper - inside[j]);
    if (z[j] < 0.0) room += z[j] * (bounds.lower - inside[j]);
    setColumnBounds(lp, j, bounds);
    lp.objective[j] = dice.percent(30) ? 0.0 : nonzero(dice, 4);
  }
  for (int i = 0; i < matrix.rows; ++i) {
    double const y = made.farkas[i];
    double bound = activity[i];
    if (i == moved) bound += (room + positive(dice, 4)) / y;
    double const width = dice.percent(40) ? infinity : dice.percent(50) ? 0.0 : positive(dice, 4);
    if (y > 0.0) setRowBounds(lp, i, {bound, bound + width});
    if (y < 0.0) setRowBounds(lp, i, {bound - width, bound});
    if (y == 0.0) setRowBounds(lp, i, boundsAround(dice, bound));
  }
}

/// Chooses a feasible point and a direction, opens every bound the direction runs into, and bends
/// the costs until the direction improves a minimum.
void makeUnbounded(Random& dice, RandomLp& made, Dense const& matrix) {
  LinearProgram& lp = made.lp;
  int const n = matrix.columns;
  made.x = randomPoint(dice, n);
  made.ray.assign(n, 0.0);
  int const bent = dice.below(n);
  for (int j = 0; j < n; ++j)
    if (dice.percent(40)) made.ray[j] = dice.whole(-2, 2);
  made.ray[bent] = dice.percent(50) ? 1.0 : -1.0;
  auto const opened = [](Bounds bounds, double step) {
    if (step > 0.0) bounds.upper = infinity;
    if (step < 0.0) bounds.lower = -infinity;
    return bounds;
  };
  for (int j = 0; j < n; ++j)
    setColumnBounds(lp, j, opened(boundsAround(dice, made.x[j]), made.ray[j]));
  auto const activity = matrix.times(made.x);
  auto const steps = matrix.times(made.ray);
  for (int i = 0; i < matrix.rows; ++i)
    setRowBounds(lp, i, opened(boundsAround(dice, activity[i]), steps[i]));
  double slope = 0.0;
  for (int j = 0; j < n; ++j) {
    lp.objective[j] = dice.percent(40) ? 0.0 : nonzero(dice, 4);
    slope += lp.objective[j] * made.ray[j];
  }
  if (slope >= 0.0) lp.objective[bent] -= (slope + positive(dice, 3)) / made.ray[bent];
}

/// Everything above is made for minimisation; the mirror image has the same x.
void turnIntoMaximisation(RandomLp& made) {
  made.lp.sense = Sense::maximize;
  for (double& cost : made.lp.objective) cost = -cost;
  for (double& dual : made.y) dual = -dual;
}

Status drawStatus(Random& dice, RandomLpShape const& shape) {
  if (shape.status) return *shape.status;
  int const draw = dice.below(5);
  return draw == 0 ? Status::infeasible : draw == 1 ? Status::unbounded : Status::optimal;
}

std::string describe(RandomLp const& made, RandomLpShape const& shape, bool degenerate) {
  std::string text = "randomLp(seed " + std::to_string(made.seed) + ", at most " +
                     std::to_string(shape.maxRows) + " x " + std::to_string(shape.maxColumns) +
                     "): " + std::to_string(made.lp.rows()) + " x " +
                     std::to_string(made.lp.columns());
  text += made.expected == Status::optimal      ? ", optimal"
          : made.expected == Status::infeasible ? ", infeasible"
                                                : ", unbounded";
  text += made.lp.sense == Sense::minimize ? ", minimize" : ", maximize";
  if (degenerate) text += ", degenerate";
  return text;
}

}  // namespace

RandomLp randomLp(std::uint64_t seed, RandomLpShape const& shape) {
  Random dice(seed, 1);
  RandomLp made;
  made.seed = seed;
  made.expected = drawStatus(dice, shape);
  int m = dice.whole(1, shape.maxRows);
  int n = dice.whole(1, shape.maxColumns);
  if (shape.emptyDimensions && dice.percent(10)) {
    // An unbounded problem needs a column; an infeasible one needs either.
    bool const noRows = made.expected == Status::unbounded || dice.percent(50);
    (noRows ? m : n) = 0;
    if (made.expected == Status::optimal && dice.percent(20)) m = n = 0;
  }
  bool const degenerate = dice.percent(40);
  Dense matrix = randomMatrix(dice, m, n);
  made.lp = blank(m, n);
  if (made.expected == Status::optimal) {
    makeOptimal(dice, made, matrix, degenerate);
  } else if (made.expected == Status::unbounded) {
    makeUnbounded(dice, made, matrix);
  } else if (m == 0 || n == 0 || dice.percent(15)) {
    makeTriviallyInfeasible(dice, made, matrix);
  } else {
    makeInfeasible(dice, made, matrix);
  }
  made.lp.matrix = matrix.sparse();
  made.lp.name = "random" + std::to_string(seed);
  if (dice.percent(40)) turnIntoMaximisation(made);
  if (dice.percent(40)) made.lp.objectiveOffset = nonzero(dice, 20);
  made.objective = made.lp.objectiveOffset;
  for (int j = 0; j < n && made.expected == Status::optimal; ++j)
    made.objective += made.lp.objective[j] * made.x[j];
  made.description = describe(made, shape, degenerate);
  return made;
}

}  // namespace osi_cuda::testing
