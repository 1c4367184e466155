// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/limits.hpp"

namespace osi_cuda {

bool Limits::outOfTime() {
  return take(budget_.interruption());
}

bool Limits::reached() {
  return take(budget_.reached());
}

bool Limits::take(Limit limit) {
  if (limit == Limit::none) return false;
  which_ = statusOf(limit);
  return true;
}

}  // namespace osi_cuda
