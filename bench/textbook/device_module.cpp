// SPDX-License-Identifier: EPL-2.0
#include "bench/textbook/device_module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "osi_cuda/errors.hpp"

namespace osi_cuda::textbook {
namespace {

namespace fs = std::filesystem;

fs::path place() {
  constexpr char const* fileName = "TextbookDevice.so";
  if (char const* const folder = std::getenv("OSI_CUDA_ENGINE_PATH"); folder && *folder)
    return fs::path(folder) / fileName;
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path() / fileName;
}

DeviceModule const& open() {
  fs::path const file = place();
  std::string const begin = "device: the module " + file.filename().string() + " can't be used: ";
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) throw EngineUnavailable(begin + dlerror());
  using Entry = DeviceModule const* (*)();
  auto const entry = reinterpret_cast<Entry>(dlsym(library, "textbookDevice"));
  DeviceModule const* const module = entry ? entry() : nullptr;
  if (!module || std::strcmp(module->version, OSI_CUDA_VERSION) != 0)
    throw EngineUnavailable(begin + "it belongs to another version");
  return *module;
}

}  // namespace

DeviceModule const& deviceModule() {
  static DeviceModule const& module = open();  // tried again at the next call where this throws
  return module;
}

std::string whyNoDevice() {
  try {
    deviceModule().deviceName();
    return "";
  } catch (EngineUnavailable const& error) {
    return error.what();
  }
}

}  // namespace osi_cuda::textbook
