// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

namespace osi_cuda {

/// A point inside, scaled, that the simplex method takes over from an interior point method. Empty
/// vectors: there is none.
struct InteriorStart {
  /// By variable: where the nonbasic ones begin; those strictly between their bounds are pushed to
  /// one. Others are ignored.
  std::vector<double> value;
  std::vector<double> multiplier;  ///< by constraint
};

}  // namespace osi_cuda
