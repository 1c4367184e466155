// SPDX-License-Identifier: EPL-2.0
#include "cli/command.hpp"
#include "shell/program.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::cli;
  return runProgram("osi-cuda",
                    "Solves linear programs with a dense simplex on CUDA devices or the processor.",
                    commands(), count, words);
}
