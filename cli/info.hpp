// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

namespace osi_cuda::cli {

/// The option table as the Markdown table that README.md holds.
std::string optionsMarkdown();

}  // namespace osi_cuda::cli
