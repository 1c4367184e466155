// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

namespace osi_cuda::shell {

enum class Scale { linear, log2, log10 };

/// What the powers at the marks of a logarithmic axis are of.
double baseOf(Scale scale);

/// One axis of a plot: from data, `low` to `high`, to pixels, `from` to `to`; and where its marks
/// are. What lies outside is drawn at the end.
class Axis {
 public:
  Axis(Scale scale, double low, double high, double from, double to)
      : scale_(scale), low_(low), high_(high), from_(from), to_(to) {}

  double operator()(double value) const;

  /// Round numbers, or powers of the base: every second or third one where they would crowd.
  std::vector<double> marks() const;

 private:
  Scale scale_;
  double low_, high_, from_, to_;
};

}  // namespace osi_cuda::shell
