// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: it tells the rounding errors of products.
#include "osi_cuda/batch/variant_host_team.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "osi_cuda/batch/tableau_kernels.hpp"
#include "osi_cuda/index.hpp"
#include "osi_cuda/model/exact_sums.hpp"

namespace osi_cuda::batch {
namespace {

/// target += factor * source
void addTimes(int length, double factor, double const* source, double* target) {
  for (int k = 0; k < length; ++k) target[k] += factor * source[k];
}
double product(int length, double const* a, double const* b) {
  double sum = 0.0;
  for (int k = 0; k < length; ++k) sum += a[k] * b[k];
  return sum;
}

/// Sums over the lines of a matrix in pairs of doubles: of all entries of line l times the numbers
/// that `of` gives for their indices.
template <class Of>
void sumLines(LinesView const& lines, int count, Of of, double* hi, double* lo, double* terms) {
  for (int l = 0; l < count; ++l) {
    Pair sum;
    double size = 0.0;
    for (std::int64_t e = lines.starts[l]; e < lines.starts[l + 1]; ++e) {
      Pair const factor = of(lines.indices[e]);
      if (factor.hi == 0.0) continue;
      Pair const term = factor * lines.values[e];
      sum = sum + term;
      size += std::fabs(term.hi);
    }
    hi[l] = sum.hi;
    lo[l] = sum.lo;
    if (terms) terms[l] = size;
  }
}

/// A changed coefficient's part in a sum, in place of the one it had.
void replaceTerm(Pair const& factor, VariantCoefficient const& c, double& hi, double& lo,
                 double* terms) {
  Pair const after = factor * c.after, before = factor * c.before;
  Pair const sum = Pair{hi, lo} + (after - before);
  hi = sum.hi;
  lo = sum.lo;
  if (terms) *terms += std::fabs(after.hi) - std::fabs(before.hi);
}

}  // namespace

VariantHostTeam::VariantHostTeam(VariantBase const& base, int capacity,
                                 std::atomic<bool> const& interrupt)
    : OneThread(interrupt), base_(base), capacity_(capacity) {
  memory_.resize(at(VariantPlaces::doubles(base.rows, base.columns, capacity)));
  places_ = VariantPlaces::at(memory_.data(), base.rows, base.columns, capacity);
  problem_ = places_.problemOf(base);
}

void VariantHostTeam::loadBase() {
  int const m = base_.rows, n = base_.columns;
  used_ = 0;
  std::copy_n(base_.objective, n, places_.objective);
  std::copy_n(base_.columnLower, n, places_.columnLower);
  std::copy_n(base_.columnUpper, n, places_.columnUpper);
  std::copy_n(base_.rowLower, m, places_.rowLower);
  std::copy_n(base_.rowUpper, m, places_.rowUpper);
  std::copy_n(base_.rowVariable, m, places_.rows.variable);
  std::copy_n(base_.rowValue, m, places_.rows.value);
  std::copy_n(base_.columnVariable, n, places_.columns.variable);
  std::copy_n(base_.columnValue, n, places_.columns.value);
  std::copy_n(base_.reducedCost, n, places_.columns.reducedCost);
  std::fill_n(places_.live, m + n, std::uint8_t{1});
}

void VariantHostTeam::appendLine() {
  std::copy_n(places_.rows.entry, base_.rows, lineOfU(used_));
  std::copy_n(places_.columns.entry, base_.columns, lineOfV(used_));
  ++used_;
}

// After exchanges the norms at the common basis are those of other lines.
void VariantHostTeam::startWeights(PivotRequest const& request) {
  bool const common = used_ == 0 && request.pricing != Pricing::dantzig;
  int const m = base_.rows, n = base_.columns;
  if (request.algorithm == Algorithm::primal) {
    if (common)
      std::copy_n(base_.columnWeight, n, places_.columns.weight);
    else
      std::fill_n(places_.columns.weight, n, 1.0);
  } else if (common) {
    std::copy_n(base_.rowWeight, m, places_.rows.weight);
  } else {
    std::fill_n(places_.rows.weight, m, 1.0);
  }
}

void VariantHostTeam::column(int q) {
  double* const entry = places_.rows.entry;
  bool const lives = columnLives(q);
  for (int i = 0; i < base_.rows; ++i) entry[i] = lives && rowLives(i) ? rowOfD(i)[q] : 0.0;
  for (int l = 0; l < used_; ++l)
    if (double const v = lineOfV(l)[q]; v != 0.0) addTimes(base_.rows, -v, lineOfU(l), entry);
}

void VariantHostTeam::row(int r) {
  double* const entry = places_.columns.entry;
  if (rowLives(r)) {
    for (int j = 0; j < base_.columns; ++j) entry[j] = columnLives(j) ? rowOfD(r)[j] : 0.0;
  } else {
    std::fill_n(entry, base_.columns, 0.0);
  }
  for (int l = 0; l < used_; ++l)
    if (double const u = lineOfU(l)[r]; u != 0.0) addTimes(base_.columns, -u, lineOfV(l), entry);
}

void VariantHostTeam::combineRows(double const* factor, double* sum) {
  int const m = base_.rows, n = base_.columns;
  for (int i = 0; i < m; ++i) places_.masked[i] = rowLives(i) ? factor[i] : 0.0;
  combineTableauRows(m, n, n, base_.tableau, places_.masked, sum);
  for (int j = 0; j < n; ++j)
    if (!columnLives(j)) sum[j] = 0.0;
  for (int l = 0; l < used_; ++l)
    if (double const s = product(m, lineOfU(l), factor); s != 0.0) addTimes(n, -s, lineOfV(l), sum);
}

void VariantHostTeam::combineColumns() {
  int const m = base_.rows, n = base_.columns;
  double const* const factor = places_.columns.change;
  double* const sum = places_.rows.change;
  int count = 0;  // columns of D that take part
  for (int j = 0; j < n; ++j)
    if (factor[j] != 0.0 && columnLives(j)) places_.list[count++] = j;
  constexpr int few = 8;  // entries of a cache line: with fewer columns most of D is not looked at
  if (count * few < n) {
    for (int i = 0; i < m; ++i) {
      double total = 0.0;
      for (int k = 0; k < count; ++k) total += factor[places_.list[k]] * rowOfD(i)[places_.list[k]];
      sum[i] = total;
    }
  } else {
    for (int j = 0; j < n; ++j) places_.masked[j] = columnLives(j) ? factor[j] : 0.0;
    combineTableauColumns(m, n, n, base_.tableau, places_.masked, sum);
  }
  for (int i = 0; i < m; ++i)
    if (!rowLives(i)) sum[i] = 0.0;
  for (int l = 0; l < used_; ++l)
    if (double const s = product(n, lineOfV(l), factor); s != 0.0) addTimes(m, -s, lineOfU(l), sum);
}

void VariantHostTeam::exchange(Exchange const& x) {
  RowState const rows = places_.rows;
  ColumnState const columns = places_.columns;
  for (int l = 0; l < used_; ++l) lineOfU(l)[x.row] = lineOfV(l)[x.column] = 0.0;
  double* const u = lineOfU(used_);
  double* const v = lineOfV(used_);
  std::copy_n(rows.entry, base_.rows, u);
  u[x.row] = -1.0;
  for (int j = 0; j < base_.columns; ++j) v[j] = columns.entry[j] * x.inverse;
  v[x.column] = x.inverse;
  ++used_;
  places_.live[x.row] = places_.live[base_.rows + x.column] = 0;
  swapStates(x);
}

void VariantHostTeam::activities(double const* x, double const* xLow, double* hi, double* lo,
                                 double* terms) {
  int const m = base_.rows, n = base_.columns;
  auto const of = [&](int j) { return Pair{x[j], xLow ? xLow[j] : 0.0}; };
  bool const full = base_.byRow.starts[m] == std::int64_t{m} * n;
  if (full && !xLow && !terms && exact::available()) {
    for (int i = 0; i < m; ++i) {
      long double const sum = exact::product(at(n), base_.byRow.values + std::int64_t{i} * n, x);
      hi[i] = static_cast<double>(sum);
      lo[i] = static_cast<double>(sum - static_cast<long double>(hi[i]));
    }
  } else {
    sumLines(base_.byRow, m, of, hi, lo, terms);
  }
  for (int c = 0; c < changes_.coefficientCount; ++c) {
    VariantCoefficient const& changed = changes_.coefficients[c];
    replaceTerm(of(changed.column), changed, hi[changed.row], lo[changed.row],
                terms ? terms + changed.row : nullptr);
  }
}

void VariantHostTeam::products(double const* y, double const* yLow, double* hi, double* lo,
                               double* terms) {
  int const m = base_.rows, n = base_.columns;
  auto const of = [&](int i) { return Pair{y[i], yLow ? yLow[i] : 0.0}; };
  bool const full = base_.byRow.starts[m] == std::int64_t{m} * n;
  if (full && !yLow && !terms && exact::available()) {
    std::fill_n(hi, n, 0.0);
    std::fill_n(lo, n, 0.0);
    for (int i = 0; i < m; ++i)
      if (y[i] != 0.0)
        exact::addTimes(at(n), base_.byRow.values + std::int64_t{i} * n, y[i], hi, lo);
  } else {
    sumLines(base_.byColumn, n, of, hi, lo, terms);
  }
  for (int c = 0; c < changes_.coefficientCount; ++c) {
    VariantCoefficient const& changed = changes_.coefficients[c];
    replaceTerm(of(changed.row), changed, hi[changed.column], lo[changed.column],
                terms ? terms + changed.column : nullptr);
  }
}

}  // namespace osi_cuda::batch
