// SPDX-License-Identifier: EPL-2.0
#include "examples/common/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "examples/common/svg.hpp"
#include "shell/svg.hpp"

namespace osi_cuda::examples {
namespace {

using shell::coordinate;
using shell::escaped;

constexpr double width = 800.0, height = 440.0;
constexpr double left = 76.0, right = 230.0, top = 44.0, bottom = 58.0;
constexpr double plotRight = width - right, plotBottom = height - bottom;
constexpr char gridColour[] = "#e1e5ea";

// Distinguishable also for readers who see few colours; the markers differ too.
constexpr std::array<char const*, 8> colours{"#1b6ca8", "#d1495b", "#2e933c", "#8c5fbf",
                                             "#e08e1b", "#2a9d9d", "#7a5c3e", "#4a4e57"};

double baseOf(Scale scale) {
  return scale == Scale::log2 ? 2.0 : 10.0;
}

/// shell::Axis, which is logarithmic, and the linear one.
class PlotAxis {
 public:
  PlotAxis(Scale scale, double low, double high, double from, double to)
      : scale_(scale), axis_{baseOf(scale), low, high, from, to} {}

  double operator()(double value) const {
    if (scale_ != Scale::linear) return axis_(value);
    double const share = (value - axis_.low) / (axis_.high - axis_.low);
    return axis_.from + std::clamp(share, 0.0, 1.0) * (axis_.to - axis_.from);
  }

  /// Round numbers, or what the logarithmic axis has.
  std::vector<double> marks() const {
    if (scale_ != Scale::linear) return axis_.marks();
    double const width = axis_.high - axis_.low;
    double step = std::pow(10.0, std::floor(std::log10(width / 4)));
    for (double const factor : {5.0, 2.0})
      if (width / (step * factor) >= 4) {
        step *= factor;
        break;
      }
    std::vector<double> result;
    for (double at = std::ceil(axis_.low / step - 1e-9) * step; at <= axis_.high + step * 1e-9;
         at += step)
      result.push_back(std::abs(at) < step * 1e-6 ? 0.0 : at);
    return result;
  }

 private:
  Scale scale_;
  shell::Axis axis_;
};

bool shown(double value, Scale scale) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0.0);
}

std::string number(double value, bool percent) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.4g", percent ? 100.0 * value : value);
  std::string result = text.data();
  // 1e+06 is 1e6 on paper, 1e-05 is 1e-5.
  if (std::size_t const e = result.find('e'); e != std::string::npos) {
    if (result[e + 1] == '+') result.erase(e + 1, 1);
    std::size_t const digit = e + (result[e + 1] == '-' ? 2 : 1);
    if (result[digit] == '0') result.erase(digit, 1);
  }
  return result + (percent ? " %" : "");
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Room around the data: whole decades on a logarithmic vertical axis, some per cent elsewhere.
Range padded(Range range, Scale scale, bool vertical) {
  if (scale == Scale::linear) {
    if (range.low > 0.0 && vertical) range.low = 0.0;
    if (range.high <= range.low) range.high = range.low + 1.0;
    if (vertical) range.high += 0.05 * (range.high - range.low);
    return range;
  }
  if (!vertical) {
    range.low /= 1.12;
    range.high *= 1.12;
    return range;
  }
  double const logBase = std::log(baseOf(scale));
  range.low = std::pow(baseOf(scale), std::floor(std::log(range.low) / logBase + 1e-9));
  range.high = std::pow(baseOf(scale), std::ceil(std::log(range.high) / logBase - 1e-9));
  if (range.high <= range.low) range.high = range.low * baseOf(scale);
  return range;
}

void drawFrame(Svg& svg, Plot const& plot, PlotAxis const& x, PlotAxis const& y) {
  svg.text(left, 24, plot.title, "start", 15);
  for (double const mark : x.marks()) {
    svg.line(x(mark), top, x(mark), plotBottom, gridColour);
    svg.text(x(mark), plotBottom + 20, number(mark, false), "middle", 12);
  }
  for (double const mark : y.marks()) {
    svg.line(left, y(mark), plotRight, y(mark), gridColour);
    svg.text(left - 8, y(mark) + 4, number(mark, plot.percent), "end", 12);
  }
  svg.line(left, plotBottom, plotRight, plotBottom, "#4a4e57");
  svg.line(left, top, left, plotBottom, "#4a4e57");
  svg.text((left + plotRight) / 2, height - 14, plot.xTitle, "middle");
  svg.verticalText(18, (top + plotBottom) / 2, plot.yTitle);
}

/// Circle, square, diamond, triangle in turn.
std::string marker(std::size_t kind, double x, double y, std::string const& title) {
  std::string const colour = colours[kind % colours.size()];
  auto const at = [](double a, double b) { return coordinate(a) + ' ' + coordinate(b) + ' '; };
  std::string shape;
  if (kind % 4 == 0) {
    shape = "<circle cx=\"" + coordinate(x) + "\" cy=\"" + coordinate(y) + "\" r=\"4\"";
  } else {
    std::string d;
    if (kind % 4 == 1)
      d = "M" + at(x - 3.6, y - 3.6) + "h7.2v7.2h-7.2z";
    else if (kind % 4 == 2)
      d = "M" + at(x, y - 5.2) + "l5.2 5.2l-5.2 5.2l-5.2 -5.2z";
    else
      d = "M" + at(x, y - 5) + "l5 8.6h-10z";
    shape = "<path d=\"" + d + "\"";
  }
  return shape + " fill=\"" + colour + "\"><title>" + escaped(title) + "</title></" +
         (kind % 4 == 0 ? "circle" : "path") + ">\n";
}

void drawCurve(Svg& svg, Plot const& plot, std::size_t index, PlotAxis const& x,
               PlotAxis const& y) {
  Curve const& curve = plot.curves[index];
  std::string const colour = colours[index % colours.size()];
  std::string path, markers;
  for (auto const& [a, b] : curve.points) {
    if (!shown(a, plot.xScale) || !shown(b, plot.yScale)) continue;
    path += (path.empty() ? "M" : " L") + coordinate(x(a)) + ' ' + coordinate(y(b));
    markers += marker(index, x(a), y(b),
                      curve.name + ": " + number(a, false) + ", " + number(b, plot.percent));
  }
  if (path.empty()) return;
  svg.path(path, colour, 1.8);
  svg.raw(markers);
  double const row = top + 10 + 22.0 * double(index);
  svg.line(plotRight + 16, row, plotRight + 40, row, colour, 1.8);
  svg.raw(marker(index, plotRight + 28, row, curve.name));
  svg.text(plotRight + 48, row + 4, curve.name, "start", 12);
}

}  // namespace

std::string draw(Plot const& plot) {
  Range xRange, yRange;
  for (Curve const& curve : plot.curves)
    for (auto const& [a, b] : curve.points)
      if (shown(a, plot.xScale) && shown(b, plot.yScale)) {
        xRange.add(a);
        yRange.add(b);
      }
  Svg svg(width, height, plot.title);
  if (xRange.low > xRange.high) {
    svg.text(width / 2, height / 2, plot.title + ": nothing to show", "middle");
    return svg.document();
  }
  xRange = padded(xRange, plot.xScale, false);
  yRange = padded(yRange, plot.yScale, true);
  if (plot.yRange.first < plot.yRange.second) yRange = {plot.yRange.first, plot.yRange.second};
  PlotAxis const x(plot.xScale, xRange.low, xRange.high, left, plotRight);
  PlotAxis const y(plot.yScale, yRange.low, yRange.high, plotBottom, top);
  drawFrame(svg, plot, x, y);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) drawCurve(svg, plot, k, x, y);
  return svg.document();
}

}  // namespace osi_cuda::examples
