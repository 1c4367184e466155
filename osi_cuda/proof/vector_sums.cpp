// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: a product that is fused with the sum it goes into has no error
// left to be told.
#include "osi_cuda/proof/vector_sums.hpp"

#include <cmath>

// Each sum is written once and compiled twice, with and without the instructions.
#if defined(__x86_64__) && defined(__GNUC__)
#define OSI_CUDA_INLINE [[gnu::always_inline]] inline
#define OSI_CUDA_TWICE(call)                                                                   \
  static bool const vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); \
  if (vectors) [&]() __attribute__((target("avx2,fma"))) {                                     \
      call;                                                                                    \
    }                                                                                          \
  ();                                                                                          \
  else call
#else
#define OSI_CUDA_INLINE inline
#define OSI_CUDA_TWICE(call) call
#endif

namespace osi_cuda::proof {
namespace {

constexpr double tiny = 0x1p-960;        ///< products below it may have lost digits to underflow
constexpr double underflow = 0x1p-1000;  ///< more than they lost, as Sum::errorOf counts

/// hi + lo += a b
OSI_CUDA_INLINE void addEntry(double a, double b, double& hi, double& lo, double& lost) {
  double const p = a * b, rest = __builtin_fma(a, b, -p);
  double const s = hi + p, t = s - hi;
  double const c = ((hi - (s - t)) + (p - t)) + rest;
  hi = s;
  lo += c;
  lost += std::fabs(c);
  if (std::fabs(p) < tiny && a != 0.0 && b != 0.0) lost += underflow;
}

OSI_CUDA_INLINE void addTimesTo(ColumnView const& column, double x, double* __restrict hi,
                                double* __restrict lo, double& lost) {
  double const* __restrict const value = column.values;
  if (column.rows) {
    int const* __restrict const rows = column.rows;
    for (std::size_t k = 0; k < column.length; ++k)
      addEntry(value[k], x, hi[rows[k]], lo[rows[k]], lost);
    return;
  }
  constexpr std::size_t lanes = 8;
  double took[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= column.length; k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      double const a = value[k + l], p = a * x, rest = __builtin_fma(a, x, -p);
      double const s = hi[k + l] + p, t = s - hi[k + l];
      double const c = ((hi[k + l] - (s - t)) + (p - t)) + rest;
      hi[k + l] = s;
      lo[k + l] += c;
      took[l] += std::fabs(c) + (std::fabs(p) < tiny && a != 0.0 ? underflow : 0.0);
    }
  for (std::size_t l = 0; l < lanes; ++l) lost += took[l];
  for (; k < column.length; ++k) addEntry(value[k], x, hi[k], lo[k], lost);
}

OSI_CUDA_INLINE void addProductTo(ColumnView const& column, double const* __restrict y,
                                  DoubleDouble& sum, double& lost) {
  double const* __restrict const value = column.values;
  double hi = sum.hi, lo = sum.lo, gone = lost;
  std::size_t k = 0;
  if (!column.rows) {
    constexpr std::size_t lanes = 16;
    double his[lanes] = {}, los[lanes] = {}, took[lanes] = {};
    for (; k + lanes <= column.length; k += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        double const a = value[k + l], b = y[k + l], p = a * b, rest = __builtin_fma(a, b, -p);
        double const s = his[l] + p, t = s - his[l];
        double const c = ((his[l] - (s - t)) + (p - t)) + rest;
        his[l] = s;
        los[l] += c;
        took[l] += std::fabs(c) + (std::fabs(p) < tiny && a != 0.0 && b != 0.0 ? underflow : 0.0);
      }
    for (std::size_t l = 0; l < lanes; ++l) {
      addEntry(his[l], 1.0, hi, lo, gone);
      lo += los[l];
      gone += took[l] + std::fabs(los[l]);
    }
  }
  for (; k < column.length; ++k)
    addEntry(value[k], y[column.rows ? static_cast<std::size_t>(column.rows[k]) : k], hi, lo, gone);
  sum = {hi, lo};
  lost = gone;
}

OSI_CUDA_INLINE void addVectorsTo(std::size_t length, double const* __restrict otherHi,
                                  double const* __restrict otherLo, double* __restrict hi,
                                  double* __restrict lo, double& lost) {
  double took = 0.0;
  for (std::size_t k = 0; k < length; ++k) {
    double const s = hi[k] + otherHi[k], t = s - hi[k];
    double const c = ((hi[k] - (s - t)) + (otherHi[k] - t)) + otherLo[k];
    lo[k] += c;
    hi[k] = s;
    took += std::fabs(c);
  }
  lost += took;
}

/// Whether a column is long enough for several entries at a time, and without gaps.
OSI_CUDA_INLINE bool isRun(int const* rows, std::int64_t length) {
  constexpr std::int64_t worthVectors = 32;
  if (length < worthVectors || rows[length - 1] - rows[0] != length - 1) return false;
  int scattered = 0;
  for (std::int64_t k = 0; k < length; ++k) scattered |= rows[k] ^ (rows[0] + static_cast<int>(k));
  return scattered == 0;
}

OSI_CUDA_INLINE void addColumnsTo(ColumnsView const& columns, int first, int last,
                                  double const* __restrict x, double* __restrict hi,
                                  double* __restrict lo, double& lost, double const* __restrict y,
                                  double const* __restrict yLow, DoubleDouble* __restrict product,
                                  double* __restrict error) {
  double gone = 0.0;
  auto const take = [&](int j, DoubleDouble const& sum, double own) {
    auto const length = static_cast<std::size_t>(columns.starts[j + 1] - columns.starts[j]);
    Bounded const whole = boundedProduct(sum, own, (yLow ? 2 : 1) * length);
    product[j] = whole.value;
    error[j] = whole.error;
  };
  for (int j = first; j < last; ++j) {
    std::int64_t const begin = columns.starts[j], end = columns.starts[j + 1];
    int const* const rows = columns.rows + begin;
    if (isRun(rows, end - begin)) {
      ColumnView const run{static_cast<std::size_t>(end - begin), columns.values + begin, nullptr};
      if (y) {
        DoubleDouble sum;
        double own = 0.0;
        addProductTo(run, y + rows[0], sum, own);
        if (yLow) addProductTo(run, yLow + rows[0], sum, own);
        take(j, sum, own);
      }
      if (x && x[j] != 0.0) addTimesTo(run, x[j], hi + rows[0], lo + rows[0], gone);
      continue;
    }
    double const* const value = columns.values;
    if (y) {
      double sumHi = 0.0, sumLo = 0.0, own = 0.0;
      for (std::int64_t e = begin; e < end; ++e)
        addEntry(value[e], y[columns.rows[e]], sumHi, sumLo, own);
      for (std::int64_t e = begin; yLow && e < end; ++e)
        addEntry(value[e], yLow[columns.rows[e]], sumHi, sumLo, own);
      take(j, {sumHi, sumLo}, own);
    }
    if (!x || x[j] == 0.0) continue;
    for (std::int64_t e = begin; e < end; ++e) {
      int const i = columns.rows[e];
      addEntry(value[e], x[j], hi[i], lo[i], gone);
    }
  }
  lost += gone;
}

}  // namespace

void addTimes(ColumnView const& column, double x, double* hi, double* lo, double& lost) {
  OSI_CUDA_TWICE(addTimesTo(column, x, hi, lo, lost));
}
void addProduct(ColumnView const& column, double const* y, DoubleDouble& sum, double& lost) {
  OSI_CUDA_TWICE(addProductTo(column, y, sum, lost));
}
void addVectors(std::size_t length, double const* otherHi, double const* otherLo, double* hi,
                double* lo, double& lost) {
  OSI_CUDA_TWICE(addVectorsTo(length, otherHi, otherLo, hi, lo, lost));
}
void addColumns(ColumnsView const& columns, int first, int last, double const* x, double* hi,
                double* lo, double& lost, double const* y, double const* yLow,
                DoubleDouble* product, double* error) {
  OSI_CUDA_TWICE(addColumnsTo(columns, first, last, x, hi, lo, lost, y, yLow, product, error));
}

}  // namespace osi_cuda::proof
