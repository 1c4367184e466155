// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace osi_cuda::shell {

/// One logarithmic axis of a plot: from data, `low` to `high`, to pixels, `from` to `to`; and where
/// its marks are. What lies outside is drawn at the end.
struct Axis {
  double base;
  double low, high;
  double from, to;

  double operator()(double value) const;

  /// Powers of the base: every second or third one where they would crowd.
  std::vector<double> marks() const;
};

/// Text with the characters that mean something to SVG and HTML replaced.
std::string escaped(std::string_view text);

/// A coordinate with at most one decimal.
std::string coordinate(double value);

}  // namespace osi_cuda::shell
