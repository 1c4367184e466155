// SPDX-License-Identifier: EPL-2.0
// A bridge of another build: of this version, but made from other headers. What it offers must not
// be called.
#include <cstdlib>

#define OSI_CUDA_BRIDGE_INTERFACE "0.1.0 0123456789abcdef"
#include "bridges/bridge_module.hpp"

namespace {

std::string version() {
  std::abort();
}
bool startsFromBasis(std::string const&) {
  std::abort();
}
osi_cuda::Solution run(osi_cuda::LinearProgram const&, osi_cuda::BridgeOptions const&) {
  std::abort();
}

}  // namespace

OSI_CUDA_BRIDGE_MODULE(.version = version, .algorithms = nullptr,
                       .startsFromBasis = startsFromBasis, .run = run)
