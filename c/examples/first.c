/* SPDX-License-Identifier: EPL-2.0 */
/*
 * A first problem, from arrays: what to make of 40 hours of work and 120 kg of wood.
 *
 *     max  20 tables + 9 chairs   subject to   4 tables + 2 chairs <= 40 hours
 *                                             15 tables + 5 chairs <= 120 kg
 *
 *     cc first.c $(pkg-config --cflags --libs osi-cuda-c) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>

#include <osi_cuda.h>

static void check(int code, osi_cuda_problem* problem) {
  if (code == OSI_CUDA_OK) return;
  fprintf(stderr, "%s\n", osi_cuda_message(problem));
  exit(EXIT_FAILURE);
}

int main(void) {
  double const needs[2][2] = {{4.0, 2.0}, {15.0, 5.0}}; /* by rows */
  double const available[2] = {40.0, 120.0};
  double const gains[2] = {20.0, 9.0};
  double values[2], duals[2], gain;

  osi_cuda_problem* problem = osi_cuda_create();
  if (!problem) return EXIT_FAILURE;
  check(osi_cuda_load_dense(problem, 2, 2, &needs[0][0], 2, 1, NULL, NULL, NULL, available, gains),
        problem);
  check(osi_cuda_set_sense(problem, OSI_CUDA_MAXIMIZE), problem);
  check(osi_cuda_solve(problem), problem);
  printf("status  %s\n", osi_cuda_status_text(osi_cuda_status(problem)));
  if (osi_cuda_status(problem) == OSI_CUDA_STATUS_OPTIMAL) {
    check(osi_cuda_get_number(problem, OSI_CUDA_OBJECTIVE, &gain), problem);
    check(osi_cuda_get_values(problem, OSI_CUDA_COLUMN_VALUES, 2, values), problem);
    check(osi_cuda_get_values(problem, OSI_CUDA_ROW_DUALS, 2, duals), problem);
    printf("gain    %g\n", gain);
    printf("tables  %g\nchairs  %g\n", values[0], values[1]);
    printf("one more hour gains %g, one more kilogram %g\n", duals[0], duals[1]);
  }
  osi_cuda_free(problem);
  return EXIT_SUCCESS;
}
