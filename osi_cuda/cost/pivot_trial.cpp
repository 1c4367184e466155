// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/pivot_trial.hpp"

#include <algorithm>

namespace osi_cuda {

bool givesPivotsUp(Shape const& shape, double iterationSeconds, bool network, std::int64_t pivots,
                   double work) {
  constexpr double share = 0.1;  // of the other's time, to learn what a pivot takes
  auto const made = static_cast<double>(pivots);
  double const side = std::max(1, std::min(shape.rows, shape.columns)),
               other = std::max(shape.rows, shape.columns), expected = 1.2 * side;
  // Oblong problems take more, by the logarithm of columns to a row (Shamir 1987).
  bool const usual = made <= expected + 0.3 * side * std::log2(std::max(1.0, other / side));
  double const spent = usual && network ? 0.5 * work : work,
               all = std::max(expected, (usual ? 1.5 : 3.0) * made);
  double const barrier = insideSeconds(iterationSeconds);
  return spent > share * barrier && spent * all > barrier * made;
}

}  // namespace osi_cuda
