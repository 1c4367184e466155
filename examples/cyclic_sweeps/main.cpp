// SPDX-License-Identifier: EPL-2.0
#include "examples/common/measurements.hpp"
#include "examples/cyclic_sweeps/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda;
  return examples::runProgram(
      "cyclic_sweeps", "Periodic tridiagonal systems along the rows and columns of a grid.",
      {cyclic_sweeps::measureCommand(), cyclic_sweeps::waveCommand(), examples::reportCommand()},
      count, words);
}
