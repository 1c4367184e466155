// SPDX-License-Identifier: EPL-2.0
#include "tests/support/engines.hpp"

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engines.hpp"

namespace osi_cuda::testing {

std::vector<std::string> engineNames() {
  std::vector<std::string> names;
  for (EngineReport const& engine : findEngines())
    if (!engine.devices.empty()) names.push_back(engine.name);
  return names;
}

std::unique_ptr<Engine> makeEngine(std::string const& name, EngineOptions const& options) {
  return name == "cuda" ? makeCudaEngine(options) : makeHostEngine(options);
}

}  // namespace osi_cuda::testing
