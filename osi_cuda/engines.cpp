// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engines.hpp"

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda {

std::vector<EngineReport> findEngines() {
  EngineReport host{"host", {makeHostEngine(EngineOptions{})->device()}, ""};
  EngineReport cuda{"cuda", {}, "this version has no CUDA engine"};
  return {host, cuda};
}

}  // namespace osi_cuda
