// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/best_point.hpp"

#include <utility>

#include "osi_cuda/simplex/judge.hpp"

namespace osi_cuda {

void BestPoint::offer(Solution&& solution, double residual, bool plain) {
  if (point_ && plain == plain_ && residual_ <= residual) return;
  if (point_ && plain_ && !plain) return;
  point_ = std::move(solution);
  residual_ = residual;
  plain_ = plain;
}

bool BestPoint::good() const {
  return point_ && (plain_ || residual_ <= Judge::target);
}

}  // namespace osi_cuda
