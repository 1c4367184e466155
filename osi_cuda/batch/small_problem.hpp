// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/base/host_device.hpp"
#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/model/large_bounds.hpp"
#include "osi_cuda/simplex/pivoting.hpp"
#include "osi_cuda/simplex/team.hpp"

/// One problem of a batch, as one thread of the processor or one block of a device solves it.
namespace osi_cuda::batch {

/// A problem as it lies in memory: dense, by rows. An array of bounds that is null has everywhere
/// the usual one: 0 <= x, and rows without bounds.
struct SmallProblem {
  int rows = 0, columns = 0;
  double const* matrix = nullptr;  ///< rows x columns, row by row
  double const* objective = nullptr;
  double const* columnLower = nullptr;
  double const* columnUpper = nullptr;
  double const* rowLower = nullptr;
  double const* rowUpper = nullptr;
  double sign = 1.0;  ///< -1: maximise
  double offset = 0.0;
  double infiniteFrom = infinity;  ///< as in BatchProblems

  OSI_CUDA_HD double lowerOfColumn(int j) const { return bound(columnLower, j, 0.0); }
  OSI_CUDA_HD double upperOfColumn(int j) const { return bound(columnUpper, j, infinity); }
  OSI_CUDA_HD double lowerOfRow(int i) const { return bound(rowLower, i, -infinity); }
  OSI_CUDA_HD double upperOfRow(int i) const { return bound(rowUpper, i, infinity); }

 private:
  OSI_CUDA_HD double bound(double const* bounds, int k, double absent) const {
    return bounds ? withInfinity(bounds[k], infiniteFrom) : absent;
  }
};

/// What a solve is told, the same for all problems of a batch.
struct SmallSettings {
  double tolerance = 1e-9;  ///< of the pivot loops, for bounds and reduced costs
  double accepted = 1e-9;   ///< residuals of an optimum at most
  double certain = 1e-9;    ///< margin of a certificate at least
  Pricing primal = Pricing::devex, dual = Pricing::devex;
  int iterationLimit = 0;  ///< of each problem; 0: none but what says that it goes in circles
  std::uint64_t seed = 1;
};

/// How a solve ended. What is `numerical` has no proof yet, and is for the ordinary solver;
/// `interrupted` is also what nobody has begun.
struct SmallReport {
  BatchStatus end = BatchStatus::numerical;
  std::int32_t iterations = 0;
  double objective = 0.0;
  double residual =
      0.0;              ///< the largest of the three of an optimum; of a ray's point the primal one
  double margin = 0.0;  ///< of a certificate
};

/// Whether pivots that a limit ended have left their basis, with its point and multipliers.
OSI_CUDA_HD inline bool hasBasis(BatchStatus end) {
  return end == BatchStatus::iterationLimit || end == BatchStatus::objectiveLimit;
}

/// Where the answer goes. Arrays of the problem's lengths; each is written only by those ends that
/// say so, the others leave it alone.
struct SmallAnswer {
  double* x = nullptr;       ///< optimal and unbounded: the point, length n
  double* y = nullptr;       ///< optimal: row duals; infeasible: Farkas multipliers, length m
  double* yLow = nullptr;    ///< infeasible: what rounding took from them
  double* ray = nullptr;     ///< unbounded, length n
  double* rayLow = nullptr;  ///< what rounding took from it
  std::uint8_t* columnStatus = nullptr;  ///< VariableStatus, optimal and unbounded, length n
  std::uint8_t* rowStatus = nullptr;     ///< length m
};

/// The bound that x is nearer to; x itself where both are infinite.
OSI_CUDA_HD inline double nearBound(double lower, double upper, double x) {
  bool const isLower = lower > -infinity, isUpper = upper < infinity;
  if (!isLower && !isUpper) return x;
  return !isUpper || (isLower && x - lower <= upper - x) ? lower : upper;
}

// ---- where things lie in the working memory ---------------------------------------------------

inline constexpr int rowNumbers = 6;     ///< value, lower, upper, weight, entry, change
inline constexpr int columnNumbers = 7;  ///< and the reduced cost

/// Doubles that the vectors of a problem take, the variables' numbers included.
OSI_CUDA_HD inline int vectorDoubles(int m, int n) {
  return rowNumbers * m + columnNumbers * n + (m + n + 1) / 2;
}

/// Lays the states out but for the variables' numbers; take(length) is the next place. `product`
/// shares the place of `change`: no rule needs both at a time.
OSI_CUDA_HD void placeStates(RowState& rows, ColumnState& columns, int m, int n, auto take) {
  rows.value = take(m);
  rows.lower = take(m);
  rows.upper = take(m);
  rows.weight = take(m);
  rows.entry = take(m);
  rows.change = rows.product = take(m);
  columns.value = take(n);
  columns.lower = take(n);
  columns.upper = take(n);
  columns.reducedCost = take(n);
  columns.weight = take(n);
  columns.entry = take(n);
  columns.change = columns.product = take(n);
}

/// The working memory of one problem: tableau and states.
struct SmallPlaces {
  double* tableau = nullptr;  ///< T, row i at i stride
  int stride = 0;
  RowState rows;
  ColumnState columns;

  /// Lays out vectors of vectorDoubles(m, n).
  OSI_CUDA_HD static SmallPlaces at(double* tableau, int stride, double* vectors, int m, int n) {
    SmallPlaces p;
    p.tableau = tableau;
    p.stride = stride;
    double* next = vectors;
    placeStates(p.rows, p.columns, m, n, [&next](int length) {
      double* const place = next;
      next += length;
      return place;
    });
    p.rows.variable = reinterpret_cast<int*>(next);
    p.columns.variable = p.rows.variable + m;
    return p;
  }
};

}  // namespace osi_cuda::batch
