// SPDX-License-Identifier: EPL-2.0
#include <cstdio>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/quick_end.hpp"
#include "shell/program.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::cli;
  int const status = runProgram(
      "osi-cuda", "Solves linear programs with a dense simplex on CUDA devices or the processor.",
      commands(), count, words);
  if (!endsQuickly()) return status;
  std::fflush(nullptr);
  std::_Exit(status);
}
