// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace osi_cuda::cli {

/// Version, build, engines and devices, libraries, bridges.
nlohmann::ordered_json infoJson();

/// The option table as the Markdown table that README.md holds.
std::string optionsMarkdown();

}  // namespace osi_cuda::cli
