/* SPDX-License-Identifier: EPL-2.0 */
/*
 * A file, solved again and again after changes: each solve starts from the last basis, so that it
 * takes few pivots. One column after the other is fixed at 0, and what that costs is printed.
 *
 *     resolve FILE
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <osi_cuda.h>

static void check(int code, osi_cuda_problem* problem) {
  if (code == OSI_CUDA_OK) return;
  fprintf(stderr, "%s\n", osi_cuda_message(problem));
  exit(EXIT_FAILURE);
}

static double number(osi_cuda_problem* problem, int which) {
  double value;
  check(osi_cuda_get_number(problem, which, &value), problem);
  return value;
}

static void say(void* data, char const* sentence) {
  (void)data;
  fprintf(stderr, "%s\n", sentence);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: resolve FILE\n");
    return EXIT_FAILURE;
  }
  osi_cuda_problem* problem = osi_cuda_create();
  if (!problem) return EXIT_FAILURE;
  check(osi_cuda_set_log(problem, say, NULL), problem);
  check(osi_cuda_set_option(problem, "time-limit", "60"), problem);
  check(osi_cuda_read(problem, argv[1]), problem);
  check(osi_cuda_solve(problem), problem);
  if (osi_cuda_status(problem) != OSI_CUDA_STATUS_OPTIMAL) {
    printf("%s\n", osi_cuda_status_text(osi_cuda_status(problem)));
    return EXIT_FAILURE;
  }
  double const optimum = number(problem, OSI_CUDA_OBJECTIVE);
  double const cold = number(problem, OSI_CUDA_ITERATIONS);
  int32_t const rows = osi_cuda_rows(problem), columns = osi_cuda_columns(problem);
  printf("optimum %.10g after %g iterations\n", optimum, cold);

  /* The basis of the optimum, to begin with for each column. */
  uint8_t* const columnBasis = malloc((size_t)columns + 1);
  uint8_t* const rowBasis = malloc((size_t)rows + 1);
  double* const lower = malloc(sizeof(double) * ((size_t)columns + 1));
  double* const upper = malloc(sizeof(double) * ((size_t)columns + 1));
  if (!columnBasis || !rowBasis || !lower || !upper) return EXIT_FAILURE;
  check(osi_cuda_get_basis(problem, columnBasis, rowBasis), problem);
  check(osi_cuda_get_column_bounds(problem, lower, upper), problem);

  double const zero = 0.0;
  double warm = 0.0;
  int32_t solves = 0;
  for (int32_t j = 0; j < columns; ++j) {
    if (lower[j] > 0.0 || upper[j] < 0.0) continue;
    check(osi_cuda_set_basis(problem, columnBasis, rowBasis), problem);
    check(osi_cuda_set_column_bounds(problem, 1, &j, &zero, &zero), problem);
    check(osi_cuda_solve(problem), problem);
    warm += number(problem, OSI_CUDA_ITERATIONS);
    ++solves;
    if (osi_cuda_status(problem) == OSI_CUDA_STATUS_OPTIMAL) {
      double const cost = fabs(number(problem, OSI_CUDA_OBJECTIVE) - optimum);
      if (cost > 1e-9 * fabs(optimum))
        printf("%-8s %.6g\n", osi_cuda_column_name(problem, j), cost);
    } else {
      printf("%-8s %s\n", osi_cuda_column_name(problem, j),
             osi_cuda_text(problem, OSI_CUDA_TEXT_STATUS));
    }
    check(osi_cuda_set_column_bounds(problem, 1, &j, &lower[j], &upper[j]), problem);
  }
  printf("%d solves from the last basis took %.1f iterations each\n", (int)solves,
         solves ? warm / solves : 0.0);
  free(upper);
  free(lower);
  free(rowBasis);
  free(columnBasis);
  osi_cuda_free(problem);
  return EXIT_SUCCESS;
}
