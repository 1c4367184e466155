// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

#include "shell/failure.hpp"

namespace osi_cuda::shell {

/// Runs a command whose arguments have been parsed. Throws Failure or what the readers and the
/// solver throw; report() translates it.
using Run = std::function<ExitStatus()>;

/// One subcommand.
struct Command {
  std::string name;
  std::string help;  ///< one line
  /// Adds the command's arguments to `app`, which outlives the Run that it returns.
  std::function<Run(CLI::App& app)> setUp;
};

}  // namespace osi_cuda::shell
