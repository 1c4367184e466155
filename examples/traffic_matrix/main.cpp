// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::examples;
  return runProgram("traffic_matrix",
                    "Estimates the traffic between all pairs of nodes from the loads of the links.",
                    {traffic::generateCommand(), traffic::estimateCommand()}, count, words);
}
