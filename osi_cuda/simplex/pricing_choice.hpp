// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// The rule that was asked for; else the one that the engine takes least time with.
Pricing pricingOf(Task const& task, Algorithm algorithm);

/// The rule of a phase: the one that stands in where the rule asked for is not one for it.
Pricing pricingOf(Task const& task, Algorithm algorithm, Phase phase);

}  // namespace osi_cuda
