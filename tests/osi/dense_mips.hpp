// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// A dense MIP by its name, the same for a seed on every machine:
///   knapsack:MxN:SEED         max c'x, A x <= b, x binary; a_ij in 1..1000, c_j their mean and
///   some cover:MxN:PERCENT:SEED    min c'x, A x >= 1, x binary, PERCENT of the entries 1
/// Throws std::invalid_argument for any other name.
inline LinearProgram denseMip(std::string const& name) {
  int m = 0, n = 0;
  double percent = 100.0;
  unsigned long long seed = 1;
  bool const knapsack = std::sscanf(name.c_str(), "knapsack:%dx%d:%llu", &m, &n, &seed) == 3;
  if (!knapsack && std::sscanf(name.c_str(), "cover:%dx%d:%lf:%llu", &m, &n, &percent, &seed) != 4)
    throw std::invalid_argument("no dense MIP is called " + name);
  std::mt19937_64 random(seed);
  auto const below = [&](std::uint64_t end) { return static_cast<double>(random() % end); };
  LinearProgram lp;
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  lp.matrix.starts.assign(1, 0);
  std::vector<double> sum(static_cast<std::size_t>(m), 0.0);
  for (int j = 0; j < n; ++j) {
    double mean = 0.0;
    for (int i = 0; i < m; ++i) {
      double const entry = knapsack                         ? 1.0 + below(1000)
                           : below(1000000) < 1e4 * percent ? 1.0
                                                            : 0.0;
      if (entry == 0.0) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(entry);
      sum[static_cast<std::size_t>(i)] += entry;
      mean += entry / m;
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    lp.objective.push_back(knapsack ? -(mean + below(500)) : 1.0 + below(100));
  }
  for (int i = 0; i < m; ++i) {
    lp.rowLower.push_back(knapsack ? -infinity : 1.0);
    lp.rowUpper.push_back(knapsack ? 0.5 * sum[static_cast<std::size_t>(i)] : infinity);
  }
  lp.columnLower.assign(static_cast<std::size_t>(n), 0.0);
  lp.columnUpper.assign(static_cast<std::size_t>(n), 1.0);
  lp.integer.assign(static_cast<std::size_t>(n), 1);
  return lp;
}

}  // namespace osi_cuda::testing
