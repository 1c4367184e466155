// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/dives.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/search/branching.hpp"

namespace osi_cuda::search {
namespace {

void fix(std::vector<BoundChange>& node, int column, double value) {
  node.push_back({column, false, value});
  node.push_back({column, true, value});
}

}  // namespace

std::vector<BoundChange> deeper(LinearProgram const& problem, std::span<BoundChange const> node,
                                std::span<double const> x) {
  std::vector<std::pair<double, int>> fractional;
  for (int j = 0; j < problem.columns(); ++j) {
    double const off = std::fabs(x[at(j)] - std::round(x[at(j)]));
    if (problem.integer[at(j)] && off > wholeTolerance) fractional.emplace_back(off, j);
  }
  if (fractional.empty()) return {};
  std::ranges::sort(fractional);
  std::vector<BoundChange> next(node.begin(), node.end());
  for (std::size_t k = 0; k < (fractional.size() + 3) / 4; ++k)
    fix(next, fractional[k].second, std::round(x[at(fractional[k].second)]));
  return next;
}

std::vector<BoundChange> fixedAt(LinearProgram const& problem, std::span<double const> x) {
  std::vector<BoundChange> node;
  for (int j = 0; j < problem.columns(); ++j)
    if (problem.integer[at(j)]) fix(node, j, std::round(x[at(j)]));
  return node;
}

}  // namespace osi_cuda::search
