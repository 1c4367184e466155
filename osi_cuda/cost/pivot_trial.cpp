// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/pivot_trial.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {

PivotTrial::PivotTrial(Shape const& shape, double iterationSeconds, bool network)
    : expected_(1.2 * std::min(shape.rows, shape.columns)),
      // Wide problems take more, by the logarithm of columns to a row (Shamir 1987).
      many_(expected_ +
            0.3 * std::min(shape.rows, shape.columns) *
                std::log2(std::max(1.0, 1.0 * shape.columns / std::max(1, shape.rows)))),
      barrier_(barrierIterations * iterationSeconds),
      counted_(network ? 0.35 : 1.0) {}

bool PivotTrial::over(std::int64_t pivots, double work) {
  constexpr double share = 0.1;  // of the other's time, to learn what a pivot takes
  auto const count = static_cast<double>(pivots);
  if (count > pivots_) {
    pace_ = (counted_ * work - work_) / (count - pivots_);
    pivots_ = count;
    work_ = counted_ * work;
  }
  double const left = std::max(expected_ - pivots_, 0.5 * pivots_);
  double const believed = pivots_ > many_ ? 1.0 / counted_ : 1.0;
  return work_ > share * barrier_ && believed * (work_ + pace_ * left) > barrier_;
}

}  // namespace osi_cuda
