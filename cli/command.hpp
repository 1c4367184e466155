// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "shell/command.hpp"

namespace osi_cuda::cli {

using namespace shell;

/// All subcommands, in the order in which help shows them. A new one is a file with a
/// function that returns it and a line in commands().
std::vector<Command> commands();

/// The words of a command line as the commands take them. `osi-cuda FILE` is solve FILE, `help
/// COMMAND` is COMMAND --help, -V is --version. AMPL and its kin call a solver as `osi-cuda STUB
/// -AMPL NAME=VALUE ...`, which is ampl STUB NAME=VALUE ..., and as `osi-cuda -v` for its version.
std::vector<std::string> ownWords(int count, char const* const* given);

Command solveCommand();      // solve.cpp
Command batchCommand();      // batch.cpp
Command doctorCommand();     // doctor.cpp
Command infoCommand();       // info.cpp
Command calibrateCommand();  // calibrate.cpp
Command compareCommand();    // compare.cpp
Command convertCommand();    // convert.cpp
Command regressCommand();    // regress.cpp
Command mergeCommand();      // regress.cpp
Command reportCommand();     // report.cpp
Command amplCommand();       // ampl.cpp

}  // namespace osi_cuda::cli
