// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::testing {

/// The engines that this machine can run: "host" with a tableau, "cuda" where a device is usable,
/// "factors" with factors of the basis in double precision and "precise" in double-double.
std::vector<std::string> engineNames();
/// Those of them that keep a tableau.
std::vector<std::string> tableauEngineNames();

std::unique_ptr<Engine> makeEngine(std::string const& name, EngineOptions const& options);

}  // namespace osi_cuda::testing
