// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: it tells the rounding errors of products.
#include "osi_cuda/batch/host_team.hpp"

#include <algorithm>
#include <cstdint>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/tableau_kernels.hpp"
#include "osi_cuda/proof/bounded.hpp"
#include "osi_cuda/simplex/weights.hpp"

namespace osi_cuda::batch {
void HostTeam::take(SmallProblem const& problem) {
  problem_ = problem;
  constexpr int lane = 8;  // doubles of a cache line
  int const m = problem.rows, n = problem.columns;
  int const stride = (n + lane - 1) / lane * lane;
  std::size_t const tableau = at(m) * at(stride);
  std::size_t const needed = tableau + at(vectorDoubles(m, n)) + lane;
  if (memory_.size() < needed) memory_.resize(needed);
  auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
  double* const begin = memory_.data() + (64 - address % 64) % 64 / sizeof(double);
  places_ = SmallPlaces::at(begin, stride, begin + tableau, m, n);
  ratios_.resize(at(n));
  mask_.resize(at(n));
}

bool HostTeam::load() {
  int const m = problem_.rows, n = problem_.columns;
  double sum = 0.0;  // stays zero as long as all entries are numbers
  for (int i = 0; i < m; ++i) {
    double const* const source = problem_.matrix + at(i) * at(n);
    double* const target = tableauRow(i);
    for (int j = 0; j < n; ++j) {
      target[j] = source[j];
      sum += 0.0 * source[j];
    }
  }
  return sum == 0.0;
}

void HostTeam::startWeights(PivotRequest const& request) {
  bool const primal = request.algorithm == Algorithm::primal;
  bool const follows = keeps<Weights::sketched>(request.pricing);
  bool const exact = follows || keeps<Weights::exact>(request.pricing);
  exactColumns_ = primal && follows;
  exactRows_ = !primal && follows;
  if (primal && exact)
    columnNorms(problem_.rows, problem_.columns, places_.stride, places_.tableau,
                places_.columns.weight);
  else if (primal)
    std::fill_n(places_.columns.weight, problem_.columns, 1.0);
  else if (exact)
    formRowWeights();
  else
    std::fill_n(places_.rows.weight, problem_.rows, 1.0);
}

void HostTeam::formRowWeights() {
  markSlacks();
  rowNorms(problem_.rows, problem_.columns, places_.stride, places_.tableau, mask_.data(),
           places_.rows.weight);
  completeRowWeights();
}
void HostTeam::markSlacks() {
  for (int j = 0; j < problem_.columns; ++j)
    mask_[at(j)] = slack(places_.columns.variable[j]) ? 1.0 : 0.0;
}
// ||e_i'B^-1||^2 has a unit more where the basic variable is a slack itself.
void HostTeam::completeRowWeights() {
  for (int i = 0; i < problem_.rows; ++i) {
    double const unit = slack(places_.rows.variable[i]) ? 1.0 : 0.0;
    places_.rows.weight[i] = std::max(places_.rows.weight[i] + unit, rules::leastRowWeight);
  }
}

void HostTeam::column(int q) {
  for (int i = 0; i < problem_.rows; ++i) places_.rows.entry[i] = tableauRow(i)[q];
}
void HostTeam::row(int r) {
  std::copy_n(tableauRow(r), problem_.columns, places_.columns.entry);
}
void HostTeam::combineRows() {
  combineTableauRows(problem_.rows, problem_.columns, places_.stride, places_.tableau,
                     places_.rows.change, places_.columns.change);
}
void HostTeam::combineColumns() {
  combineTableauColumns(problem_.rows, problem_.columns, places_.stride, places_.tableau,
                        places_.columns.change, places_.rows.change);
}
void HostTeam::steepestProducts() {
  combineTableauRows(problem_.rows, problem_.columns, places_.stride, places_.tableau,
                     places_.rows.entry, places_.columns.product);
}
void HostTeam::exchange(Exchange const& x) {
  RowState const rows = places_.rows;
  ColumnState const columns = places_.columns;
  for (int j = 0; j < problem_.columns; ++j) ratios_[at(j)] = columns.entry[j] * x.inverse;
  ratios_[at(x.column)] = x.inverse;
  swapStates(x);
  if (exactRows_) markSlacks();
  exchangeTableau(problem_.rows, problem_.columns, places_.stride, places_.tableau, rows.entry,
                  ratios_.data(), x.row, x.column, exactColumns_ ? columns.weight : nullptr,
                  mask_.data(), exactRows_ ? rows.weight : nullptr);
  if (exactRows_) completeRowWeights();
}

double HostTeam::activities(double const* x, double const* xLow, double* hi, double* lo,
                            double* terms) {
  int const n = problem_.columns;
  double largest = 0.0;
  for (int i = 0; i < problem_.rows; ++i) {
    double const* const row = problem_.matrix + at(i) * at(n);
    LineSum line = sumOfProducts(n, row, x);
    if (xLow) {
      LineSum const low = sumOfProducts(n, row, xLow);
      line = {line.sum + low.sum, line.terms + low.terms};
    }
    hi[i] = line.sum.hi;
    lo[i] = line.sum.lo;
    if (terms) terms[i] = line.terms;
    largest = proof::worse(largest, line.terms);
  }
  return largest;
}

double HostTeam::products(double const* y, double const* yLow, double* hi, double* lo,
                          double* terms) {
  int const n = problem_.columns;
  terms_.resize(at(n));
  double* const sizes = terms ? terms : terms_.data();
  for (double* array : {hi, lo, sizes}) std::fill_n(array, n, 0.0);
  for (int i = 0; i < problem_.rows; ++i) {
    double const* const row = problem_.matrix + at(i) * at(n);
    if (y[i] != 0.0) addProducts(n, row, y[i], hi, lo, sizes);
    if (yLow && yLow[i] != 0.0) addProducts(n, row, yLow[i], hi, lo, sizes);
  }
  double largest = 0.0;
  for (int j = 0; j < n; ++j) {
    Pair const sum = double_double::twoSum(hi[j], lo[j]);
    hi[j] = sum.hi;
    lo[j] = sum.lo;
    largest = proof::worse(largest, sizes[j]);
  }
  return largest;
}

}  // namespace osi_cuda::batch
