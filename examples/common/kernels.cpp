// SPDX-License-Identifier: EPL-2.0
#include "examples/common/kernels.hpp"

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/module_file.hpp"

namespace osi_cuda::examples {

void const* openKernels(std::string const& file, std::string const& entry,
                        std::string const& interface) {
  ModuleSearch const search = openModule({file, entry, interface, "OSI_CUDA_EXAMPLES_PATH"});
  if (search.fault != ModuleFault::none)
    throw EngineUnavailable("device: the kernels in " + file + " can't be used: " + search.reason);
  return search.table;
}

std::string whyNoDevice(std::string (*deviceName)()) {
  try {
    deviceName();
    return "";
  } catch (EngineUnavailable const& error) {
    return error.what();
  }
}

}  // namespace osi_cuda::examples
