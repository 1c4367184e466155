// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engines.hpp"

#include <string>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda {

std::vector<EngineReport> findEngines() {
  EngineReport host{"host", {makeHostEngine(EngineOptions{})->device()}, ""};
  EngineReport cuda{"cuda", {}, ""};
  try {
    cuda.devices = cudaModule().deviceNames();
  } catch (EngineUnavailable const& e) {
    std::string const prefix = "engine cuda: ";  // the list says so already
    std::string const reason = e.what();
    cuda.reason = reason.rfind(prefix, 0) == 0 ? reason.substr(prefix.size()) : reason;
  }
  return {host, cuda};
}

}  // namespace osi_cuda
