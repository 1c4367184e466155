// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <random>

#include "CoinFinite.hpp"
#include "CoinPackedVector.hpp"

namespace osi_cuda::testing {

/// What random sequences of changes are drawn from; the same for a seed on every platform.
class RandomDraws {
 protected:
  explicit RandomDraws(unsigned seed) : random_(seed) {}

  /// 0 to limit - 1.
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  /// Row bounds around the activity of a point within the boxes, so that many rows can be kept.
  void rowBounds(CoinPackedVector const& row, double& lower, double& upper) {
    double activity = 0.0;
    for (int k = 0; k < row.getNumElements(); ++k) activity += row.getElements()[k];
    int const kind = below(5);
    lower = kind == 0 ? -COIN_DBL_MAX : activity - below(6);
    upper = kind == 1 ? COIN_DBL_MAX : activity + below(6);
    if (kind == 2) lower = upper = activity;
  }

  void columnBounds(double& lower, double& upper) {
    int const kind = below(8);
    lower = kind == 0 ? -5.0 : kind == 1 ? -COIN_DBL_MAX : 0.0;
    upper = kind == 2 ? COIN_DBL_MAX : 1.0 + below(10);
    if (kind == 3) lower = upper = 1.0;
  }

 private:
  std::mt19937 random_;
};

}  // namespace osi_cuda::testing
