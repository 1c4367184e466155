// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "examples/common/svg.hpp"
#include "examples/traffic_matrix/pictures.hpp"
#include "shell/svg.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {

using examples::Svg;
using shell::coordinate;
namespace {

constexpr double width = 680.0, height = 400.0;
constexpr double left = 64.0, right = 24.0, top = 40.0, bottom = 54.0;
constexpr double plotRight = width - right, plotBottom = height - bottom;
constexpr double near = 0.23;
constexpr double largestError = 1.0;  // the horizontal axis, linear
constexpr std::array<char const*, 4> colours{"#8a8f98", "#1b6ca8", "#d1495b", "#2e933c"};

double xOf(double error) {
  return left + error / largestError * (plotRight - left);
}
double yOf(double share) {
  return plotBottom - share * (plotBottom - top);
}

std::string percent(double share) {
  return shell::shortNumber(std::round(share * 1000.0) / 10.0, 4) + " %";
}

/// Errors, ascending, and the share of pairs or of traffic up to each.
class Distribution {
 public:
  enum class Of { pairs, traffic };
  Distribution(std::vector<double> const& estimate, std::vector<double> const& truth, Of of) {
    std::vector<std::pair<double, double>> weighed;  // error, weight
    double total = 0.0;
    for (std::size_t j = 0; j < truth.size(); ++j) {
      if (truth[j] <= 0.0) continue;
      double const weight = of == Of::pairs ? 1.0 : truth[j];
      weighed.emplace_back(std::abs(estimate[j] - truth[j]) / truth[j], weight);
      total += weight;
    }
    std::ranges::sort(weighed);
    double sum = 0.0;
    for (auto const& [error, weight] : weighed) {
      sum += weight;
      errors_.push_back(error);
      shares_.push_back(sum / total);
    }
  }
  double within(double limit) const {
    auto const end = std::ranges::upper_bound(errors_, limit);
    return end == errors_.begin() ? 0.0 : shares_[end - errors_.begin() - 1];
  }

 private:
  std::vector<double> errors_, shares_;
};

void drawFrame(Svg& svg) {
  for (int tenth = 0; tenth <= 10; tenth += 2) {
    double const share = tenth / 10.0;
    svg.line(left, yOf(share), plotRight, yOf(share), "#e1e5ea");
    svg.text(left - 8, yOf(share) + 4, percent(share), "end", 12);
    svg.line(xOf(share), top, xOf(share), plotBottom, "#e1e5ea");
    svg.text(xOf(share), plotBottom + 18, percent(share), "middle", 12);
  }
  svg.line(left, plotBottom, plotRight, plotBottom, "#4a4e57");
  svg.line(left, top, left, plotBottom, "#4a4e57");
  svg.text((left + plotRight) / 2, height - 12, "relative error of a pair, at most", "middle");
  svg.verticalText(16, (top + plotBottom) / 2, "share of pairs (solid), of traffic (dashed)");
  svg.path("M" + coordinate(xOf(near)) + ' ' + coordinate(top) + "V" + coordinate(plotBottom),
           "#4a4e57", 1.0, "4 4");
  svg.text(xOf(near) + 5, top + 12, "23 %", "start", 12);
}

/// A staircase, looked at every pixel, which is enough for any number of pairs.
std::string staircase(Distribution const& distribution) {
  std::string path = "M" + coordinate(left) + ' ' + coordinate(yOf(distribution.within(0.0)));
  std::string last;
  for (double x = left; x <= plotRight; x += 1.0) {
    double const error = (x - left) / (plotRight - left) * largestError;
    std::string const y = coordinate(yOf(distribution.within(error)));
    if (y != last) path += "H" + coordinate(x) + "V" + y;
    last = y;
  }
  return path + "H" + coordinate(plotRight);
}

}  // namespace

std::string errorDistribution(std::vector<NamedMatrix> const& estimates,
                              std::vector<double> const& truth) {
  Svg svg(width, height, "Distribution of relative errors");
  svg.text(left, 22, "Relative errors against the true matrix", "start", 15);
  drawFrame(svg);
  double row = plotBottom - 22.0 * double(estimates.size());
  for (std::size_t k = 0; k < estimates.size(); ++k, row += 22.0) {
    std::string const colour = colours[k % colours.size()];
    auto const& [name, matrix] = estimates[k];
    Distribution const byPair(matrix, truth, Distribution::Of::pairs);
    Distribution const byTraffic(matrix, truth, Distribution::Of::traffic);
    svg.path(staircase(byPair), colour, 2.0);
    svg.path(staircase(byTraffic), colour, 1.6, "6 4");
    svg.line(plotRight - 352, row, plotRight - 326, row, colour, 2.0);
    svg.text(plotRight - 318, row + 4,
             name + ": " + percent(byPair.within(near)) + " of pairs, " +
                 percent(byTraffic.within(near)) + " of traffic within 23 %",
             "start", 12);
  }
  return svg.document();
}

}  // namespace osi_cuda::examples::traffic
