/* SPDX-License-Identifier: EPL-2.0 */
/* The header alone, as the first thing of a file, in plain C11 without extensions. */
#include <osi_cuda.h>

int main(void) {
  osi_cuda_problem* const problem = osi_cuda_create();
  int const code = osi_cuda_solve(problem);
  osi_cuda_free(problem);
  return code == OSI_CUDA_OK && osi_cuda_version()[0] == '0' + OSI_CUDA_VERSION_MAJOR ? 0 : 1;
}
