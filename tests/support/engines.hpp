// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::testing {

/// The engines that this machine can run: "host", and "cuda" where a device is usable.
std::vector<std::string> engineNames();

std::unique_ptr<Engine> makeEngine(std::string const& name, EngineOptions const& options);

}  // namespace osi_cuda::testing
