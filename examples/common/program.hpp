// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "examples/common/failure.hpp"

namespace osi_cuda::examples {

/// Runs a command whose arguments have been parsed. Throws Failure or what the readers and the
/// solver throw.
using Run = std::function<ExitStatus()>;

/// One subcommand of an example.
struct Command {
  std::string name;
  std::string help;  ///< one line
  /// Adds the command's arguments to `app`, which outlives the Run that it returns.
  std::function<Run(CLI::App& app)> setUp;
};

/// The whole of main(): parses, runs the command, and turns what was thrown into one sentence on
/// standard error, a JSON object on standard output where --json is among the words, and the exit
/// status that is returned. `program`: its name, `help`: one line on what it does.
int runProgram(std::string const& program, std::string const& help,
               std::vector<Command> const& commands, int count, char const* const* words);

/// Writes a text as a file that is either whole or not there; `-` is standard output. Throws the
/// Failure `cannotWrite`.
void writeTextFile(std::string const& path, std::string const& text);

}  // namespace osi_cuda::examples
