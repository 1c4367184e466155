// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/failure.hpp"
#include "osi_cuda/options.hpp"

namespace osi_cuda::cli {

/// Throws the Failure for the first argument that `app` has not understood, if there is one.
void rejectExtras(CLI::App const& app);

/// The Failure for what CLI11 could not parse, in words that do not depend on its version.
Failure usageFailure(CLI::ParseError const& error, std::vector<Command> const& all, int count,
                     char const* const* words);

/// Adds an argument --NAME for each solver option to `app`. `texts`, which must outlive the
/// parsing, gets one text per record of the table; options that were not given keep a mark.
void addSolverOptions(CLI::App& app, std::vector<std::string>& texts);

/// The options that the texts say. Throws Failure for a value that is not understood.
Options solverOptions(std::vector<std::string> const& texts);

}  // namespace osi_cuda::cli
