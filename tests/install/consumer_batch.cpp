// SPDX-License-Identifier: EPL-2.0
// A program of somebody else's that solves a batch: max x + y, x + 2 y <= 4, 3 x + y <= 6.
#include <cmath>
#include <cstdio>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/variants.hpp"

int main() {
  std::vector<int> const size{2};
  std::vector<double> const matrix{1, 2, 3, 1}, objective{1, 1}, rowUpper{4, 6};
  std::vector<osi_cuda::Sense> const sense{osi_cuda::Sense::maximize};
  osi_cuda::BatchProblems problems;
  problems.rows = problems.columns = size;
  problems.matrix = matrix;
  problems.objective = objective;
  problems.rowUpper = rowUpper;
  problems.sense = sense;
  osi_cuda::BatchResults const results = osi_cuda::solveBatch(problems);
  std::printf("%s %.6f\n", toString(results.status[0]), results.objective[0]);
  if (!(std::fabs(results.objective[0] - 2.8) < 1e-9)) return 1;

  // The same as one problem with a variant: x <= 1, where the optimum is 2.5.
  osi_cuda::LinearProgram lp;
  lp.sense = osi_cuda::Sense::maximize;
  lp.matrix.rows = lp.matrix.columns = 2;
  lp.matrix.starts = {0, 2, 4};
  lp.matrix.indices = {0, 1, 0, 1};
  lp.matrix.values = {1, 3, 2, 1};
  lp.objective = objective;
  lp.columnLower = {0, 0};
  lp.columnUpper = {osi_cuda::infinity, osi_cuda::infinity};
  lp.rowLower = {-osi_cuda::infinity, -osi_cuda::infinity};
  lp.rowUpper = rowUpper;
  osi_cuda::PackedVariants variants;
  variants.add(
      std::vector<osi_cuda::VariantChange>{{osi_cuda::VariantChange::What::columnUpper, 0, 1.0}});
  osi_cuda::BatchResults const variant = osi_cuda::solveVariants(lp, {}, variants.view());
  std::printf("%s %.6f\n", toString(variant.status[0]), variant.objective[0]);
  return std::fabs(variant.objective[0] - 2.5) < 1e-9 ? 0 : 1;
}
