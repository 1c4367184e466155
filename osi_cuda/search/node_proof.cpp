// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off, as all that includes the verifier.
#include "osi_cuda/search/node_proof.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/wide_registers.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/problem_view.hpp"
#include "osi_cuda/proof/products.hpp"

namespace osi_cuda::search {

namespace {

/// Chains of flows need many; a round that finds nothing is the last.
constexpr int impliedRounds = 30;

double& sideOf(proof::ImpliedBounds& bounds, BoundChange const& change) {
  return (change.upper ? bounds.columnUpper : bounds.columnLower)[at(change.column)];
}

/// Twice a rounding: what bounds of rounding are rounded by is less than the other half.
constexpr double twoRoundings = 0x1p-52;
constexpr double underflows = 0x1p-1000;  ///< more than 2^70 of them

/// A sum of products in partial sums, as many as wide registers have places.
template <class Other>
[[gnu::always_inline]] inline double dot(double const* a, int length, Other other) {
  constexpr int places = 16;
  double partial[places] = {}, sum = 0.0;
  int k = 0;
  for (; k + places <= length; k += places)
    for (int p = 0; p < places; ++p) partial[p] += a[k + p] * other(k + p);
  for (; k < length; ++k) sum += a[k] * other(k);
  for (int width = places / 2; width > 0; width /= 2)
    for (int p = 0; p < width; ++p) partial[p] += partial[p + width];
  return sum + partial[0];
}

/// A'y
OSI_CUDA_CLONES void multiply(std::vector<ColumnPiece> const& columns, SparseMatrix const& matrix,
                              double const* y, double* product) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    ColumnPiece const& column = columns[j];
    double const* const values = matrix.values.data() + column.begin;
    int const* const rows = matrix.indices.data() + column.begin;
    double const* const first = y + std::max(column.run, 0);
    product[j] = column.run >= 0
                     ? dot(values, column.length, [first](int k) { return first[k]; })
                     : dot(values, column.length, [y, rows](int k) { return y[rows[k]]; });
  }
}

}  // namespace

NodeProver::NodeProver(LinearProgram const& problem)
    : problem_(&problem), bounds_(proof::impliedBounds(problem, impliedRounds)) {
  auto costless = std::make_shared<LinearProgram>(problem);
  std::ranges::fill(costless->objective, 0.0);
  costless->objectiveOffset = 0.0;
  costless_ = std::move(costless);
  plain_ = std::make_shared<PlainBound>(problem);
  // Of rows the problem's own: multipliers are cleaned.
  bounds_.rowLower = problem.rowLower;
  bounds_.rowUpper = problem.rowUpper;
}

void NodeProver::tighten(BoundChange const& change) {
  double& side = sideOf(bounds_, change);
  side = change.upper ? std::min(side, change.value) : std::max(side, change.value);
}

void NodeProver::clean(std::vector<double>& y) const {
  y.resize(at(problem_->rows()));
  for (std::size_t i = 0; i < y.size(); ++i) {
    double const side = y[i] > 0.0 ? problem_->rowLower[i] : problem_->rowUpper[i];
    if (!std::isfinite(y[i]) || !std::isfinite(side)) y[i] = 0.0;
  }
}

bool NodeProver::enter(std::span<BoundChange const> node) {
  before_.clear();
  bool crossed = false;
  for (BoundChange const& change : node) {
    before_.push_back({change.column, change.upper, sideOf(bounds_, change)});
    tighten(change);
    std::size_t const j = at(change.column);
    crossed |= bounds_.columnLower[j] > bounds_.columnUpper[j];
  }
  return !crossed;
}

void NodeProver::leave() {
  for (auto change = before_.rbegin(); change != before_.rend(); ++change)
    sideOf(bounds_, *change) = change->value;
}

double NodeProver::boundOf(std::span<double const> y, std::span<BoundChange const> node,
                           double wanted) {
  double const bound = enter(node) ? boundHere(true, y, wanted) : infinity;
  leave();
  return bound;
}

bool NodeProver::isEmpty(std::span<double const> y, std::span<BoundChange const> node) {
  bool const empty = !enter(node) || boundHere(false, y, 0.0) > 0.0;
  leave();
  return empty;
}

double NodeProver::boundHere(bool withCosts, std::span<double const> y, double wanted) const {
  PlainBound::Range const range = plain_->of(y, bounds_, withCosts);
  bool const decides = range.least > wanted || range.least + range.off < wanted;
  return decides ? range.least : proof::boundOf(withCosts ? *problem_ : *costless_, y, bounds_);
}

std::vector<BoundChange> NodeProver::boundsBelow(double cutoff, std::span<double const> y) const {
  using proof::Bounded;
  std::vector<BoundChange> found;
  double const bound = proof::boundOf(*problem_, y, bounds_);
  if (!std::isfinite(bound) || !std::isfinite(cutoff)) return found;
  proof::Parts const multipliers(y, {});
  proof::BoundedVector const product =
      proof::productsOf(problem_->matrix, nullptr, &multipliers).product;
  for (int j = 0; j < problem_->columns(); ++j) {
    if (!problem_->integer[at(j)]) continue;
    double const lower = bounds_.columnLower[at(j)], upper = bounds_.columnUpper[at(j)];
    if (!(lower < upper)) continue;
    Bounded const d = Bounded(problem_->objective[at(j)]) - product[at(j)];
    double const least = std::fabs(d.value.hi) * (1.0 - 0x1p-40) - 2.0 * d.error;  // of |d|
    if (!(least > 0.0) || !std::isfinite(lower) || !std::isfinite(upper)) continue;
    double const steps = std::floor((cutoff - bound) / least) + 1.0;
    double const rounding = 0x1p-48 * (std::fabs(cutoff) + std::fabs(bound));
    bool const enough = bound + steps * least >= cutoff + rounding;
    if (!(steps >= 1.0) || !(steps <= upper - lower) || !enough) continue;
    bool const rests = d.value.hi > 0.0;
    found.push_back({j, rests, rests ? lower + steps - 1.0 : upper - steps + 1.0});
  }
  return found;
}

PlainBound::PlainBound(LinearProgram const& problem) : problem_(problem) {
  SparseMatrix const& matrix = problem.matrix;
  for (int j = 0; j < problem.columns(); ++j) {
    std::int64_t const begin = matrix.starts[at(j)], end = matrix.starts[at(j) + 1];
    ColumnPiece own{begin, static_cast<int>(end - begin)};
    bool isRun = begin < end;
    for (std::int64_t e = begin; e < end; ++e) {
      double const size = std::fabs(matrix.values[at(e)]);
      own.sum += size;
      own.most = std::max(own.most, size);
      isRun = isRun && matrix.indices[at(e)] - matrix.indices[at(begin)] == e - begin;
    }
    if (isRun) own.run = matrix.indices[at(begin)];
    columns_.push_back(own);
  }
}

PlainBound::Range PlainBound::of(std::span<double const> y, proof::ImpliedBounds const& bounds,
                                 bool withCosts) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr Range unknown{nan, nan};
  if (y.size() != at(problem_.rows())) return unknown;
  std::vector<double> product(columns_.size());
  multiply(columns_, problem_.matrix, y.data(), product.data());
  double sum = withCosts ? problem_.objectiveOffset : 0.0, terms = std::fabs(sum), off = 0.0;
  double ySum = 0.0, yMost = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0.0) continue;
    double const term = y[i] * (y[i] > 0.0 ? bounds.rowLower[i] : bounds.rowUpper[i]);
    sum += term;
    terms += std::fabs(term);
    ySum += std::fabs(y[i]);
    yMost = std::max(yMost, std::fabs(y[i]));
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    ColumnPiece const& column = columns_[j];
    double const cost = withCosts ? problem_.objective[j] : 0.0, d = cost - product[j];
    double const size =
        std::fabs(cost) + std::min(column.sum * yMost, column.most * ySum);  // of the terms of d
    double const error = (column.length + 4) * twoRoundings * size + underflows;
    double const lower = bounds.columnLower[j], upper = bounds.columnUpper[j];
    double const side = d > 0.0 ? lower : upper;
    // min(d l, d u) changes by as much as d does times the larger bound, or, where the sign of d
    // is sure, the one that it needs.
    double const most =
        std::fabs(d) > error ? std::fabs(side) : std::max(std::fabs(lower), std::fabs(upper));
    double const term = d * side;
    sum += term;
    terms += std::fabs(term);
    off += error * most;
  }
  auto const count = static_cast<double>(columns_.size() + y.size());
  off = 2.0 * (off + (count + 8.0) * twoRoundings * terms + underflows);
  double const least = sum - off;
  return std::isfinite(least) ? Range{least, 3.0 * off} : unknown;
}

}  // namespace osi_cuda::search
