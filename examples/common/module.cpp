// SPDX-License-Identifier: EPL-2.0
#include "examples/common/module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "osi_cuda/errors.hpp"

namespace osi_cuda::examples {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  if (char const* const path = std::getenv("OSI_CUDA_ENGINE_PATH"); path && *path) return path;
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

void const* openModule(std::string const& file, std::string const& entry) {
  std::string const begin = "device: the module " + file + " can't be used: ";
  void* const library = dlopen((folder() / file).c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) throw EngineUnavailable(begin + dlerror());
  using Entry = void const* (*)();
  auto const function = reinterpret_cast<Entry>(dlsym(library, entry.c_str()));
  void const* const table = function ? function() : nullptr;
  if (!table || std::strcmp(*static_cast<char const* const*>(table), OSI_CUDA_VERSION) != 0)
    throw EngineUnavailable(begin + "it belongs to another version");
  return table;
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
