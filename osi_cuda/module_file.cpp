// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/module_file.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace osi_cuda {
namespace {

namespace fs = std::filesystem;

/// Where the module may lie, best place first.
std::vector<fs::path> placesOf(ModuleFile const& module) {
  std::error_code ignored;
  if (char const* const path = std::getenv(module.variable.c_str()); path && *path)
    return {fs::is_directory(path, ignored) ? fs::path(path) / module.name : fs::path(path)};
  std::vector<fs::path> places;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void const*>(&openModule), &info) && info.dli_fname) {
    // A program that was found on PATH is known by its bare name here.
    fs::path file = fs::canonical(info.dli_fname, ignored);
    if (ignored) file = fs::read_symlink("/proc/self/exe", ignored);
    fs::path const folder = file.parent_path();
    places = {folder / module.name, folder / "osi-cuda" / module.name,
              folder.parent_path() / OSI_CUDA_LIBRARY_FOLDER / "osi-cuda" / module.name};
  }
  places.emplace_back(module.name);
  return places;
}

/// What one file turns out to be.
ModuleSearch openFile(fs::path const& file, ModuleFile const& module) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
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

ModuleSearch openModule(ModuleFile const& module) {
  ModuleSearch result{nullptr, ModuleFault::missing, "no file " + module.name + " was found"};
  for (fs::path const& place : placesOf(module)) {
    std::error_code ignored;
    bool const named = place.has_parent_path();
    if (named && !fs::exists(place, ignored)) continue;
    ModuleSearch found = openFile(place, module);
    if (found.fault == ModuleFault::none) return found;
    // The system's search has nothing to say about a file that it did not find.
    if (named || found.fault == ModuleFault::foreign) result = std::move(found);
  }
  return result;
}

}  // namespace osi_cuda
