// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace osi_cuda::examples::traffic {
namespace {

constexpr double near = 0.23;

}  // namespace

Accuracy accuracyOf(std::vector<double> const& estimate, std::vector<double> const& truth) {
  Accuracy accuracy;
  double total = 0.0, difference = 0.0, nearTraffic = 0.0;
  std::vector<double> errors;  // of the pairs with traffic, relative
  for (std::size_t j = 0; j < truth.size(); ++j) {
    double const gap = std::abs(estimate[j] - truth[j]);
    total += truth[j];
    difference += gap;
    if (gap <= near * truth[j]) nearTraffic += truth[j];
    if (truth[j] > 0.0) errors.push_back(gap / truth[j]);
  }
  if (total <= 0.0) return accuracy;
  accuracy.totalVariation = difference / (2.0 * total);
  accuracy.trafficWithin23 = nearTraffic / total;
  std::ranges::sort(errors);
  double const count = static_cast<double>(errors.size());
  accuracy.meanRelative = std::accumulate(errors.begin(), errors.end(), 0.0) / count;
  accuracy.medianRelative = errors[errors.size() / 2];
  accuracy.within23 = double(std::ranges::upper_bound(errors, near) - errors.begin()) / count;
  return accuracy;
}

std::vector<int> worstPairs(std::vector<double> const& estimate, std::vector<double> const& truth,
                            int count) {
  std::vector<int> pairs(truth.size());
  std::iota(pairs.begin(), pairs.end(), 0);
  auto const gap = [&](int j) { return std::abs(estimate[j] - truth[j]); };
  std::ranges::stable_sort(pairs, [&](int a, int b) { return gap(a) > gap(b); });
  pairs.resize(std::min<std::size_t>(pairs.size(), static_cast<std::size_t>(count)));
  return pairs;
}

}  // namespace osi_cuda::examples::traffic
