// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

namespace osi_cuda::examples::traffic {

/// How near an estimate X is to the true matrix T, over the pairs with T_j > 0.
struct Accuracy {
  double meanRelative = 0.0;     ///< mean of |X_j - T_j| / T_j
  double medianRelative = 0.0;   ///< its median
  double totalVariation = 0.0;   ///< sum |X_j - T_j| / (2 sum T_j), over all pairs
  double within23 = 0.0;         ///< share of the pairs with a relative error of at most 23 %
  double trafficWithin23 = 0.0;  ///< share of the true traffic on those pairs
};

/// A measure as JSON and tables name it.
struct Measure {
  double Accuracy::*of;
  char const *key, *heading;
};
inline constexpr Measure measures[] = {
    {&Accuracy::meanRelative, "mean_relative", "mean error"},
    {&Accuracy::medianRelative, "median_relative", "median error"},
    {&Accuracy::totalVariation, "total_variation", "total variation"},
    {&Accuracy::within23, "within_23_percent", "pairs within 23 %"},
    {&Accuracy::trafficWithin23, "traffic_within_23_percent", "traffic within 23 %"}};

Accuracy accuracyOf(std::vector<double> const& estimate, std::vector<double> const& truth);

/// The `count` pairs whose |X_j - T_j| is largest, the largest first.
std::vector<int> worstPairs(std::vector<double> const& estimate, std::vector<double> const& truth,
                            int count);

}  // namespace osi_cuda::examples::traffic
