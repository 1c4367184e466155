// SPDX-License-Identifier: EPL-2.0
#include "studies/kit/experiment.hpp"
#include "studies/response/commands.hpp"

int main(int count, char** words) {
  using namespace osi_cuda;
  return examples::runProgram("study_response", "Kernels for fields on meshes and grids, measured.",
                              {response::measureCommand(), studies::reportCommand()}, count, words);
}
