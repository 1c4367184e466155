// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "examples/common/svg.hpp"
#include "examples/traffic_matrix/pictures.hpp"
#include "shell/svg.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {

using examples::Svg;
using shell::coordinate;
using shell::escaped;
namespace {

constexpr double widestMap = 700.0, margin = 46.0, legendWidth = 130.0, top = 40.0;
constexpr double thinnest = 1.2;  // link, in pixels

struct Point {
  double x = 0.0, y = 0.0;
};

/// Of the most loaded link; where there are many, thinner.
double widestLink(Network const& network) {
  return network.nodeCount() > 60 ? 6.0 : 11.0;
}

double largestRadius(Network const& network) {
  return network.nodeCount() > 60 ? 9.0 : 12.0;
}

double thickness(Network const& network, double shareOfLargestLoad) {
  return thinnest + (widestLink(network) - thinnest) * std::sqrt(shareOfLargestLoad);
}

/// From pale blue (idle) over amber to dark red (full): what is full stands out.
std::string colourOfUse(double use) {
  constexpr std::array<examples::Rgb, 4> anchors{
      {{176, 200, 220}, {240, 188, 80}, {222, 80, 48}, {120, 16, 32}}};
  return examples::colourAlong(anchors, use);
}

/// Where nodes lie in the picture: north up, degrees of longitude as short as they are there.
class Places {
 public:
  explicit Places(Network const& network) {
    double lowX = 1e300, highX = -1e300, lowY = 1e300, highY = -1e300;
    for (Node const& node : network.nodes) {
      lowX = std::min(lowX, node.x), highX = std::max(highX, node.x);
      lowY = std::min(lowY, node.y), highY = std::max(highY, node.y);
    }
    bool const degrees =
        highX - lowX > 1.5 && std::max(-lowX, highX) <= 180.0 && std::max(-lowY, highY) <= 90.0;
    double const squeeze =
        degrees ? std::cos((lowY + highY) / 2.0 * std::numbers::pi / 180.0) : 1.0;
    double const spanX = std::max((highX - lowX) * squeeze, 1e-9);
    double const spanY = std::max(highY - lowY, 1e-9);
    constexpr double tallest = 640.0;
    double const scale = std::min((widestMap - 2 * margin) / spanX, (tallest - 2 * margin) / spanY);
    height = top + 2 * margin + spanY * scale;
    width = std::max(2 * margin + spanX * scale, 440.0);
    for (Node const& node : network.nodes)
      of.push_back(
          {margin + (node.x - lowX) * squeeze * scale, top + margin + (highY - node.y) * scale});
  }
  std::vector<Point> of;
  double width = 0.0, height = 0.0;
};

/// An arrow from the source to the middle of the line; the other direction comes to meet it.
std::string arrow(Point from, Point to, double broad, std::string const& colour,
                  std::string const& tip) {
  double const dx = (to.x - from.x) / 2.0, dy = (to.y - from.y) / 2.0;
  double const length = std::max(std::hypot(dx, dy), 1e-9);
  double const head = std::min(0.5 * length, 4.0 + 1.1 * broad);
  Point const along{dx / length, dy / length}, across{-along.y, along.x};
  auto const at = [&](double forward, double aside) {
    return coordinate(from.x + forward * along.x + aside * across.x) + ',' +
           coordinate(from.y + forward * along.y + aside * across.y);
  };
  double const half = broad / 2.0, wing = half + 1.8 + 0.15 * broad;
  double const neck = length - head;
  return "<polygon points=\"" + at(0, half) + ' ' + at(neck, half) + ' ' + at(neck, wing) + ' ' +
         at(length - 0.6, 0) + ' ' + at(neck, -wing) + ' ' + at(neck, -half) + ' ' + at(0, -half) +
         "\" fill=\"" + colour + "\" stroke=\"white\" stroke-width=\"0.6\"><title>" + escaped(tip) +
         "</title></polygon>\n";
}

void drawLinks(Svg& svg, Network const& network, std::vector<double> const& loads,
               Places const& places, bool known) {
  double const largest = std::max(*std::ranges::max_element(loads), 1e-300);
  for (int i = 0; i < network.linkCount(); ++i) {
    Link const& link = network.links[i];
    double const use = loads[i] / (known ? link.capacity : largest);
    std::string tip = network.describe(i) + ": " + shell::shortNumber(loads[i], 6);
    if (known)
      tip += " of " + shell::shortNumber(link.capacity, 6) + ", " +
             shell::shortNumber(100.0 * use, 3) + " %";
    svg.raw(arrow(places.of[link.source], places.of[link.target],
                  thickness(network, loads[i] / largest), colourOfUse(use), tip));
  }
}

struct Box {
  double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;
};

double overlap(Box const& a, Box const& b) {
  double const wide = std::min(a.right, b.right) - std::max(a.left, b.left);
  double const tall = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return wide > 0.0 && tall > 0.0 ? wide * tall : 0.0;
}

/// Puts names beside their nodes, on the side where they cover the least of what is there already.
class Names {
 public:
  Names(std::vector<Point> const& places, std::vector<double> const& radii) {
    for (std::size_t k = 0; k < places.size(); ++k)
      taken_.push_back({places[k].x - radii[k], places[k].y - radii[k], places[k].x + radii[k],
                        places[k].y + radii[k]});
  }

  void draw(Svg& svg, std::string const& name, Point at, double radius, double size) {
    double const wide = 0.58 * size * double(name.size()), tall = 0.8 * size;
    double const aside = radius + 3.0, high = 0.6 * radius;
    std::vector<Point> const corners{{at.x + aside, at.y - high},  // right above, ...
                                     {at.x + aside, at.y + high + tall},
                                     {at.x - aside - wide, at.y - high},
                                     {at.x - aside - wide, at.y + high + tall}};
    Point best = corners.front();
    double least = std::numeric_limits<double>::infinity();
    for (Point const& corner : corners) {  // the left end of the base line
      double covered = corner.x < 2.0 ? wide * tall : 0.0;
      for (Box const& box : taken_) covered += overlap(box, boxOf(corner, wide, tall));
      if (covered < least) least = covered, best = corner;
    }
    taken_.push_back(boxOf(best, wide, tall));
    svg.raw("<text x=\"" + coordinate(best.x) + "\" y=\"" + coordinate(best.y) + "\" font-size=\"" +
            coordinate(size) +
            "\" fill=\"#111\" stroke=\"white\" stroke-width=\"3\" stroke-linejoin=\"round\" "
            "paint-order=\"stroke\">" +
            escaped(name) + "</text>\n");
  }

 private:
  static Box boxOf(Point corner, double wide, double tall) {
    return {corner.x, corner.y - tall, corner.x + wide, corner.y};
  }

  std::vector<Box> taken_;
};

/// Draws the nodes; the traffic of the largest.
double drawNodes(Svg& svg, Network const& network, std::vector<double> const& matrix,
                 Places const& places) {
  Totals const totals = totalsOf(matrix, Pairs(network.nodeCount()));
  double largest = 1e-300;
  for (std::size_t k = 0; k < totals.out.size(); ++k)
    largest = std::max(largest, totals.out[k] + totals.in[k]);
  double const most = largestRadius(network);
  std::vector<double> radii;
  for (int k = 0; k < network.nodeCount(); ++k) {
    double const traffic = totals.out[k] + totals.in[k];
    radii.push_back(2.5 + (most - 2.5) * std::sqrt(traffic / largest));
    Point const place = places.of[k];
    svg.circle(place.x, place.y, radii[k] + 1.2, "white");
    svg.circle(place.x, place.y, radii[k], "#33415c",
               network.nodes[k].name + ": sends " + shell::shortNumber(totals.out[k], 6) +
                   ", receives " + shell::shortNumber(totals.in[k], 6));
  }
  Names names(places.of, radii);
  double const size = network.nodeCount() > 40 ? 9.0 : 11.0;
  for (int k = 0; k < network.nodeCount(); ++k)
    names.draw(svg, network.nodes[k].name, places.of[k], radii[k], size);
  return largest;
}

void drawLegend(Svg& svg, Network const& network, double left, bool known, double largestLoad,
                double largestNode) {
  svg.text(left, top + 16, known ? "use of capacity" : "share of largest", "start", 12);
  constexpr int steps = 50;
  constexpr double tall = 150.0, begin = top + 28.0;
  for (int k = 0; k < steps; ++k)
    svg.rectangle(left, begin + tall * (1.0 - double(k + 1) / steps), 14, tall / steps + 0.4,
                  colourOfUse((k + 0.5) / steps));
  for (int k = 0; k <= 4; ++k)
    svg.text(left + 22, begin + tall * (1.0 - k / 4.0) + 4,
             (k == 4 && known ? "\xE2\x89\xA5 " : "") + std::to_string(25 * k) + " %", "start", 11);
  double y = begin + tall + 34;
  svg.text(left, y, "load of a link", "start", 12);
  for (double const share : {1.0, 0.25, 0.05}) {
    y += 20;
    svg.line(left, y, left + 30, y, "#8a97a6", thickness(network, share));
    svg.text(left + 38, y + 4, axisNumber(share * largestLoad), "start", 11);
  }
  y += 40;
  svg.text(left, y, "traffic of a node", "start", 12);
  svg.circle(left + 12, y + 22, largestRadius(network), "#33415c");
  svg.text(left + 38, y + 26, axisNumber(largestNode), "start", 11);
}

}  // namespace

std::string networkMap(Network const& network, std::vector<double> const& loads,
                       std::vector<double> const& matrix) {
  Places const places(network);
  bool const known =
      std::ranges::all_of(network.links, [](Link const& link) { return link.capacity > 0.0; });
  Svg svg(places.width + legendWidth, std::max(places.height, 420.0),
          "Network with the use of its links");
  svg.text(margin / 2, 24, "Use of links; each arrow leads from its source to the middle", "start",
           15);
  drawLinks(svg, network, loads, places, known);
  double const largestNode = drawNodes(svg, network, matrix, places);
  drawLegend(svg, network, places.width + 10.0, known, *std::ranges::max_element(loads),
             largestNode);
  return svg.document();
}

}  // namespace osi_cuda::examples::traffic
