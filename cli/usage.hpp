// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "osi_cuda/options.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;

/// Adds an argument --NAME for each solver option to `app`. `texts`, which must outlive the
/// parsing, gets one text per record of the table; options that were not given keep a mark.
void addSolverOptions(CLI::App& app, std::vector<std::string>& texts);

/// The options that the texts say. Throws Failure for a value that is not understood.
Options solverOptions(std::vector<std::string> const& texts);

}  // namespace osi_cuda::cli
