// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "osi_cuda/cost/machine.hpp"

namespace osi_cuda::cli {

/// The record that solves with a device would use: a card that has none of its own gets one by its
/// properties, for which the driver is asked.
Machine const& machineInUse();

/// "host", "device" (name and source of each), "rates" by name, and what is wrong with a file.
nlohmann::ordered_json machineJson(Machine machine);

}  // namespace osi_cuda::cli
