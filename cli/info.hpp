// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace osi_cuda::cli {

struct LibraryVersion {
  std::string name;
  std::string version;
};

/// The libraries that the program runs with, as they call themselves at run time.
std::vector<LibraryVersion> findLibraries();

/// Version, build, engines and devices, libraries, bridges.
nlohmann::ordered_json infoJson();

/// The option table as the Markdown table that README.md holds.
std::string optionsMarkdown();

}  // namespace osi_cuda::cli
