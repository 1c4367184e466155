// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "examples/common/device.cuh"

namespace osi_cuda::examples::device {

/// Median over `repeats` of the seconds of what work() puts into the stream. One call goes before;
/// if it takes long already, two are enough. Of a single repeat it is the only one.
template <class Work>
double medianSeconds(cudaStream_t stream, int repeats, Work const& work) {
  double const first = seconds(stream, work);
  if (repeats <= 1) return first;
  constexpr double isLong = 0.02;
  std::vector<double> all(first > isLong ? 2 : repeats);
  for (double& each : all) each = seconds(stream, work);
  auto const middle = all.begin() + std::ptrdiff_t(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

}  // namespace osi_cuda::examples::device
