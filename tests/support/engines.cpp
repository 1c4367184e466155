// SPDX-License-Identifier: EPL-2.0
#include "tests/support/engines.hpp"

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/solve/engines.hpp"

namespace osi_cuda::testing {

std::vector<std::string> engineNames() {
  std::vector<std::string> names;
  for (EngineReport const& engine : findEngines())
    if (!engine.devices.empty()) names.push_back(engine.name);
  names.insert(names.end(), {"factors", "precise"});
  return names;
}

std::vector<std::string> tableauEngineNames() {
  std::vector<std::string> names = engineNames();
  std::erase_if(names, [](auto const& name) { return name == "factors" || name == "precise"; });
  return names;
}

std::unique_ptr<Engine> makeEngine(std::string const& name, EngineOptions const& options) {
  if (name == "factors") return makeFactoredEngine(options);
  if (name == "precise") return makePreciseEngine(options);
  return name == "cuda" ? makeCudaEngine(options) : makeHostEngine(options);
}

}  // namespace osi_cuda::testing
