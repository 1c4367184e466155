// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <vector>

#include "shell/command.hpp"

namespace osi_cuda::shell {

/// Throws the Failure for the first argument that `app` has not understood, if there is one.
void rejectExtras(CLI::App const& app);

/// The Failure for what CLI11 could not parse, in words that do not depend on its version. `all`:
/// the program's commands; empty: it is a single one.
Failure usageFailure(CLI::ParseError const& error, std::vector<Command> const& all, int count,
                     char const* const* words);

}  // namespace osi_cuda::shell
