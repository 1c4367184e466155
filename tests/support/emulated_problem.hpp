// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "tests/support/random.hpp"

// Small dense problems for the emulated grid.
namespace osi_cuda::testing {

inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// min c'x, A x + s = 0 with bounds on (x, s), A dense by rows.
struct Problem {
  int m, n;
  std::vector<double> a, cost, lower, upper;

  LinearProgram program() const {
    LinearProgram lp;
    lp.matrix.rows = m;
    lp.matrix.columns = n;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        lp.matrix.indices.push_back(i);
        lp.matrix.values.push_back(a[at(i) * at(n) + at(j)]);
      }
      lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    }
    lp.objective.assign(cost.begin(), cost.begin() + n);
    lp.columnLower.assign(lower.begin(), lower.begin() + n);
    lp.columnUpper.assign(upper.begin(), upper.begin() + n);
    for (int i = 0; i < m; ++i) {
      lp.rowLower.push_back(-upper[at(n + i)]);
      lp.rowUpper.push_back(-lower[at(n + i)]);
    }
    return lp;
  }
};

/// Boxed variables and rows around a point, so that it is feasible; x = lower mostly is not.
inline Problem boxedProblem(int m, int n, double lower, unsigned seed, double density = 1.0) {
  Random random(seed);
  auto const uniform = [&] { return random.between(-1.0, 1.0); };
  Problem p{m, n, std::vector<double>(at(m) * at(n)), {}, {}, {}};
  for (double& entry : p.a) entry = uniform();
  if (density < 1.0)
    for (double& entry : p.a) entry *= uniform() < 2.0 * density - 1.0 ? 1.0 : 0.0;
  std::vector<double> point(at(n));
  for (double& x : point) x = 0.5 * (lower + 3.0) + uniform();
  for (int j = 0; j < n; ++j) p.cost.push_back(uniform());
  p.cost.resize(at(m + n), 0.0);
  p.lower.assign(at(n), lower);
  p.upper.assign(at(n), 3.0);
  for (int i = 0; i < m; ++i) {
    double slack = 0.0;
    for (int j = 0; j < n; ++j) slack -= p.a[at(i) * at(n) + at(j)] * point[at(j)];
    p.lower.push_back(slack - 0.3);
    p.upper.push_back(slack + 0.3 + 0.1 * uniform());
  }
  return p;
}

/// The same with room for x = 0 and costs that pull it away.
inline Problem feasibleProblem(int m, int n, unsigned seed, double density = 1.0) {
  Problem p = boxedProblem(m, n, 0.0, seed, density);
  for (int i = 0; i < m; ++i) p.lower[at(n + i)] = -1.0 - 0.01 * i, p.upper[at(n + i)] = infinity;
  for (int j = 0; j < n; ++j) p.cost[at(j)] -= 1.0;
  return p;
}

}  // namespace osi_cuda::testing
