// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engines.hpp"

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
    cuda.reason = e.what();
  }
  return {host, cuda};
}

}  // namespace osi_cuda
