// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/pricing_choice.hpp"

namespace osi_cuda {

Pricing pricingOf(Task const& task, Algorithm algorithm) {
  Pricing const asked = task.options.pricing;
  if (asked != Pricing::automatic) return asked;
  EngineTraits const& traits = task.engine.traits();
  return algorithm == Algorithm::primal ? traits.primalPricing : traits.dualPricing;
}

Pricing pricingOf(Task const& task, Algorithm algorithm, Phase phase) {
  PricingRule const& rule = ruleOf(pricingOf(task, algorithm));
  bool const phase2 = algorithm == Algorithm::primal && phase == Phase::two;
  return rule.everywhere || phase2 ? rule.rule : rule.elsewhere;
}

}  // namespace osi_cuda
