// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: it tells the rounding errors of products.
#include "osi_cuda/batch/variant_host_team.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/tableau_kernels.hpp"
#include "osi_cuda/proof/bounded.hpp"

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

/// The sum over line l of a matrix: of all entries, with the changes made, times the numbers that
/// `of` gives for their indices.
LineSum sumLine(LinesView const& lines, int l, LineChanges const& changes, auto of) {
  LineSum line;
  auto const add = [&](int index, double entry) {
    Pair const factor = of(index);
    if (factor.hi == 0.0) return;
    Pair const term = factor * entry;
    line.sum = line.sum + term;
    line.terms += std::fabs(term.hi);
  };
  for (std::int64_t e = lines.starts[l]; e < lines.starts[l + 1]; ++e)
    add(lines.indices[e], changes.kept(lines.indices[e], lines.values[e]));
  for (int c = 0; c < changes.count; ++c) add(changes.first[c].index, changes.first[c].after);
  return line;
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

void VariantHostTeam::startLines(StartWork const& work, int pairs) {
  int const n = base_.columns;
  double* const line = places_.masked;
  std::fill_n(lineOfV(used_), std::ptrdiff_t(pairs) * n, 0.0);
  for (int other = 0; other < pairs; ++other) {
    int const r = work.row[work.ofRow[other]];
    std::copy_n(rowOfD(r), n, line);
    for (int l = 0; l < used_; ++l)
      if (double const u = lineOfU(l)[r]; u != 0.0) addTimes(n, -u, lineOfV(l), line);
    for (int l = 0; l < pairs; ++l)
      if (double const s = work.inverse(l, other); s != 0.0)
        addTimes(n, s, line, lineOfV(used_ + l));
  }
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

double VariantHostTeam::activities(double const* x, double const* xLow, double* hi, double* lo,
                                   double* terms) {
  int const m = base_.rows, n = base_.columns;
  auto const of = [&](int j) { return Pair{x[j], xLow ? xLow[j] : 0.0}; };
  bool const whole = full() && !xLow;
  double largest = 0.0;
  for (int i = 0; i < m; ++i) {
    LineChanges const changes = changes_.ofRow(i);
    LineSum const line = whole && changes.count == 0
                             ? sumOfProducts(n, base_.byRow.values + std::int64_t{i} * n, x)
                             : sumLine(base_.byRow, i, changes, of);
    hi[i] = line.sum.hi;
    lo[i] = line.sum.lo;
    if (terms) terms[i] = line.terms;
    largest = proof::worse(largest, line.terms);
  }
  return largest;
}

double VariantHostTeam::products(double const* y, double const* yLow, double* hi, double* lo,
                                 double* terms) {
  int const m = base_.rows, n = base_.columns;
  auto const of = [&](int i) { return Pair{y[i], yLow ? yLow[i] : 0.0}; };
  bool const whole = full() && !yLow;
  terms_.resize(at(n));
  double* const sizes = terms ? terms : terms_.data();
  if (whole) {
    for (double* array : {hi, lo, sizes}) std::fill_n(array, n, 0.0);
    for (int i = 0; i < m; ++i)
      if (y[i] != 0.0)
        addProducts(n, base_.byRow.values + std::int64_t{i} * n, y[i], hi, lo, sizes);
  }
  double largest = 0.0;
  for (int j = 0; j < n; ++j) {
    LineChanges const changes = changes_.ofColumn(j);
    LineSum const line = whole && changes.count == 0
                             ? LineSum{double_double::twoSum(hi[j], lo[j]), sizes[j]}
                             : sumLine(base_.byColumn, j, changes, of);
    hi[j] = line.sum.hi;
    lo[j] = line.sum.lo;
    sizes[j] = line.terms;
    largest = proof::worse(largest, line.terms);
  }
  return largest;
}

}  // namespace osi_cuda::batch
