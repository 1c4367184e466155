// SPDX-License-Identifier: EPL-2.0
#include "tests/support/engines.hpp"

namespace osi_cuda::testing {

std::vector<std::string> engineNames() {
  return {"host"};
}

std::unique_ptr<Engine> makeEngine(std::string const&, EngineOptions const& options) {
  return makeHostEngine(options);
}

}  // namespace osi_cuda::testing
