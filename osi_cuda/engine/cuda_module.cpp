// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda_module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "osi_cuda/errors.hpp"

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;

constexpr char const* fileName = "OsiCudaEngine.so";

/// Where the module may lie, best place first.
std::vector<fs::path> places() {
  std::vector<fs::path> list;
  if (char const* const path = std::getenv("OSI_CUDA_ENGINE_PATH"); path && *path) {
    std::error_code ignored;
    list.emplace_back(fs::is_directory(path, ignored) ? fs::path(path) / fileName : fs::path(path));
    return list;  // who names a place means it
  }
  Dl_info info{};
  if (dladdr(reinterpret_cast<void const*>(&makeCudaEngine), &info) && info.dli_fname) {
    std::error_code ignored;
    fs::path file = fs::canonical(info.dli_fname, ignored);
    if (ignored) file = fs::read_symlink("/proc/self/exe", ignored);
    fs::path const folder = file.parent_path();
    list.push_back(folder / fileName);
    list.push_back(folder / "osi-cuda" / fileName);
    list.push_back(folder.parent_path() / "lib" / "osi-cuda" / fileName);
  }
  list.emplace_back(fileName);
  return list;
}

CudaModule const& open() {
  std::string reason = "no file of that name was found";
  for (fs::path const& place : places()) {
    std::error_code ignored;
    bool const named = place.has_parent_path();
    if (named && !fs::exists(place, ignored)) continue;
    void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
      if (named) reason = dlerror();
      continue;
    }
    using Entry = CudaModule const* (*)();
    auto const entry = reinterpret_cast<Entry>(dlsym(library, "osiCudaModule"));
    CudaModule const* const module = entry ? entry() : nullptr;
    if (module && std::strcmp(module->interface, OSI_CUDA_INTERFACE) == 0) return *module;
    reason = place.string() + " belongs to another build (" +
             (module ? module->interface : "it has no osiCudaModule") + " instead of " +
             OSI_CUDA_INTERFACE + ")";
  }
  throw EngineUnavailable(std::string("engine cuda: the module ") + fileName +
                          " can't be used: " + reason);
}

}  // namespace

CudaModule const& cudaModule() {
  static CudaModule const& module = open();  // tried again at the next call where this throws
  return module;
}

std::unique_ptr<Engine> makeCudaEngine(EngineOptions const& options) {
  return cudaModule().makeEngine(options);
}

std::unique_ptr<Barrier> makeCudaBarrier(BarrierOptions const& options) {
  return cudaModule().makeBarrier(options);
}

std::unique_ptr<batch::DeviceMany> makeCudaMany(int device) {
  return cudaModule().makeMany(device);
}

}  // namespace osi_cuda
