// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/pivot_trial.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {

PivotTrial::PivotTrial(Shape const& shape, double iterationSeconds, bool network)
    : barrier_(insideSeconds(iterationSeconds)), counted_(network ? 0.5 : 1.0) {
  double const side = std::max(1, std::min(shape.rows, shape.columns)),
               other = std::max(shape.rows, shape.columns);
  expected_ = 1.2 * side;
  // Oblong problems take more, by the logarithm of columns to a row (Shamir 1987).
  many_ = expected_ + 0.3 * side * std::log2(std::max(1.0, other / side));
}

bool PivotTrial::over(std::int64_t pivots, double work) const {
  constexpr double share = 0.1;  // of the other's time, to learn what a pivot takes
  auto const made = static_cast<double>(pivots);
  bool const usual = made <= many_;
  double const spent = usual ? counted_ * work : work,
               all = std::max(expected_, (usual ? 1.5 : 3.0) * made);
  return spent > share * barrier_ && spent * all > barrier_ * made;
}

}  // namespace osi_cuda
