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

bool Engine::reach(std::vector<char> const&) {
  return false;
}

bool Engine::reshape(Reshape const&, StandardForm const&) {
  return false;
}

}  // namespace osi_cuda
