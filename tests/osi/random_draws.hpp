// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <random>
#include <vector>

#include "CoinFinite.hpp"
#include "CoinPackedMatrix.hpp"
#include "CoinPackedVector.hpp"
#include "OsiSolverInterface.hpp"

namespace osi_cuda::testing {

/// What random sequences of changes are drawn from; the same for a seed on every platform.
class RandomDraws {
 protected:
  explicit RandomDraws(unsigned seed) : random_(seed) {}

  /// 0 to limit - 1.
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  /// A number for costs and coefficients; among scaled ones a third of any size.
  double number() {
    double const digits = below(19) - 9;
    return scaled_ && below(3) == 0 ? digits * std::pow(10.0, below(7) - 3) : digits;
  }

  CoinPackedVector vectorOf(int size) {
    CoinPackedVector vector;
    int const rarity = size > denseUpTo_ ? 6 : 3;
    for (int i = 0; i < size; ++i)
      if (below(rarity) == 0)
        if (double const a = number(); a != 0.0) vector.insert(i, a);
    return vector;
  }

  /// Up to `most` different numbers below `size`, ascending.
  std::vector<int> someOf(int size, int most) {
    std::vector<int> chosen;
    for (int k = below(most + 1); k > 0 && size > 0; --k) chosen.push_back(below(size));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }

  /// Row bounds around the activity of a point within the boxes, so that many rows can be kept.
  void rowBounds(CoinPackedVector const& row, double& lower, double& upper) {
    double activity = 0.0;
    for (int k = 0; k < row.getNumElements(); ++k) activity += row.getElements()[k];
    int const kind = below(5);
    lower = kind == 0 ? -COIN_DBL_MAX : activity - below(6);
    upper = kind == 1 ? COIN_DBL_MAX : activity + below(6);
    if (kind == 2) lower = upper = activity;
  }

  void columnBounds(double& lower, double& upper) {
    int const kind = below(8);
    lower = kind == 0 ? -5.0 : kind == 1 ? -COIN_DBL_MAX : 0.0;
    upper = kind == 2 ? COIN_DBL_MAX : 1.0 + below(10);
    if (kind == 3) lower = upper = 1.0;
  }
  /// The same for a column of a problem; behind an optimum now and then as branching does.
  void columnBounds(OsiSolverInterface const& problem, int column, double& lower, double& upper) {
    columnBounds(lower, upper);
    if (below(2) == 0 || !problem.isProvenOptimal()) return;
    double const x = problem.getColSolution()[column];
    (below(2) ? upper : lower) = std::floor(x);
    if (lower > upper) lower = upper - below(3);
  }

  struct Rows {
    std::vector<CoinPackedVector> rows;
    std::vector<double> lower, upper;

    void addTo(OsiSolverInterface& problem) const {
      std::vector<CoinPackedVectorBase const*> pointers;
      for (CoinPackedVector const& row : rows) pointers.push_back(&row);
      problem.addRows(static_cast<int>(rows.size()), pointers.data(), lower.data(), upper.data());
    }
  };
  Rows rowsOf(int count, int columns) {
    Rows drawn;
    for (int i = 0; i < count; ++i) {
      drawn.rows.push_back(vectorOf(columns));
      rowBounds(drawn.rows.back(), drawn.lower.emplace_back(), drawn.upper.emplace_back());
    }
    return drawn;
  }

  struct Problem {
    CoinPackedMatrix matrix{false, 0, 0};
    Rows rows;
    std::vector<double> lower, upper, cost;

    void loadInto(OsiSolverInterface& solver) const {
      solver.loadProblem(matrix, lower.data(), upper.data(), cost.data(), rows.lower.data(),
                         rows.upper.data());
    }
  };
  Problem problemOf(int rows, int columns) {
    Problem drawn;
    drawn.matrix.setDimensions(0, columns);
    drawn.rows = rowsOf(rows, columns);
    for (CoinPackedVector const& row : drawn.rows.rows) drawn.matrix.appendRow(row);
    for (int j = 0; j < columns; ++j) {
      columnBounds(drawn.lower.emplace_back(), drawn.upper.emplace_back());
      drawn.cost.push_back(number());
    }
    return drawn;
  }

  bool scaled_ = false;
  int denseUpTo_ = INT_MAX;  ///< longer vectors have a sixth of all entries, others a third

 private:
  std::mt19937 random_;
};

}  // namespace osi_cuda::testing
