// SPDX-License-Identifier: EPL-2.0
// A program of somebody else's that solves a batch: max x + y, x + 2 y <= 4, 3 x + y <= 6.
#include <cmath>
#include <cstdio>
#include <vector>

#include "osi_cuda/batch/batch.hpp"

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
  return std::fabs(results.objective[0] - 2.8) < 1e-9 ? 0 : 1;
}
