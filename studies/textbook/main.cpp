// SPDX-License-Identifier: EPL-2.0
#include "examples/common/program.hpp"
#include "studies/kit/experiment.hpp"
#include "studies/textbook/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda::textbook;
  return osi_cuda::examples::runProgram(
      "study_textbook", "The textbook's dense simplex on the GPU, measured.",
      {simplexCommand(), osi_cuda::studies::reportCommand()}, count, words);
}
