// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::shortest_path;
  return osi_cuda::examples::runProgram(
      "shortest_path", "Shortest paths as linear programs, beside the graph algorithms.",
      {solveCommand(), experimentCommand(), reportCommand()}, count, words);
}
