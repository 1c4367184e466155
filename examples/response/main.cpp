// SPDX-License-Identifier: EPL-2.0
#include "examples/common/measurements.hpp"
#include "examples/response/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::response;
  return osi_cuda::examples::runProgram(
      "response", "Chooses sources for a field: dense LPs that come from meshes and grids.",
      {meshCommand(), gridCommand(), solveCommand(), runCommand(), experimentCommand(),
       osi_cuda::examples::reportCommand()},
      count, words);
}
