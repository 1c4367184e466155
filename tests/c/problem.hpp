// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "c/osi_cuda.h"

namespace osi_cuda::testing {

struct FreeProblem {
  void operator()(osi_cuda_problem* problem) const { osi_cuda_free(problem); }
};
using Problem = std::unique_ptr<osi_cuda_problem, FreeProblem>;

inline Problem makeProblem() {
  return Problem(osi_cuda_create());
}

/// max 20 x + 9 y; 4 x + 2 y <= 40, 15 x + 5 y <= 120; x, y >= 0. Optimum 188 at (4, 12), duals
/// (3.5, 0.4).
inline Problem furniture() {
  Problem problem = makeProblem();
  std::vector<double> const matrix{4, 2, 15, 5}, upper{40, 120}, costs{20, 9};
  osi_cuda_load_dense(problem.get(), 2, 2, matrix.data(), 2, 1, nullptr, nullptr, nullptr,
                      upper.data(), costs.data());
  osi_cuda_set_sense(problem.get(), OSI_CUDA_MAXIMIZE);
  return problem;
}

/// A dense problem that takes some hundred pivots: max sum x, A x <= 1, with entries from 0.1 to 1
/// by a linear congruence.
inline Problem dense(int rows, int columns, unsigned seed = 1) {
  std::vector<double> matrix(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (double& entry : matrix) {
    seed = seed * 1664525u + 1013904223u;
    entry = 0.1 + 0.9 * (seed >> 8) / 16777216.0;
  }
  std::vector<double> const upper(static_cast<std::size_t>(rows), 1.0);
  std::vector<double> const costs(static_cast<std::size_t>(columns), 1.0);
  Problem problem = makeProblem();
  osi_cuda_load_dense(problem.get(), rows, columns, matrix.data(), columns, 1, nullptr, nullptr,
                      nullptr, upper.data(), costs.data());
  osi_cuda_set_sense(problem.get(), OSI_CUDA_MAXIMIZE);
  return problem;
}

inline double number(Problem const& problem, int which) {
  double value = -1e300;  // what no test expects
  osi_cuda_get_number(problem.get(), which, &value);
  return value;
}

inline std::vector<double> values(Problem const& problem, int which, int length) {
  std::vector<double> result(static_cast<std::size_t>(length), -1e300);
  osi_cuda_get_values(problem.get(), which, length, result.data());
  return result;
}

inline std::string message(Problem const& problem) {
  return osi_cuda_message(problem.get());
}

}  // namespace osi_cuda::testing
