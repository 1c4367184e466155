// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/failure.hpp"
#include "shell/command.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::examples {

using shell::checkDistinct;
using shell::Command;
using shell::NamedFile;
using shell::Run;
using shell::writeTextFile;

/// shell::runProgram for programs that solve through OSI: what a solver throws there (CoinError)
/// ends them with the status `unavailable`.
int runProgram(std::string const& program, std::string const& help, std::vector<Command> commands,
               int count, char const* const* words);

}  // namespace osi_cuda::examples
