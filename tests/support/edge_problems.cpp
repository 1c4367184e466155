// SPDX-License-Identifier: EPL-2.0
#include "tests/support/edge_problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::testing {
namespace {

using Row = std::vector<double>;

/// A problem by dense rows, x >= 0.
struct DenseRows {
  std::vector<Row> rows;
  std::vector<double> lower, upper, cost, columnLower, columnUpper;

  explicit DenseRows(int columns)
      : cost(at(columns)), columnLower(at(columns), 0.0), columnUpper(at(columns), infinity) {}
  void add(Row row, double low, double high) {
    rows.push_back(std::move(row));
    lower.push_back(low);
    upper.push_back(high);
  }
  LinearProgram made() const {
    LinearProgram lp;
    for (std::size_t i = 0; i < rows.size(); ++i) lp.addRow(lower[i], upper[i]);
    for (std::size_t j = 0; j < cost.size(); ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i][j] != 0.0) lp.matrix.add(static_cast<int>(i), rows[i][j]);
      lp.endColumn(cost[j], columnLower[j], columnUpper[j]);
    }
    return lp;
  }
};

/// Multiples of 2^-16: their products and sums are exact, so that what is to cancel cancels.
double number(Random& random, double low, double high) {
  return std::round(random.between(low, high) * 0x1p16) * 0x1p-16;
}
Row numbers(Random& random, int count, double low, double high) {
  Row row(at(count));
  for (double& value : row) value = number(random, low, high);
  return row;
}

double product(Row const& a, Row const& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// The last row, a combination of the others, asks for less than they sum to, by `share` of 1 +
/// |bound| of all. There is a point inside of the columns' bounds with what the others ask for, so
/// that other combinations prove less.
LinearProgram combined(Random& random, double share, double scale, bool equal) {
  int const columns = random.whole(3, 8), rows = random.whole(1, columns - 1);
  DenseRows made(columns);
  made.cost = numbers(random, columns, 0.1, 1.0);
  Row const point = numbers(random, columns, 0.1 * scale, scale);
  Row sum(at(columns), 0.0);
  double least = 0.0, reach = 0.0;
  for (int i = 0; i < rows; ++i) {
    Row const row = numbers(random, columns, -1.0, 1.0);
    double const weight = (equal ? random.sign() : 1.0) * number(random, 0.5, 1.5),
                 side = product(row, point);
    made.add(row, side, equal ? side : infinity);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weight * row[j];
    least += weight * side;
    reach += std::fabs(weight) * (1.0 + std::fabs(side));
  }
  double const gap = share * (reach + 1.0 + std::fabs(least)) / (1.0 - share);
  made.add(sum, -infinity, least - gap);
  return made.made();
}

/// Supplies and demands whose sums differ.
LinearProgram transport(Random& random, double share, double scale) {
  int const m = random.whole(2, 6), n = random.whole(2, 6);
  DenseRows made(m * n);
  made.cost = numbers(random, m * n, 0.0, 1.0);
  Row const amounts = numbers(random, m * n, 0.1 * scale, scale);
  double reach = 0.0, supplied = 0.0;
  std::vector<double> supply(at(m)), demand(at(n));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      supply[at(i)] += amounts[at(i * n + j)];
      demand[at(j)] += amounts[at(i * n + j)];
    }
  for (double const side : supply) reach += 1.0 + side;
  for (double const side : demand) reach += 1.0 + side;
  for (double const side : supply) supplied += side;
  double rest = supplied;
  for (double const side : demand) rest -= side;
  demand[0] += rest + share * reach / (1.0 - share);
  for (int i = 0; i < m + n; ++i) {
    Row row(at(m * n), 0.0);
    for (int k = 0; k < (i < m ? n : m); ++k) row[at(i < m ? i * n + k : k * n + i - m)] = 1.0;
    double const side = i < m ? supply[at(i)] : demand[at(i - m)];
    made.add(std::move(row), side, side);
  }
  return made.made();
}

LinearProgram slab(Random& random, double share, double scale, bool column) {
  int const n = random.whole(2, 5);
  DenseRows made(n);
  made.cost = numbers(random, n, 0.1, 1.0);
  double const lower = random.unit() * scale,
               upper = (lower - share * (2.0 + lower)) / (1.0 + share);
  Row const row = numbers(random, n, 0.1, 1.0);
  if (column) {
    made.add(row, lower, infinity);
    made.columnLower[0] = lower;
    made.columnUpper[0] = upper;
  } else {
    made.add(row, lower, infinity);
    made.add(row, -infinity, upper);
  }
  return made.made();
}

/// The only direction without end, along which the objective improves by `share` of 1 + |cost| of
/// all; `free`: every other column is free.
LinearProgram improving(Random& random, double share, bool free) {
  int const columns = random.whole(2, 6), rows = random.whole(0, 4);
  DenseRows made(columns + 1);
  Row const point = numbers(random, columns, 0.5, 1.5), costs = numbers(random, columns, 0.1, 1.0);
  Row weights = numbers(random, columns, 0.5, 1.5);
  double reach = 0.0;
  for (int j = 0; j < columns; ++j) {
    if (free && j % 2 == 0) {
      weights[at(j)] *= random.sign();
      made.columnLower[at(j)] = -infinity;
    }
    made.cost[at(j)] = costs[at(j)];
    reach += std::fabs(weights[at(j)]) * (1.0 + costs[at(j)]);
    Row row(at(columns) + 1, 0.0);
    row[at(j)] = 1.0;
    row.back() = -weights[at(j)];
    made.add(std::move(row), -2.0, 2.0);
  }
  double const along = product(weights, costs);
  made.cost.back() = -along - share * (reach + 1.0 + std::fabs(along)) / (1.0 - share);
  for (int i = 0; i < rows; ++i) {
    Row row = numbers(random, columns, 0.0, 1.0);
    double const side = product(row, point);
    row.push_back(-product(row, weights));
    made.add(std::move(row), side, infinity);
  }
  return made.made();
}

}  // namespace

EdgeProblem edgeProblem(Random& random) {
  constexpr std::array families{"combination", "equations", "transport",     "slab",
                                "crossed",     "improving", "improving-free"};
  constexpr std::array tolerances{1e-9, 1e-7, 1e-6, 1e-4}, scales{1.0, 1.0, 1e3, 1e6};
  int const family = random.below(static_cast<int>(families.size()));
  EdgeProblem made{families[at(family)],
                   {},
                   tolerances[at(random.below(4))],
                   0.0,
                   family < 5 ? Status::infeasible : Status::unbounded};
  double const scale = scales[at(random.below(4))];
  do made.times = random.power(-3.0, 3.0);
  while (std::fabs(made.times - 1.0) < 0.1);
  double const share = made.times * made.tolerance;
  made.lp = family <= 1   ? combined(random, share, scale, family == 1)
            : family == 2 ? transport(random, share, scale)
            : family <= 4 ? slab(random, share, scale, family == 4)
                          : improving(random, share, family == 6);
  return made;
}

}  // namespace osi_cuda::testing
