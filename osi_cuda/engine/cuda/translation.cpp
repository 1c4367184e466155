// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/translation.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cstdlib>
#include <sstream>

#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda_module.hpp"

namespace osi_cuda::cuda {
namespace {

std::string environmentText(char const* name) {
  char const* const text = secure_getenv(name);
  return text ? text : "";
}

/// Whether the driver may have kept a translation of the file: its cache changed after the file
/// came.
bool mayBeCached(std::string const& module) {
  if (environmentText("CUDA_CACHE_DISABLE") == "1") return false;
  std::string folder = environmentText("CUDA_CACHE_PATH");
  if (folder.empty()) folder = environmentText("HOME") + "/.nv/ComputeCache";
  using Status = struct stat;
  Status cache{}, file{};
  if (stat((folder + "/index").c_str(), &cache) != 0) return false;
  // The time of the file's contents is that of a package; the other one is of this machine.
  return stat(module.c_str(), &file) != 0 || cache.st_mtim.tv_sec >= file.st_ctim.tv_sec;
}

}  // namespace

bool hasMachineCode(std::string const& cards, int major, int minor) {
  std::istringstream words(cards);
  for (int card = 0; words >> card;)
    if (card / 10 == major && card % 10 <= minor) return true;
  return false;
}

std::string translation(int device) {
  DeviceProperties const is = deviceProperties(device);
  Dl_info own{};
  if (is.major == 0 || hasMachineCode(OSI_CUDA_MACHINE_CODE, is.major, is.minor) ||
      (dladdr(reinterpret_cast<void const*>(&translation), &own) != 0 &&
       mayBeCached(own.dli_fname)))
    return {};
  return std::string(translationWords) + " for " + is.name +
         " what the module has no machine code of: some ten seconds at the first solve, and at the "
         "first batch, once; `osi-cuda calibrate` has all of it done beforehand";
}

}  // namespace osi_cuda::cuda
