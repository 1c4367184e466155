// SPDX-License-Identifier: EPL-2.0
#include "examples/common/program.hpp"

#include <CoinError.hpp>
#include <utility>

#include "shell/command.hpp"

namespace osi_cuda::examples {
namespace {

ExitStatus translated(Run const& run) {
  try {
    return run();
  } catch (CoinError const& error) {
    throw Failure(ExitStatus::unavailable, error.message());
  }
}

}  // namespace

int runProgram(std::string const& program, std::string const& help, std::vector<Command> commands,
               int count, char const* const* words) {
  for (Command& command : commands)
    command.setUp = [setUp = std::move(command.setUp)](CLI::App& app) -> Run {
      return [run = setUp(app)] { return translated(run); };
    };
  return shell::runProgram(program, help, commands, count, words);
}

}  // namespace osi_cuda::examples
