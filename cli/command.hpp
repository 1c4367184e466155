// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "shell/command.hpp"

namespace osi_cuda::cli {

using namespace shell;

/// All subcommands, in the order in which help shows them. A new one is a file with the function
/// that sets it up (Command::setUp) and a line in commands().
std::vector<Command> commands();

/// The words of a command line as the commands take them. `osi-cuda FILE` is solve FILE, `help
/// COMMAND` is COMMAND --help, -V is --version. AMPL and its kin call a solver as `osi-cuda STUB
/// -AMPL NAME=VALUE ...`, which is ampl STUB NAME=VALUE ..., and as `osi-cuda -v` for its version.
std::vector<std::string> ownWords(int count, char const* const* given);

Run setUpSolve(CLI::App& app);
Run setUpBatch(CLI::App& app);
Run setUpCompare(CLI::App& app);
Run setUpRegress(CLI::App& app);
Run setUpMerge(CLI::App& app);
Run setUpReport(CLI::App& app);
Run setUpConvert(CLI::App& app);
Run setUpDoctor(CLI::App& app);
Run setUpAmpl(CLI::App& app);
Run setUpInfo(CLI::App& app);
Run setUpCalibrate(CLI::App& app);

}  // namespace osi_cuda::cli
