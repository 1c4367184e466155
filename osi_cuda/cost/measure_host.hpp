// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>

#include "osi_cuda/cost/machine.hpp"

namespace osi_cuda {

/// The rates of a core of this processor, in about so many seconds: the best of many short runs, as
/// other programs may be at work. `stop` (may be empty) is polled between runs; the rates so far
/// are returned then.
HostRates measureHost(double seconds, std::function<bool()> const& stop);

}  // namespace osi_cuda
