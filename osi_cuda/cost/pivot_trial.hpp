// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "osi_cuda/cost/cost_model.hpp"

namespace osi_cuda {

/// Seconds of a sparse problem by those of an iteration, which are its normal matrix's. The method
/// with its crossover takes 30 iterations' time. All pivots: whatever fills L in bounds what fills
/// a basis in (George and Ng 1985), and their number grows with the sides, too; half of the
/// problems that this was fitted on take between a half and twice as long. The other third agrees.
inline double insideSeconds(double ofIteration) {
  return 30.0 * ofIteration;
}
inline double pivotsSeconds(double ofIteration) {
  return 290.0 * std::pow(ofIteration, 1.24);
}

/// Whether to give up so many pivots, of so many seconds by their counted work, for an interior
/// point method. They go on as long as, at their pace, all will have taken less than that method
/// with its crossover: 1.2 of the smaller number of rows and columns are usual (Dantzig 1963), or
/// half as many as were made. Those of networks pass over short lines that lie in the cache, in
/// half of the counted time. Where there are more than usual for such sides it counts in full, and
/// twice as many as were made are expected.
bool givesPivotsUp(Shape const& shape, double iterationSeconds, bool network, std::int64_t pivots,
                   double work);

}  // namespace osi_cuda
