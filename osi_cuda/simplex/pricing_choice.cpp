// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/pricing_choice.hpp"

namespace osi_cuda {

Pricing pricingOf(Task const& task, Algorithm algorithm) {
  Pricing const asked = task.options.pricing;
  return asked == Pricing::automatic ? task.engine.usualPricing(algorithm) : asked;
}

Pricing pricingOf(Task const& task, Algorithm algorithm, Phase phase) {
  PricingRule const& rule = ruleOf(pricingOf(task, algorithm));
  bool const phase2 = algorithm == Algorithm::primal && phase == Phase::two;
  return rule.everywhere || phase2 ? rule.rule : rule.elsewhere;
}

}  // namespace osi_cuda
