// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

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
