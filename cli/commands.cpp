// SPDX-License-Identifier: EPL-2.0
#include "cli/command.hpp"

namespace osi_cuda::cli {

std::vector<Command> commands() {
  return {solveCommand(), batchCommand(),  compareCommand(),  regressCommand(),
          mergeCommand(), reportCommand(), convertCommand(),  doctorCommand(),
          amplCommand(),  infoCommand(),   calibrateCommand()};
}

}  // namespace osi_cuda::cli
