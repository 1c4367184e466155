// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "examples/common/failure.hpp"

namespace osi_cuda::examples {

using cli::Command;
using cli::Run;
using cli::writeTextFile;

/// cli::runProgram for programs that solve through OSI: what a solver throws there (CoinError) ends
/// them with the status `unavailable`.
int runProgram(std::string const& program, std::string const& help, std::vector<Command> commands,
               int count, char const* const* words);

}  // namespace osi_cuda::examples
