// SPDX-License-Identifier: EPL-2.0
#include <dlfcn.h>
#include <sqlite3.h>
#include <CLI/Version.hpp>

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

#include "cli/info.hpp"

namespace osi_cuda::cli {
namespace {

std::string joined(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

/// What a function without arguments of a library that is loaded says; empty if there is none. By
/// name, because the readers and the solver keep these libraries to themselves.
std::string said(char const* function) {
  using Version = char const*();
  void* const address = dlsym(RTLD_DEFAULT, function);
  return address ? reinterpret_cast<Version*>(address)() : "";
}

}  // namespace

std::vector<LibraryVersion> findLibraries() {
  std::vector<LibraryVersion> found;
  auto const add = [&](char const* name, std::string const& version) {
    if (!version.empty()) found.push_back({name, version.substr(0, version.find(','))});
  };
  std::istringstream config(said("openblas_get_config"));  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::string name, version;
  if (config >> name >> version) add("OpenBLAS", version);
  add("zlib", said("zlibVersion"));
  add("bzip2", said("BZ2_bzlibVersion"));
  add("xz", said("lzma_version_string"));
  add("Zstandard", said("ZSTD_versionString"));
  add("SQLite", sqlite3_libversion());
  add("CLI11", CLI11_VERSION);
  add("nlohmann-json", joined(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                              NLOHMANN_JSON_VERSION_PATCH));
  return found;
}

}  // namespace osi_cuda::cli
