// SPDX-License-Identifier: EPL-2.0
#include "examples/response/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "examples/common/svg.hpp"
#include "shell/svg.hpp"

namespace osi_cuda::response {
namespace {

using examples::Svg;
using shell::coordinate;

constexpr double mapSide = 420.0, margin = 20.0, top = 44.0;
constexpr char ink[] = "#1f2933";

/// From the plant's rectangle to a square of the picture, y upwards.
struct Frame {
  Point low, high;
  double left;
  double scale() const { return mapSide / std::max(high.x - low.x, high.y - low.y); }
  double x(Point p) const { return left + (p.x - low.x) * scale(); }
  double y(Point p) const { return top + mapSide - (p.y - low.y) * scale(); }
};

void drawLines(Svg& svg, Frame const& frame, std::vector<std::pair<Point, Point>> const& lines,
               std::string const& colour, double width) {
  std::string path;
  for (auto const& [a, b] : lines)
    path += 'M' + coordinate(frame.x(a)) + ' ' + coordinate(frame.y(a)) + 'L' +
            coordinate(frame.x(b)) + ' ' + coordinate(frame.y(b));
  if (!path.empty()) svg.path(path, colour, width);
}

/// Blue where the field is too low, red where it is too high, as pale as the deviation is small.
std::string colourOfDeviation(double share) {
  double const pale = 1.0 - std::min(1.0, std::abs(share));
  auto const mixed = [&](int full) { return int(std::lround(full + (235 - full) * pale)); };
  return share < 0.0 ? fmt::format("rgb({},{},{})", mixed(20), mixed(70), mixed(190))
                     : fmt::format("rgb({},{},{})", mixed(190), mixed(30), mixed(30));
}

void drawField(Svg& svg, Frame const& frame,
               std::function<std::optional<double>(Point)> const& field, double& largest) {
  constexpr int cells = 105;  // along a side, 4 pixels each
  double const step = mapSide / cells, unit = 1.0 / frame.scale();
  std::vector<std::optional<double>> value(cells * cells);
  largest = 1e-300;
  for (int row = 0; row < cells; ++row)
    for (int column = 0; column < cells; ++column) {
      auto& v = value[row * cells + column];
      v = field({frame.low.x + (column + 0.5) * step * unit,
                 frame.low.y + (cells - row - 0.5) * step * unit});
      if (v) largest = std::max(largest, *v);
    }
  for (int row = 0; row < cells; ++row)
    for (int column = 0, end = 0; column < cells; column = end) {
      // Neighbours of one colour are one rectangle.
      constexpr double shades = 40.0;
      auto const shadeOf = [&](int at) {
        auto const& v = value[row * cells + at];
        return v ? std::round(shades * std::max(0.0, *v) / largest) : -1.0;
      };
      double const shade = shadeOf(column);
      for (end = column + 1; end < cells && shadeOf(end) == shade;) ++end;
      if (shade >= 0.0)
        svg.rectangle(frame.left + column * step, top + row * step, (end - column) * step + 0.2,
                      step + 0.2, examples::shade(shade / shades));
    }
}

}  // namespace

std::vector<std::pair<Point, Point>> outlineOf(Mesh const& mesh) {
  std::vector<std::pair<Point, Point>> lines;
  for (auto const& [a, b] : boundarySides(mesh)) lines.emplace_back(mesh.points[a], mesh.points[b]);
  return lines;
}

std::string drawMesh(Mesh const& mesh) {
  Locator const locator(mesh);
  Frame const frame{locator.low(), locator.high(), margin};
  Svg svg(mapSide + 2 * margin, mapSide + top + margin, "mesh of triangles");
  svg.text(margin, 26,
           fmt::format("{} points, {} triangles", mesh.points.size(), mesh.triangles.size()),
           "start", 15);
  constexpr std::size_t mostToSee = 30'000;
  if (mesh.triangles.size() <= mostToSee) {
    std::set<std::pair<int, int>> sides;
    for (auto const& t : mesh.triangles)
      for (int k = 0; k < 3; ++k) sides.insert(std::minmax(t[k], t[(k + 1) % 3]));
    std::vector<std::pair<Point, Point>> lines;
    for (auto const& [a, b] : sides) lines.emplace_back(mesh.points[a], mesh.points[b]);
    drawLines(svg, frame, lines, "#7b8794", 0.5);
  }
  drawLines(svg, frame, outlineOf(mesh), ink, 1.5);
  return svg.document();
}

std::string drawPlacement(Plant const& plant, Placement const& placement, Point low, Point high,
                          std::function<std::optional<double>(Point)> const& field,
                          std::vector<std::pair<Point, Point>> const& outline) {
  Svg svg(2 * mapSide + 4 * margin, mapSide + top + margin, "field, sources and deviations");
  Frame const left{low, high, margin}, right{low, high, mapSide + 3 * margin};
  double largest = 0.0;
  drawField(svg, left, field, largest);
  drawLines(svg, left, outline, ink, 1.2);
  double strongest = 1e-300;
  for (double const q : placement.strength) strongest = std::max(strongest, std::abs(q));
  double const dot = std::clamp(30.0 / std::sqrt(double(plant.sources.size())), 0.5, 1.5);
  for (std::size_t j = 0; j < plant.sources.size(); ++j) {
    double const q = placement.strength[j];
    constexpr double widest = 9.0;
    svg.circle(left.x(plant.sources[j]), left.y(plant.sources[j]),
               std::max(dot, widest * std::sqrt(std::abs(q) / strongest)),
               q < 0.0   ? "#1446be"
               : q > 0.0 ? "#d1495b"
                         : "#7b8794",
               fmt::format("source {}: {:.4g}", j + 1, q));
  }
  svg.text(left.left, 26,
           fmt::format("field up to {:.3g}; {} of {} sources", largest, placement.sourcesOn,
                       plant.sources.size()),
           "start", 15);

  drawLines(svg, right, outline, ink, 1.2);
  double const worst = std::max(placement.worst, 1e-300);
  double const size = std::clamp(60.0 / std::sqrt(double(plant.observations.size())), 1.2, 6.0);
  std::vector<char> limits(plant.observations.size(), 0);
  for (Limiting const& one : placement.limiting) limits[one.observation] = 1;
  for (std::size_t i = 0; i < plant.observations.size(); ++i) {
    Point const p = plant.observations[i];
    if (limits[i]) svg.circle(right.x(p), right.y(p), size + 2.0, ink);
    svg.circle(right.x(p), right.y(p), size, colourOfDeviation(placement.deviation[i] / worst),
               fmt::format("observation {}: {:+.4g}", i + 1, placement.deviation[i]));
  }
  svg.text(right.left, 26,
           fmt::format("deviations up to {:.3g}; {} limit, ringed", placement.worst,
                       placement.limiting.size()),
           "start", 15);
  return svg.document();
}

}  // namespace osi_cuda::response
