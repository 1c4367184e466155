// SPDX-License-Identifier: EPL-2.0
#include "tests/support/dense_family.hpp"

#include <cmath>

#include "tests/support/random.hpp"

namespace osi_cuda::testing {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

void sizeVectors(LinearProgram& lp, int rows, int columns) {
  lp.matrix.rows = rows;
  lp.matrix.columns = columns;
  lp.objective.assign(at(columns), 0.0);
  lp.columnLower.assign(at(columns), 0.0);
  lp.columnUpper.assign(at(columns), infinity);
  lp.rowLower.assign(at(rows), -infinity);
  lp.rowUpper.assign(at(rows), infinity);
}

}  // namespace

LinearProgram denseLp(int rows, int columns, std::uint64_t seed, bool origin) {
  Random draw(seed);
  LinearProgram lp;
  lp.sense = Sense::maximize;
  sizeVectors(lp, rows, columns);
  std::vector<double> y(at(rows)), x(at(columns));
  for (double& value : y) value = draw.unit();
  for (double& value : x) value = origin ? 0.0 : draw.unit();
  for (int i = 0; i < rows; ++i)
    lp.rowUpper[at(i)] = draw.unit() * 0.25 * std::sqrt(columns) + 1e-3;
  for (int j = 0; j < columns; ++j) {
    double cost = -(draw.unit() + 1e-3);
    for (int i = 0; i < rows; ++i) {
      double const a = 2.0 * draw.unit() - 1.0;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(a);
      lp.rowUpper[at(i)] += a * x[at(j)];
      cost += a * y[at(i)];
    }
    lp.objective[at(j)] = cost;
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  return lp;
}

LinearProgram positiveLp(int rows, int columns, std::uint64_t seed, bool covering) {
  Random draw(seed);
  LinearProgram lp;
  lp.sense = covering ? Sense::minimize : Sense::maximize;
  sizeVectors(lp, rows, columns);
  lp.objective.assign(at(columns), 1.0);
  (covering ? lp.rowLower : lp.rowUpper).assign(at(rows), columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(draw.unit());
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  return lp;
}

LinearProgram sparseLp(int rows, int columns, int perColumn, std::uint64_t seed) {
  Random draw(seed);
  auto const below = [&](int n) {  // seeds have always had this one's sequences
    return static_cast<int>(draw() % static_cast<std::uint64_t>(n));
  };
  LinearProgram lp;
  sizeVectors(lp, rows, columns);
  std::vector<double> activity(at(rows), 0.0), y(at(rows));
  for (double& value : y) value = below(3) == 0 ? 2.0 * draw.unit() - 1.0 : 0.0;
  std::vector<double> x(at(columns));
  for (int j = 0; j < columns; ++j) {
    double product = 0.0;
    std::vector<char> taken(at(rows), 0);
    for (int e = 0; e < perColumn && e < rows; ++e) {
      int const i = below(rows);
      if (taken[at(i)]) continue;
      taken[at(i)] = 1;
      double const a = (2.0 * draw.unit() - 1.0) * std::pow(10.0, 2.0 * draw.unit() - 1.0);
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(a);
      product += a * y[at(i)];
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    double const reducedCost = below(2) == 0 ? 2.0 * draw.unit() - 1.0 : 0.0;
    x[at(j)] = std::floor(10.0 * draw.unit());
    lp.objective[at(j)] = product + reducedCost;
    int const kind = below(10);
    if (reducedCost > 0.0) {
      lp.columnLower[at(j)] = x[at(j)];
      lp.columnUpper[at(j)] = kind < 3 ? x[at(j)] + 5.0 : infinity;
    } else if (reducedCost < 0.0) {
      lp.columnUpper[at(j)] = x[at(j)];
      lp.columnLower[at(j)] = kind < 3 ? x[at(j)] - 5.0 : -infinity;
    } else if (kind == 0) {
      lp.columnLower[at(j)] = lp.columnUpper[at(j)] = x[at(j)];
    } else if (kind < 3) {
      lp.columnLower[at(j)] = -infinity;
    } else {
      lp.columnLower[at(j)] = x[at(j)] - (kind < 6 ? 1.0 : 0.0);
      lp.columnUpper[at(j)] = kind < 8 ? x[at(j)] + 2.0 : infinity;
    }
    for (std::int64_t e = lp.matrix.starts[at(j)]; e < lp.matrix.starts[at(j + 1)]; ++e)
      activity[at(lp.matrix.indices[static_cast<std::size_t>(e)])] +=
          lp.matrix.values[static_cast<std::size_t>(e)] * x[at(j)];
  }
  for (int i = 0; i < rows; ++i) {
    double const width = below(2) == 0 ? 0.0 : draw.unit();  // many tight: degenerate
    if (y[at(i)] > 0.0) {
      lp.rowLower[at(i)] = activity[at(i)];
      if (below(4) == 0) lp.rowUpper[at(i)] = activity[at(i)] + width;
    } else if (y[at(i)] < 0.0) {
      lp.rowUpper[at(i)] = activity[at(i)];
      if (below(4) == 0) lp.rowLower[at(i)] = activity[at(i)] - width;
    } else {
      lp.rowUpper[at(i)] = activity[at(i)] + width;
      if (below(3) == 0) lp.rowLower[at(i)] = activity[at(i)] - width;
    }
  }
  return lp;
}

}  // namespace osi_cuda::testing
