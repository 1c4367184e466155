// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "shell/command.hpp"

namespace osi_cuda::shell {

/// The whole of main(): parses, runs the command, and turns what was thrown into a message on
/// standard error, a JSON object on standard output where --json is among the words, and the exit
/// status that is returned. `program`: its name, `help`: one line on what it does.
int runProgram(std::string const& program, std::string const& help,
               std::vector<Command> const& commands, int count, char const* const* words);

/// The same for a program that is a single command.
int runTool(Command const& tool, int count, char const* const* words);

}  // namespace osi_cuda::shell
