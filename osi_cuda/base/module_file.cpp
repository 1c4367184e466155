// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/module_file.hpp"

#include <dlfcn.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "osi_cuda/base/blas.hpp"

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;

/// The file that this code was mapped from, a library or the program: its true path, as the kernel
/// has it. dladdr's may be a bare name (a program found on PATH) or relative to a folder that the
/// process has left: whatever lies there then is none of ours.
fs::path ownFile() {
  auto const here = reinterpret_cast<std::uintptr_t>(&ownFile);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &first, &end,
                    &path) == 2 &&
        first <= here && here < end)
      return line.substr(static_cast<std::size_t>(path));
  }
  Dl_info info{};  // where /proc is not mounted; an absolute path alone counts
  return dladdr(reinterpret_cast<void const*>(&ownFile), &info) ? info.dli_fname : "";
}

/// Where the module may lie without the variable, best place first.
std::vector<fs::path> placesOf(ModuleFile const& module) {
  std::vector<fs::path> places;
  if (fs::path const file = ownFile(); file.is_absolute()) {
    fs::path const folder = file.parent_path();
    places = {folder / module.name, folder / "osi-cuda" / module.name,
              folder.parent_path() / OSI_CUDA_LIBRARY_FOLDER / "osi-cuda" / module.name};
  }
  places.emplace_back(module.name);
  return places;
}

/// What one file turns out to be.
ModuleSearch openFile(fs::path const& file, ModuleFile const& module) {
  void* const library = [&] {
    BlasKernels const kernels;  // its libraries may bring OpenBLAS
    return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  }();
  if (!library) return {nullptr, ModuleFault::unusable, dlerror()};
  using Entry = void const* (*)();
  auto const entry = reinterpret_cast<Entry>(dlsym(library, module.entry.c_str()));
  void const* const table = entry ? entry() : nullptr;
  char const* const found = table ? *static_cast<char const* const*>(table) : nullptr;
  if (found && module.interface == found) return {table, ModuleFault::none, {}};
  return {nullptr, ModuleFault::foreign,
          file.string() + " belongs to another build (" +
              (found ? found : "it has no " + module.entry) + " instead of " + module.interface +
              ")"};
}

}  // namespace

ModuleSearch openModule(ModuleFile const& module, std::function<void()> const& found) {
  ModuleSearch result{nullptr, ModuleFault::missing, "no file " + module.name + " was found"};
  std::vector<fs::path> places = placesOf(module);
  std::error_code ignored;
  if (char const* const path = secure_getenv(module.variable.c_str()); path && *path) {
    if (!fs::path(path).is_absolute())
      return {nullptr, ModuleFault::misnamed,
              module.variable + " is '" + path + "', but has to be an absolute path"};
    places = {fs::is_directory(path, ignored) ? fs::path(path) / module.name : fs::path(path)};
  }
  for (fs::path const& place : places) {
    bool const named = place.is_absolute();
    if (named && !fs::exists(place, ignored)) continue;
    if (named && found) found();
    ModuleSearch search = openFile(place, module);
    if (search.fault == ModuleFault::none) return search;
    // The system's search has nothing to say about a file that it did not find.
    if (named || search.fault == ModuleFault::foreign) result = std::move(search);
  }
  return result;
}

}  // namespace osi_cuda
