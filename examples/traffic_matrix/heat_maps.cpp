// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "examples/common/svg.hpp"
#include "examples/traffic_matrix/pictures.hpp"
#include "shell/svg.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {

using examples::shade;
using examples::Svg;
using shell::coordinate;
using shell::escaped;
namespace {

constexpr double mapSize = 270.0, gap = 26.0, top = 44.0, barWidth = 14.0;
constexpr int mostLabels = 30;  // more nodes than that: labels would overlap
constexpr int levels = 48;      // colours of the scale
constexpr char none[] = "#e4e4e4";

/// Logarithmic, from the colours of the smallest to those of the largest entry.
class Scale {
 public:
  explicit Scale(std::vector<NamedMatrix> const& matrices) {
    std::vector<double> all;
    for (auto const& [name, matrix] : matrices)
      std::ranges::copy_if(matrix, std::back_inserter(all),
                           [](double value) { return value > 0.0; });
    if (all.empty()) return;
    std::ranges::sort(all);
    // A few tiny entries must not take the colours from the others.
    constexpr double ignored = 0.005;
    low_ = all[static_cast<std::size_t>(ignored * double(all.size() - 1))];
    high_ = std::max(all.back(), 1.01 * low_);
  }
  double share(double value) const { return std::log(value / low_) / std::log(high_ / low_); }
  int level(double value) const { return std::clamp(int(share(value) * levels), 0, levels - 1); }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 1.0, high_ = 10.0;
};

std::string colourOf(int level) {
  return shade(double(level) / double(levels - 1));
}

/// Nodes by falling traffic, sent and received.
std::vector<int> orderOf(std::vector<double> const& matrix, Pairs const& pairs) {
  Totals const totals = totalsOf(matrix, pairs);
  std::vector<int> order(pairs.nodes());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return totals.out[a] + totals.in[a] > totals.out[b] + totals.in[b];
  });
  return order;
}

/// One path for each colour, in units of cells; neighbours of one colour in a row are one bar.
std::string cells(std::vector<double> const& matrix, std::vector<int> const& order,
                  Scale const& scale) {
  Pairs const pairs(static_cast<int>(order.size()));
  int const n = pairs.nodes();
  constexpr int noTraffic = levels, diagonal = -1;
  std::array<std::string, levels + 1> paths;
  auto const levelAt = [&](int row, int column) {
    if (row == column) return diagonal;
    double const value = matrix[pairs(order[row], order[column])];
    return value > 0.0 ? scale.level(value) : noTraffic;
  };
  for (int row = 0; row < n; ++row) {
    for (int begin = 0, end = 0; begin < n; begin = end) {
      int const level = levelAt(row, begin);
      for (end = begin + 1; end < n && levelAt(row, end) == level;) ++end;
      if (level == diagonal) continue;
      std::string const width = std::to_string(end - begin);
      paths[level] += "M" + std::to_string(begin) + ' ' + std::to_string(row) + "h" + width +
                      "v1h-" + width + "z";
    }
  }
  std::string result;
  for (int level = 0; level <= levels; ++level)
    if (!paths[level].empty())
      result += "<path fill=\"" + (level == noTraffic ? std::string(none) : colourOf(level)) +
                "\" d=\"" + paths[level] + "\"/>\n";
  return result;
}

void drawNames(Svg& svg, Network const& network, std::vector<int> const& order, double left,
               bool rows) {
  double const cell = mapSize / double(order.size());
  double const size = std::clamp(cell - 1.0, 6.0, 11.0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::string const& name = network.nodes[order[k]].name;
    double const middle = (double(k) + 0.5) * cell + 0.35 * size;
    if (rows) svg.text(left - 5, top + middle, name, "end", size);
    svg.raw("<text transform=\"translate(" + coordinate(left + middle) + ' ' +
            coordinate(top + mapSize + 5) + ") rotate(-90)\" text-anchor=\"end\" font-size=\"" +
            coordinate(size) + "\" fill=\"#1f2933\">" + escaped(name) + "</text>\n");
  }
}

/// 1, 2 and 5 times powers of ten within the scale, or the powers alone where that are many.
std::vector<double> marks(Scale const& scale) {
  std::vector<double> result;
  bool const wide = scale.high() / scale.low() > 300.0;
  for (double power = std::pow(10.0, std::floor(std::log10(scale.low()))); power <= scale.high();
       power *= 10.0)
    for (double const digit : {1.0, 2.0, 5.0})
      if ((digit == 1.0 || !wide) && digit * power >= scale.low() && digit * power <= scale.high())
        result.push_back(digit * power);
  return result;
}

void drawBar(Svg& svg, Scale const& scale, double left) {
  double const step = mapSize / levels;
  for (int level = 0; level < levels; ++level)
    svg.rectangle(left, top + mapSize - (level + 1) * step, barWidth, step + 0.4, colourOf(level));
  for (double const value : marks(scale)) {
    double const y = top + mapSize * (1.0 - scale.share(value));
    svg.line(left + barWidth, y, left + barWidth + 4, y, "#4a4e57");
    svg.text(left + barWidth + 8, y + 4, axisNumber(value), "start", 11);
  }
  svg.text(left, top - 10, "traffic", "start", 12);
  svg.rectangle(left, top + mapSize + 14, barWidth, barWidth, none);
  svg.text(left + barWidth + 8, top + mapSize + 25, "none", "start", 11);
}

}  // namespace

std::string axisNumber(double value) {
  if (value == 0.0 || !std::isfinite(value)) return shell::shortNumber(value, 3);
  double const unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2.0);
  constexpr int digits = 9;  // from where on an exponent is shorter
  return shell::shortNumber(std::round(value / unit) * unit, digits);
}

std::string heatMaps(std::vector<NamedMatrix> const& matrices, Network const& network) {
  int const n = network.nodeCount();
  bool const named = n <= mostLabels;
  std::size_t longest = 0;
  for (Node const& node : network.nodes) longest = std::max(longest, node.name.size());
  double const nameSpace = named ? 14.0 + 7.4 * double(longest) : 26.0;
  double const count = double(matrices.size());
  double const width = nameSpace + count * (mapSize + gap) + 74.0;
  Svg svg(width, top + mapSize + std::max(nameSpace, 40.0) + 22.0, "Traffic matrices as heat maps");
  Scale const scale(matrices);
  std::vector<int> const order = orderOf(matrices.front().second, Pairs(n));

  double left = nameSpace;
  for (auto const& [name, matrix] : matrices) {
    svg.text(left, top - 12, name, "start", 14);
    svg.raw("<g shape-rendering=\"crispEdges\" transform=\"translate(" + coordinate(left) + ' ' +
            coordinate(top) + ") scale(" + std::to_string(mapSize / n) + ")\">\n" +
            cells(matrix, order, scale) + "</g>\n");
    svg.raw("<rect x=\"" + coordinate(left) + "\" y=\"" + coordinate(top) + "\" width=\"" +
            coordinate(mapSize) + "\" height=\"" + coordinate(mapSize) +
            "\" fill=\"none\" stroke=\"#9aa1ab\"/>\n");
    if (named) drawNames(svg, network, order, left, left == nameSpace);
    left += mapSize + gap;
  }
  drawBar(svg, scale, left);
  svg.text(nameSpace, top + mapSize + std::max(nameSpace, 24.0) + 12.0,
           "row: from, column: to; nodes with much traffic first", "start", 11, "#5b6470");
  return svg.document();
}

}  // namespace osi_cuda::examples::traffic
