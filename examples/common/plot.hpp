// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace osi_cuda::examples {

enum class Scale { linear, log2, log10 };

/// One curve: its name in the legend and its points, drawn in their order.
struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

/// What a plot of curves shows. Ranges follow from the points unless `yRange` is given (low <
/// high); points that a logarithmic axis can't show are left out.
struct Plot {
  std::string title;
  std::string xTitle, yTitle;
  Scale xScale = Scale::linear, yScale = Scale::linear;
  std::pair<double, double> yRange{0.0, 0.0};
  bool percent = false;  ///< y is a share, its marks are written as per cent
  std::vector<Curve> curves;
};

/// The plot as an SVG document, or a document that says so if there is no point to show.
std::string draw(Plot const& plot);

}  // namespace osi_cuda::examples
