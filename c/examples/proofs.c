/* SPDX-License-Identifier: EPL-2.0 */
/*
 * Problems without an optimum, and why they have none: Farkas multipliers and a ray, each checked
 * by hand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <osi_cuda.h>

static void check(int code, osi_cuda_problem* problem) {
  if (code == OSI_CUDA_OK) return;
  fprintf(stderr, "%s\n", osi_cuda_message(problem));
  exit(EXIT_FAILURE);
}

int main(void) {
  /* By columns (CSC): x + y <= 1 and x + 2 y >= 4, with 0 <= x and 0 <= y <= 1. */
  int64_t const starts[3] = {0, 2, 4};
  int32_t const rows[4] = {0, 1, 0, 1};
  double const entries[4] = {1.0, 1.0, 1.0, 2.0};
  double const columnUpper[2] = {INFINITY, 1.0};
  double const rowLower[2] = {-INFINITY, 4.0}, rowUpper[2] = {1.0, INFINITY};
  double const costs[2] = {-1.0, 0.0};
  double y[2], ray[2], margin;
  int32_t const first = 0;

  osi_cuda_problem* problem = osi_cuda_create();
  if (!problem) return EXIT_FAILURE;
  check(osi_cuda_load_columns(problem, 2, 2, starts, rows, entries, NULL, columnUpper, rowLower,
                              rowUpper, costs),
        problem);
  check(osi_cuda_solve(problem), problem);
  printf("%s\n", osi_cuda_status_text(osi_cuda_status(problem)));
  if (osi_cuda_status(problem) != OSI_CUDA_STATUS_INFEASIBLE) return EXIT_FAILURE;
  check(osi_cuda_get_values(problem, OSI_CUDA_FARKAS, 2, y), problem);
  check(osi_cuda_get_number(problem, OSI_CUDA_MARGIN, &margin), problem);
  /* y'(A x) lies between the sums below over the rows' bounds, but x within its bounds gives less.
   */
  double const needed = y[0] * rowUpper[0] + y[1] * rowLower[1]; /* y0 <= 0, y1 >= 0 */
  double const x = y[0] + y[1], yColumn = y[0] + 2.0 * y[1];     /* A'y */
  double const most = yColumn > 0.0 ? yColumn * columnUpper[1] : 0.0;
  printf("the rows need %g, the columns give at most %g; proof: %s, margin %g\n", needed, most,
         osi_cuda_text(problem, OSI_CUDA_TEXT_PROOF), margin);
  if (y[0] > 0.0 || y[1] < 0.0 || x > 0.0 || needed <= most) return EXIT_FAILURE;

  /* Without the first row x may grow for ever, and the costs want it to. */
  check(osi_cuda_delete_rows(problem, 1, &first), problem);
  check(osi_cuda_solve(problem), problem);
  printf("%s\n", osi_cuda_status_text(osi_cuda_status(problem)));
  if (osi_cuda_status(problem) != OSI_CUDA_STATUS_UNBOUNDED) return EXIT_FAILURE;
  check(osi_cuda_get_values(problem, OSI_CUDA_RAY, 2, ray), problem);
  printf("ray (%g, %g)\n", ray[0], ray[1]);
  if (ray[0] <= 0.0 || ray[1] != 0.0) return EXIT_FAILURE;
  osi_cuda_free(problem);
  return EXIT_SUCCESS;
}
