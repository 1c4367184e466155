// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "shell/command.hpp"

namespace osi_cuda::cli {

using namespace shell;

/// All subcommands, in the order in which help shows them. A new one is a file with a
/// function that returns it and a line in commands().
std::vector<Command> commands();

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
