// SPDX-License-Identifier: EPL-2.0
#include "examples/common/program.hpp"
#include "examples/textbook/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::textbook;
  return osi_cuda::examples::runProgram(
      "textbook", "The textbook's dense simplex and matrix product on the GPU, measured.",
      {simplexCommand(), productCommand(), reportCommand()}, count, words);
}
