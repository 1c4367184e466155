// SPDX-License-Identifier: EPL-2.0
//
// Problems made from nothing: ill-conditioned matrices, long paths, cycling, degenerate vertices.

#include <algorithm>
#include <cmath>

#include "lab/stress/dense_problem.hpp"
#include "lab/stress/kinds.hpp"

namespace osi_cuda::stress {
namespace {

enum class Rows { equations, atLeast };
enum class Columns { nonnegative, boxed, free };

/// Rows through (or above) A x0, where x0 lies inside the box.
LinearProgram through(Dice& dice, DenseProblem problem, Rows rows, Columns columns) {
  std::vector<double> point(problem.columns);
  bool const ones = dice.chance(0.5);
  for (double& value : point) value = ones ? 1.0 : dice.unit();
  problem.lp.rowLower = problem.times(point);
  if (rows == Rows::equations) problem.lp.rowUpper = problem.lp.rowLower;
  for (int j = 0; j < problem.columns; ++j) {
    if (columns == Columns::free) problem.lp.columnLower[j] = -infinity;
    if (columns == Columns::boxed) problem.lp.columnUpper[j] = 2.0;
    problem.lp.objective[j] = ones ? 1.0 : dice.between(-1.0, 1.0);
  }
  // Without bounds a random objective is a combination of the equations, up to rounding, or it has
  // no optimum.
  return problem.finished();
}

DenseProblem hilbert(int n) {
  DenseProblem problem(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) problem.at(i, j) = 1.0 / (i + j + 1);
  return problem;
}

DenseProblem vandermonde(Dice& dice, int n) {
  DenseProblem problem(n, n);
  bool const even = dice.chance(0.5);
  for (int i = 0; i < n; ++i) {
    double const node = even ? (i + 1.0) / n : dice.between(-1.0, 1.0);
    double power = 1.0;
    for (int j = 0; j < n; ++j, power *= node) problem.at(i, j) = power;
  }
  return problem;
}

/// A reflection I - 2 v v' / v'v, v random: keeps the singular values of a matrix.
struct Reflection {
  std::vector<double> v;
  double norm = 0.0;

  Reflection(Dice& dice, int size) : v(static_cast<std::size_t>(size)) {
    for (double& value : v) {
      value = dice.between(-1.0, 1.0);
      norm += value * value;
    }
  }
  /// entry(k), k from 0: a reference to one of the numbers that are reflected together.
  template <class Entry>
  void apply(Entry const& entry) const {
    double product = 0.0;
    for (std::size_t k = 0; k < v.size(); ++k) product += v[k] * entry(static_cast<int>(k));
    for (std::size_t k = 0; k < v.size(); ++k)
      entry(static_cast<int>(k)) -= 2.0 * v[k] * product / norm;
  }
};

void reflectRows(Dice& dice, DenseProblem& problem) {
  Reflection const reflection(dice, problem.rows);
  for (int j = 0; j < problem.columns; ++j)
    reflection.apply([&](int i) -> double& { return problem.at(i, j); });
}

void reflectColumns(Dice& dice, DenseProblem& problem) {
  Reflection const reflection(dice, problem.columns);
  for (int i = 0; i < problem.rows; ++i)
    reflection.apply([&](int j) -> double& { return problem.at(i, j); });
}

/// m x n with singular values from 1 to 1/condition in geometric order, turned at random.
DenseProblem illConditioned(Dice& dice, int m, int n, double condition) {
  DenseProblem problem(m, n);
  int const rank = std::min(m, n);
  for (int k = 0; k < rank; ++k)
    problem.at(k, k) = std::pow(condition, -static_cast<double>(k) / std::max(1, rank - 1));
  for (int turn = 0; turn < 3; ++turn) {
    reflectRows(dice, problem);
    reflectColumns(dice, problem);
  }
  return problem;
}

/// max sum 2^(n-j) x_j, sum_{j<i} 2^(i-j+1) x_j + x_i <= 5^i (Klee and Minty 1972, as in Chvatal
/// 1983): Dantzig's rule visits all 2^n vertices.
LinearProgram kleeMinty(int n) {
  DenseProblem problem(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) problem.at(i, j) = std::ldexp(1.0, i - j + 1);
    problem.at(i, i) = 1.0;
    problem.lp.rowUpper[i] = std::pow(5.0, i + 1);
    problem.lp.objective[i] = std::ldexp(1.0, n - 1 - i);
  }
  problem.lp.sense = Sense::maximize;
  return problem.finished();
}

/// Costs, rows <= 0 or another right-hand side: the published cycling examples, minimised.
struct CyclingExample {
  std::vector<double> costs;
  std::vector<std::vector<double>> rows;
  std::vector<double> rightHandSides;
};

std::vector<CyclingExample> const& cyclingExamples() {
  static std::vector<CyclingExample> const all = {
      // Beale 1955
      {{-0.75, 20, -0.5, 6}, {{0.25, -8, -1, 9}, {0.5, -12, -0.5, 3}, {0, 0, 1, 0}}, {0, 0, 1}},
      // Beale 1955 with 150 and 1/50, as in Dantzig 1963
      {{-0.75, 150, -0.02, 6},
       {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}},
       {0, 0, 1}},
      // Chvatal 1983, chapter 3
      {{-10, 57, 9, 24}, {{0.5, -5.5, -2.5, 9}, {0.5, -1.5, -0.5, 1}, {1, 0, 0, 0}}, {0, 0, 1}},
      // Kuhn, in Balinski and Tucker 1969
      {{-2, -3, 1, 12}, {{-2, -9, 1, 9}, {1.0 / 3, 1, -1.0 / 3, -2}, {2, 3, -1, -12}}, {0, 0, 2}},
      // Hall and McKinnon 2004; has no optimum
      {{-2.3, -2.15, 13.55, 0.4}, {{0.4, 0.2, -1.4, -0.2}, {-7.8, -1.4, 7.8, 0.4}}, {0, 0}},
      // The same, bounded
      {{-2.3, -2.15, 13.55, 0.4},
       {{0.4, 0.2, -1.4, -0.2}, {-7.8, -1.4, 7.8, 0.4}, {1, 1, 1, 1}},
       {0, 0, 1}},
  };
  return all;
}

/// One or several of the examples, independent of each other, their rows and columns permuted,
/// scaled by powers of two: each can cycle.
LinearProgram cycling(Dice& dice) {
  std::vector<CyclingExample const*> parts;
  for (int k = dice.whole(1, 4); k > 0; --k)
    parts.push_back(&cyclingExamples()[dice.below(static_cast<int>(cyclingExamples().size()))]);
  int m = 0, n = 0;
  for (auto const* part : parts) {
    m += static_cast<int>(part->rows.size());
    n += static_cast<int>(part->costs.size());
  }
  DenseProblem problem(m, n);
  auto const row = dice.shuffled(m), column = dice.shuffled(n);
  bool const tilted = dice.chance(0.5);
  int firstRow = 0, firstColumn = 0;
  for (auto const* part : parts) {
    for (std::size_t i = 0; i < part->rows.size(); ++i) {
      double const factor = std::ldexp(1.0, dice.whole(-3, 3));
      int const to = row[firstRow + static_cast<int>(i)];
      for (std::size_t j = 0; j < part->costs.size(); ++j)
        problem.at(to, column[firstColumn + static_cast<int>(j)]) = factor * part->rows[i][j];
      double const side = part->rightHandSides[i] + (tilted ? 1e-9 * dice.unit() : 0.0);
      problem.lp.rowUpper[to] = factor * side;
    }
    for (std::size_t j = 0; j < part->costs.size(); ++j)
      problem.lp.objective[column[firstColumn + static_cast<int>(j)]] = part->costs[j];
    firstRow += static_cast<int>(part->rows.size());
    firstColumn += static_cast<int>(part->costs.size());
  }
  return problem.finished();
}

/// n x n, whole costs or costs that differ by 1e-9: every vertex is degenerate.
LinearProgram assignment(Dice& dice) {
  int const n = dice.whole(3, 15);
  DenseProblem problem(2 * n, n * n);
  double const noise = dice.chance(0.5) ? 0.0 : 1e-9;
  int const largest = dice.chance(0.5) ? 5 : 1000;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int const column = i * n + j;
      problem.at(i, column) = problem.at(n + j, column) = 1.0;
      problem.lp.objective[column] = dice.whole(0, largest) + noise * dice.unit();
    }
  std::fill(problem.lp.rowLower.begin(), problem.lp.rowLower.end(), 1.0);
  std::fill(problem.lp.rowUpper.begin(), problem.lp.rowUpper.end(), 1.0);
  return problem.finished();
}

LinearProgram illConditionedProblem(Dice& dice, double condition, Rows rows) {
  int const n = dice.whole(5, 40);
  int const m = rows == Rows::equations ? std::max(2, n - dice.whole(0, n / 2)) : n;
  auto const columns =
      rows == Rows::equations && dice.chance(0.7) ? Columns::nonnegative : Columns::boxed;
  return through(dice, illConditioned(dice, m, n, condition), rows, columns);
}

}  // namespace

std::vector<Kind> constructedKinds() {
  auto add = [](std::vector<Kind>& all, std::string const& name, std::string const& what,
                std::function<LinearProgram(Dice&)> make) {
    all.push_back({name, false, what,
                   [make = std::move(make)](Dice& dice, BaseModel const&) { return make(dice); }});
  };
  std::vector<Kind> all;
  add(all, "hilbert-boxed", "Hilbert matrices, n from 4 to 15, 0 <= x <= 2", [](Dice& dice) {
    auto const rows = dice.chance(0.5) ? Rows::equations : Rows::atLeast;
    return through(dice, hilbert(dice.whole(4, 15)), rows, Columns::boxed);
  });
  add(all, "hilbert-free", "Hilbert matrices, n from 4 to 12, x free, equations", [](Dice& dice) {
    return through(dice, hilbert(dice.whole(4, 12)), Rows::equations, Columns::free);
  });
  add(all, "vandermonde", "Vandermonde matrices, n from 4 to 18", [](Dice& dice) {
    auto const rows = dice.chance(0.5) ? Rows::equations : Rows::atLeast;
    int const n = dice.whole(4, 18);
    bool const free = rows == Rows::equations && dice.chance(0.3);
    return through(dice, vandermonde(dice, n), rows, free ? Columns::free : Columns::boxed);
  });
  for (int const digits : {8, 10, 12, 14}) {
    double const condition = std::pow(10.0, digits);
    std::string const text = std::to_string(digits);
    add(all, "illeq" + text, "dense equations of condition 1e" + text, [condition](Dice& dice) {
      return illConditionedProblem(dice, condition, Rows::equations);
    });
    add(all, "ill" + text, "dense inequalities of condition 1e" + text,
        [condition](Dice& dice) { return illConditionedProblem(dice, condition, Rows::atLeast); });
  }
  add(all, "klee-minty", "Klee and Minty's cubes, n from 3 to 25, every pricing rule",
      [](Dice& dice) { return kleeMinty(dice.whole(3, 25)); });
  all.back().everyRule = true;
  add(all, "cycling", "published cycling examples, permuted and put together, every pricing rule",
      cycling);
  all.back().everyRule = true;
  add(all, "assignment", "assignment problems, n from 3 to 15", assignment);
  return all;
}

}  // namespace osi_cuda::stress
