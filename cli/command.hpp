// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "cli/failure.hpp"

namespace osi_cuda::cli {

/// Runs a command whose arguments have been parsed. Throws Failure or what the readers and the
/// solver throw; report() translates it.
using Run = std::function<ExitStatus()>;

/// One subcommand. A new one is a file with a function that returns it and a line in commands().
struct Command {
  std::string name;
  std::string help;  ///< one line
  /// Adds the command's arguments to `app`, which outlives the Run that it returns.
  std::function<Run(CLI::App& app)> setUp;
};

/// All subcommands, in the order in which help shows them.
std::vector<Command> commands();

Command solveCommand();    // solve.cpp
Command infoCommand();     // info.cpp
Command compareCommand();  // compare.cpp
Command convertCommand();  // convert.cpp
Command regressCommand();  // regress.cpp
Command reportCommand();   // report.cpp

}  // namespace osi_cuda::cli
