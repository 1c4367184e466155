// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "osi_cuda/host_device.hpp"
#include "osi_cuda/model/linear_program.hpp"
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

  OSI_CUDA_HD double lowerOfColumn(int j) const { return columnLower ? columnLower[j] : 0.0; }
  OSI_CUDA_HD double upperOfColumn(int j) const { return columnUpper ? columnUpper[j] : infinity; }
  OSI_CUDA_HD double lowerOfRow(int i) const { return rowLower ? rowLower[i] : -infinity; }
  OSI_CUDA_HD double upperOfRow(int i) const { return rowUpper ? rowUpper[i] : infinity; }
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

/// How a solve ended. What is not settled is for the ordinary solver.
enum class SmallEnd : std::int32_t {
  optimal,
  infeasible,
  unbounded,
  iterationLimit,
  interrupted,
  invalid,   ///< a number that no problem can have
  unsettled  ///< no proof
};

struct SmallReport {
  SmallEnd end = SmallEnd::unsettled;
  std::int32_t iterations = 0;
  double objective = 0.0;
  double residual =
      0.0;              ///< the largest of the three of an optimum; of a ray's point the primal one
  double margin = 0.0;  ///< of a certificate
};

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

// ---- where things lie in the working memory ---------------------------------------------------

inline constexpr int rowNumbers = 6;     ///< value, lower, upper, weight, entry, change
inline constexpr int columnNumbers = 7;  ///< and the reduced cost

/// Doubles that the vectors of a problem take, the variables' numbers included.
OSI_CUDA_HD inline int vectorDoubles(int m, int n) {
  return rowNumbers * m + columnNumbers * n + (m + n + 1) / 2;
}

/// The working memory of one problem: tableau and states. `product` shares the place of `change`:
/// no rule needs both at a time.
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
    auto const take = [&next](int length) {
      double* const place = next;
      next += length;
      return place;
    };
    p.rows.value = take(m);
    p.rows.lower = take(m);
    p.rows.upper = take(m);
    p.rows.weight = take(m);
    p.rows.entry = take(m);
    p.rows.change = p.rows.product = take(m);
    p.columns.value = take(n);
    p.columns.lower = take(n);
    p.columns.upper = take(n);
    p.columns.reducedCost = take(n);
    p.columns.weight = take(n);
    p.columns.entry = take(n);
    p.columns.change = p.columns.product = take(n);
    p.rows.variable = reinterpret_cast<int*>(next);
    p.columns.variable = p.rows.variable + m;
    return p;
  }
};

}  // namespace osi_cuda::batch
