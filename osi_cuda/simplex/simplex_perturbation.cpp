// SPDX-License-Identifier: EPL-2.0
// Working bounds and costs that differ from the problem's, and how they are taken back.
#include <algorithm>
#include <cmath>

#include "osi_cuda/simplex/perturbation.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {

void Simplex::perturb(Algorithm algorithm) {
  // Smaller from clean-up to clean-up, so that these end; larger where a perturbation stalls too.
  bool const again = algorithm == Algorithm::primal ? boundsPerturbed_ : costsPerturbed_;
  stallPerturbations_ = again ? stallPerturbations_ + 1 : 0;
  double const size =
      5e-6 * std::pow(0.3, std::min(perturbations_, 8)) * std::pow(4.0, stallPerturbations_);
  Snapshot const point = engine_.snapshot();
  std::uint64_t const seed =
      options_.seed + static_cast<std::uint64_t>(100 * perturbations_ + stallPerturbations_);
  if (!again) ++perturbations_;
  tracer_.perturb(algorithm == Algorithm::dual ? "perturb_costs" : "perturb_bounds", size,
                  perturbations_);
  if (algorithm == Algorithm::dual) {
    cost_ = perturbCosts(engine_.costs(), lower_, upper_, point, size, seed);
    engine_.setCosts(cost_);
    costsPerturbed_ = true;
    makeDualFeasible(true);
  } else {
    perturbBounds(lower_, upper_, point, size, seed);
    engine_.setBounds(lower_, upper_);
    boundsPerturbed_ = true;
    snapToBounds();
  }
}

void Simplex::removePerturbation() {
  cost_ = form_.cost;
  lower_ = trueLower_;
  upper_ = trueUpper_;
  engine_.setBounds(lower_, upper_);
  engine_.setCosts(cost_);
  snapToBounds();
  if (*altered() != '\0') tracer_.change("restore");
  boundsPerturbed_ = costsPerturbed_ = startAltered_ = false;
  stallPerturbations_ = 0;
}

// After a run of the dual: it leaves every nonbasic variable on a bound, so that there is nothing
// to be done unless costs are others than the problem's.
void Simplex::restoreCosts() {
  if (boundsPerturbed_ || costsPerturbed_ || startAltered_ || engine_.costs() != form_.cost)
    removePerturbation();
}

// Which working numbers are not the problem's, for the trace.
char const* Simplex::altered() const {
  if (startAltered_)
    return relaxed_ && running_ == Algorithm::primal ? "start bounds" : "start costs";
  if (boundsPerturbed_ && costsPerturbed_) return "bounds and costs";
  return boundsPerturbed_ ? "bounds" : costsPerturbed_ ? "costs" : "";
}

// Rounded numbers can leave a problem without a feasible point that its author never doubted, where
// no certificate has room to spare. What is asked for is a point within tolerances: bounds give way
// by a growing share of them, in the problem's own units, and the widened problem is solved
// instead. The judge knows nothing of it.
bool Simplex::widenBounds() {
  double const most = 0.5 * options_.primalTolerance;
  if (widened_ >= most) return false;
  widened_ = std::min(most, widened_ == 0.0 ? 1e-2 * most : 10.0 * widened_);
  for (std::size_t v = 0; v < trueLower_.size(); ++v) {
    double const factor = std::fabs(form_.factor(static_cast<int>(v)));
    auto const share = [&](double bound) { return widened_ * (1.0 / factor + std::fabs(bound)); };
    trueLower_[v] = form_.lower[v] - share(form_.lower[v]);
    trueUpper_[v] = form_.upper[v] + share(form_.upper[v]);
    if (std::isinf(form_.lower[v])) trueLower_[v] = form_.lower[v];
    if (std::isinf(form_.upper[v])) trueUpper_[v] = form_.upper[v];
  }
  failedProofs_ = 0;
  primalTolerance_ = dualTolerance_ = Judge::target;
  goal_ = 2.0 * widened_;
  removePerturbation();
  return true;
}

// Every nonbasic variable to its nearer bound; free ones stay where they are.
void Simplex::snapToBounds() {
  Snapshot point = engine_.snapshotOf(SnapshotContent::point);
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    double& x = point.value[v];
    if (std::isinf(lower_[v]) && std::isinf(upper_[v])) continue;
    x = x - lower_[v] <= upper_[v] - x ? lower_[v] : upper_[v];
  }
  engine_.setValues(point.value);
}

// Nonbasic variables go to the bound that their reduced cost asks for. Where that bound is infinite
// the cost is shifted, if allowed, so that the reduced cost is zero. Returns how many are left.
int Simplex::makeDualFeasible(bool shiftCosts) {
  Snapshot point = engine_.snapshotOf(SnapshotContent::point);
  std::vector<double> shifted;
  bool moved = false;
  int left = 0;
  for (int variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    double const d = point.reducedCost[v];
    if (std::fabs(d) <= dualTolerance_ || !(lower_[v] < upper_[v])) continue;
    double const wanted = d > 0.0 ? lower_[v] : upper_[v];
    if (std::isfinite(wanted)) {
      moved = moved || point.value[v] != wanted;
      point.value[v] = wanted;
    } else if (shiftCosts) {
      if (shifted.empty()) shifted = engine_.costs();
      shifted[v] -= d;
    } else {
      ++left;
    }
  }
  if (!shifted.empty()) {
    cost_ = shifted;
    costsPerturbed_ = true;
    engine_.setCosts(cost_);
  }
  if (moved) engine_.setValues(point.value);
  return left;
}

}  // namespace osi_cuda
