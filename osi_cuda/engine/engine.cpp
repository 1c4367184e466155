// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda {

// What every engine can do; those that can do it faster do.
void Engine::exchange(int r, int q, double leavingValue) {
  Snapshot point = snapshot();
  auto const leaving = static_cast<std::size_t>(point.basicVariable[static_cast<std::size_t>(r)]);
  auto const entering =
      static_cast<std::size_t>(point.nonbasicVariable[static_cast<std::size_t>(q)]);
  std::vector<char> basic(point.value.size(), 0);
  for (int const v : point.basicVariable) basic[static_cast<std::size_t>(v)] = 1;
  basic[leaving] = 0;
  basic[entering] = 1;
  refactor(basic);
  point.value[leaving] = leavingValue;
  setValues(point.value);
}

BasicPoint Engine::basicPoint(Snapshot const& point, std::span<double const> cost) {
  auto const n = point.nonbasicVariable.size(), m = point.basicVariable.size();
  BasicPoint result;
  std::vector<double>& x = result.x;
  std::vector<double> rest(m, 0.0), basicCost(m, 0.0);
  x.assign(n, 0.0);
  for (int const variable : point.nonbasicVariable) {
    auto const v = static_cast<std::size_t>(variable);
    (v < n ? x[v] : rest[v - n]) = point.value[v];
  }
  std::vector<double> const product = multiply(x);
  for (std::size_t i = 0; i < m; ++i) rest[i] = -(product[i] + rest[i]);
  std::vector<double> const basicValue = ftran(rest);
  for (std::size_t i = 0; i < m; ++i) {
    auto const v = static_cast<std::size_t>(point.basicVariable[i]);
    if (v < n) x[v] = basicValue[i];
    basicCost[i] = cost[v];
  }
  result.y = btran(basicCost);
  return result;
}

std::unique_ptr<Engine> Engine::copyOfKept(StandardForm const&) const {
  return nullptr;
}

bool Engine::reach(std::vector<char> const&) {
  return false;
}

bool Engine::reshape(Reshape const&, StandardForm const&) {
  return false;
}

}  // namespace osi_cuda
