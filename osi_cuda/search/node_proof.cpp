// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off, as all that includes the verifier.
#include "osi_cuda/search/node_proof.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
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

}  // namespace osi_cuda::search
