// SPDX-License-Identifier: EPL-2.0
#include "examples/common/module.hpp"

#include "osi_cuda/module_file.hpp"

namespace osi_cuda::examples {

void const* openModule(std::string const& file, std::string const& entry) {
  ModuleSearch const search =
      osi_cuda::openModule({file, entry, OSI_CUDA_VERSION, "OSI_CUDA_ENGINE_PATH"});
  if (search.fault != ModuleFault::none)
    throw EngineUnavailable("device: the module " + file + " can't be used: " + search.reason);
  return search.table;
}

}  // namespace osi_cuda::examples
