// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/run.hpp"

namespace osi_cuda {

/// How much is tried before a solve ends without a status.
enum class Effort {
  whole,    ///< everything
  brief,    ///< what mostly helps: somebody with more digits goes on afterwards
  resumed,  ///< the same of a re-solve: a point within the target is the end
  confirm   ///< proves a start that is optimal within the tolerances; another is left at once
};

/// What a solve is given. Everything referred to must outlive it; the engine has `form` loaded. The
/// limits are those of `run`, not of `options`.
struct Task {
  LinearProgram const& lp;
  StandardForm const& form;
  Engine& engine;
  Options const& options;
  Run& run;
  Effort effort = Effort::whole;
};

constexpr SolveAlgorithm solveAlgorithmOf(Algorithm algorithm) {
  return algorithm == Algorithm::primal ? SolveAlgorithm::primal : SolveAlgorithm::dual;
}

/// What a solve has counted.
struct Counts {
  std::int64_t iterations = 0;  ///< pivots and bound flips
  /// Pivots since the engine's tableau was formed from the data; an engine that goes from solve to
  /// solve takes them along.
  std::int64_t sinceRefactor = 0;
  double worstPivot = 1.0;  ///< the smallest so far, beside the largest entry of its line
};

/// The rule that was asked for; else the one that the engine takes least time with.
inline Pricing pricingOf(Task const& task, Algorithm algorithm) {
  Pricing const asked = task.options.pricing;
  if (asked != Pricing::automatic) return asked;
  EngineTraits const& traits = task.engine.traits();
  return algorithm == Algorithm::primal ? traits.primalPricing : traits.dualPricing;
}

/// The rule of a phase: the one that stands in where the rule asked for is not one for it.
inline Pricing pricingOf(Task const& task, Algorithm algorithm, Phase phase) {
  PricingRule const& rule = ruleOf(pricingOf(task, algorithm));
  bool const phase2 = algorithm == Algorithm::primal && phase == Phase::two;
  return rule.everywhere || phase2 ? rule.rule : rule.elsewhere;
}

}  // namespace osi_cuda
