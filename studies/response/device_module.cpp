// SPDX-License-Identifier: EPL-2.0
#include "studies/response/device_module.hpp"

#include "examples/common/module.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::response {

Kernels const& kernels() {
  // Tried again at the next call where this throws.
  static auto const& module = *static_cast<Kernels const*>(
      examples::openModule("StudyResponseDevice.so", "studyResponseDevice"));
  return module;
}

std::string whyNoKernels() {
  return examples::whyNoDevice([] { return kernels().deviceName(); });
}

bool usesKernels(std::string const& choice) {
  if (choice == "host") return false;
  std::string const reason = whyNoKernels();
  if (!reason.empty() && choice == "cuda") throw EngineUnavailable(reason);
  return reason.empty();
}

std::vector<std::string> const& sweepFormNames() {
  static std::vector<std::string> const names{"fused", "gtsv2", "gtsv2-batch"};
  return names;
}

}  // namespace osi_cuda::response
