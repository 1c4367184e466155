// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "osi_cuda/barrier/barrier.hpp"

namespace osi_cuda {

/// What is left to do, as one number: the largest residual, or the gap.
double distanceOf(BarrierState const& state);

/// When the interior point method ends: at its goal, where pivots finish sooner than it, or where
/// it gets nowhere. Told of the iterates one after the other.
class StopRule {
 public:
  /// `iterationSeconds`: what an iteration takes, about. `boundSize`, `costSize`: the largest
  /// bound, the largest cost. `point`: the iterate, asked for where its state does not decide.
  StopRule(BarrierRequest const& request, StandardForm const& form, double iterationSeconds,
           double boundSize, double costSize, std::function<BarrierPoint const&()> point)
      : request_(request),
        dense_(form.full() || form.density() > 0.3),
        rows_(static_cast<std::size_t>(form.rows())),
        variables_(form.variables()),
        iterationSeconds_(iterationSeconds),
        boundSize_(boundSize),
        costSize_(costSize),
        point_(std::move(point)) {
    for (std::size_t v = 0; v < form.lower.size(); ++v)
      asked_ += std::max({0.0, form.lower[v], -form.upper[v]});
  }

  std::optional<BarrierEnd> look(BarrierState const& state);

 private:
  bool finishesSoonerByPivots(BarrierState const& state) const;
  bool diverges(BarrierState const& state) const;
  bool gainsNothing(BarrierState const& state);

  BarrierRequest const& request_;
  bool const dense_;
  std::size_t const rows_;
  double const variables_;
  double const iterationSeconds_;
  double const boundSize_, costSize_;
  double asked_ = 0.0;  ///< sum of the sizes that bounds ask of variables
  std::function<BarrierPoint const&()> const point_;
  double bestMu_ = 1e300, bestPrimal_ = 1e300, bestDual_ = 1e300;  ///< smallest so far
  int since_ = 0;       ///< iterations since one of them fell
  int shortSteps_ = 0;  ///< iterations in a row that hardly moved
};

}  // namespace osi_cuda
