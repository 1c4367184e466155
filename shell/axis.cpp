// SPDX-License-Identifier: EPL-2.0
#include "shell/axis.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::shell {

double baseOf(Scale scale) {
  return scale == Scale::log2 ? 2.0 : 10.0;
}

double Axis::operator()(double value) const {
  double const share = scale_ == Scale::linear ? (value - low_) / (high_ - low_)
                                               : std::log(value / low_) / std::log(high_ / low_);
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

std::vector<double> Axis::marks() const {
  std::vector<double> result;
  if (scale_ == Scale::linear) {
    double step = std::pow(10.0, std::floor(std::log10((high_ - low_) / 4)));
    for (double const factor : {5.0, 2.0})
      if ((high_ - low_) / (step * factor) >= 4) {
        step *= factor;
        break;
      }
    for (double at = std::ceil(low_ / step - 1e-9) * step; at <= high_ + step * 1e-9; at += step)
      result.push_back(std::abs(at) < step * 1e-6 ? 0.0 : at);
    return result;
  }
  double const logBase = std::log(baseOf(scale_));
  int const first = int(std::ceil(std::log(low_) / logBase - 1e-9));
  int const last = int(std::floor(std::log(high_) / logBase + 1e-9));
  int const step = 1 + (last - first) / 10;
  for (int k = first; k <= last; k += step) result.push_back(std::pow(baseOf(scale_), k));
  return result;
}

}  // namespace osi_cuda::shell
