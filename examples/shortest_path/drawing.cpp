// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "examples/common/svg.hpp"
#include "shell/svg.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::shade;
using examples::Svg;
using shell::coordinate;

constexpr char pathColour[] = "#d1495b";
constexpr char wallColour[] = "#2b2f36";
constexpr char ink[] = "#1f2933";

/// Names the colours below the picture: from the source to the farthest cell.
void drawColourKey(Svg& svg, double x, double y, Distance largest, bool cut) {
  constexpr int steps = 48;
  constexpr double width = 4.0, tall = 12.0;
  for (int k = 0; k < steps; ++k)
    svg.rectangle(x + k * width, y, width + 0.3, tall, shade(double(k) / (steps - 1)));
  svg.text(x + steps * width + 10, y + 11,
           fmt::format("distance 0 to {}{}", largest,
                       cut ? "; what is coloured is the cut: no open cell leads out" : ""),
           "start", 12);
}

}  // namespace

std::string drawGrid(Instance const& instance, std::vector<Distance> const& distance,
                     std::vector<Vertex> const& path) {
  Grid const& grid = *instance.grid;
  constexpr double widest = 960.0, margin = 16.0, footer = 36.0;
  double const side = std::clamp(widest / std::max(grid.columns, grid.rows), 0.5, 26.0);
  double const width = std::max(side * grid.columns, 560.0), height = side * grid.rows;
  Svg svg(width + 2 * margin, height + 2 * margin + footer, "shortest path in a grid");
  Distance largest = 0;
  for (Distance const d : distance)
    if (d < unreached) largest = std::max(largest, d);
  auto const x = [&](Vertex cell) { return margin + (cell % grid.columns + 0.5) * side; };
  auto const y = [&](Vertex cell) {
    std::int32_t const row = cell / grid.columns;
    return margin + (row + 0.5) * side;
  };
  // Bands of distance show the fronts of the wave.
  auto const colourOf = [&](std::size_t cell) -> std::string {
    constexpr Distance bands = 24;
    if (distance[cell] >= unreached) return "#eef0f3";
    return shade(double(distance[cell] * bands / (largest + 1)) / double(bands - 1));
  };
  // Cells of one colour side by side are one rectangle, a little wider than they are, against hair
  // lines between neighbours. Cells without a colour join what is at their left, "" is not drawn.
  auto const drawRows = [&](auto colour) {
    for (std::int32_t row = 0; row < grid.rows; ++row) {
      std::int32_t from = 0;
      std::string run;
      for (std::int32_t column = 0; column <= grid.columns; ++column) {
        std::optional<std::string> next = "";
        if (column < grid.columns) next = colour(std::size_t(row) * grid.columns + column);
        if (!next || *next == run) continue;
        if (!run.empty())
          svg.rectangle(margin + from * side, margin + row * side, (column - from) * side + 0.3,
                        side + 0.3, run);
        from = column;
        run = *next;
      }
    }
  };
  // Walls come on top, so that they do not part what is one colour.
  drawRows([&](std::size_t cell) {
    return grid.wall[cell] ? std::nullopt : std::optional(colourOf(cell));
  });
  drawRows([&](std::size_t cell) -> std::optional<std::string> {
    return grid.wall[cell] ? wallColour : "";
  });
  std::string line;
  for (Vertex const cell : path)
    line += (line.empty() ? "M" : " L") + coordinate(x(cell)) + ' ' + coordinate(y(cell));
  if (!line.empty()) {
    svg.path(line, "white", std::max(side * 0.5, 2.4));
    svg.path(line, pathColour, std::max(side * 0.3, 1.4));
  }
  double const dot = std::clamp(side * 0.42, 4.0, 9.0);
  for (Vertex const cell : {instance.source, instance.target}) {
    svg.circle(x(cell), y(cell), dot + 1.5, "white");
    svg.circle(x(cell), y(cell), dot, pathColour, instance.name(cell));
    if (side >= 14)
      svg.text(x(cell), y(cell) + 4, cell == instance.source ? "S" : "T", "middle", 11, "white");
  }
  drawColourKey(svg, margin, height + margin + 18, largest, path.empty());
  return svg.document();
}

namespace {

/// Rows of a tree drawing: leaves one below the other, an inner vertex amid its children.
class TreeLayout {
 public:
  TreeLayout(std::vector<Vertex> const& parent, Vertex source, std::vector<bool> const& shown)
      : children_(parent.size()), row_(parent.size(), 0.0) {
    for (std::size_t v = 0; v < parent.size(); ++v)
      if (shown[v] && parent[v] >= 0) children_[parent[v]].push_back(Vertex(v));
    place(source);
  }
  double row(Vertex v) const { return row_[v]; }
  int leaves() const { return leaves_; }

 private:
  void place(Vertex root) {
    // Depth first with a stack of its own: trees may be deep.
    std::vector<std::pair<Vertex, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
      auto& [v, next] = stack.back();
      auto const& children = children_[v];
      if (next < children.size()) {
        stack.emplace_back(children[next++], 0);
        continue;
      }
      row_[v] = children.empty() ? leaves_++ : (row_[children.front()] + row_[children.back()]) / 2;
      stack.pop_back();
    }
  }

  std::vector<std::vector<Vertex>> children_;
  std::vector<double> row_;
  int leaves_ = 0;
};

/// 1, 2 or 5 times a power of ten, so that a dozen of steps or fewer make up the range.
Distance markStep(Distance range) {
  constexpr Distance most = 12;
  for (Distance power = 1;; power *= 10)
    for (Distance const digit : {1, 2, 5})
      if (digit * power * most >= range) return digit * power;
}

/// What is drawn of a large tree: the path and the vertices nearest to the source, with all that
/// lies between.
std::vector<bool> choose(std::vector<Distance> const& distance, std::vector<Vertex> const& parent,
                         std::vector<Vertex> const& path) {
  constexpr std::size_t most = 160;
  std::vector<std::pair<Distance, Vertex>> order;
  for (Vertex v = 0; v < Vertex(distance.size()); ++v)
    if (distance[v] < unreached) order.emplace_back(distance[v], v);
  std::ranges::sort(order);
  if (order.size() > most) order.resize(most);
  for (Vertex const v : path) order.emplace_back(distance[v], v);
  std::vector<bool> shown(distance.size(), false);
  for (auto [d, v] : order)
    for (; v >= 0 && !shown[v]; v = parent[v]) shown[v] = true;
  return shown;
}

/// Names above the vertices at (x, y); a name that would cover another is left out (it still shows
/// when the pointer rests on the vertex).
class Names {
 public:
  void draw(Svg& svg, std::string const& name, double x, double y, double size) {
    double const half = 0.32 * size * double(name.size());
    Box const box{x - half, x + half, y - 6.0};
    bool const covers = std::ranges::any_of(taken_, [&](Box const& other) {
      return box.left < other.right && other.left < box.right &&
             std::abs(box.bottom - other.bottom) < size;
    });
    if (covers) return;
    taken_.push_back(box);
    svg.text(x, box.bottom, name, "middle", size, ink);
  }

 private:
  struct Box {
    double left, right, bottom;
  };
  std::vector<Box> taken_;
};

}  // namespace

std::string drawTree(Instance const& instance, std::vector<Distance> const& distance,
                     std::vector<Vertex> const& parent, std::vector<Vertex> const& path) {
  std::vector<bool> const shown = choose(distance, parent, path);
  std::vector<Vertex> const drawn = membersOf(shown);
  TreeLayout const layout(parent, instance.source, shown);
  std::vector<bool> onPath(parent.size(), false);
  for (Vertex const v : path) onPath[v] = true;

  Distance smallest = 0, largest = 1;
  for (Vertex const v : drawn) {
    smallest = std::min(smallest, distance[v]);
    largest = std::max(largest, distance[v]);
  }
  constexpr double width = 960.0, margin = 40.0, footer = 54.0, title = 40.0;
  double const rowHeight = std::clamp(1400.0 / std::max(layout.leaves(), 1), 13.0, 30.0);
  double const bottom = title + rowHeight * std::max(layout.leaves(), 2);
  Svg svg(width, bottom + footer, "tree of shortest paths");
  auto const place = [&](Distance d) {
    return margin + double(d - smallest) / double(largest - smallest) * (width - 2 * margin);
  };
  auto const x = [&](Vertex v) { return place(distance[v]); };
  auto const y = [&](Vertex v) { return title + rowHeight * (layout.row(v) + 0.5); };

  svg.text(margin, 22,
           fmt::format("Shortest paths from {}, {} {} vertices; in red the path to {}",
                       instance.name(instance.source),
                       drawn.size() == shown.size() ? "all" : fmt::format("{} of", drawn.size()),
                       shown.size(), instance.name(instance.target)),
           "start", 14);
  Distance const step = markStep(largest - smallest);
  for (Distance at = smallest - smallest % step; at <= largest; at += step) {
    if (at < smallest) continue;
    svg.line(place(at), title, place(at), bottom, "#e1e5ea");
    svg.text(place(at), bottom + 18, std::to_string(at), "middle", 12);
  }
  svg.text(width / 2, bottom + 40, "distance", "middle");
  for (bool const red : {false, true})
    for (Vertex const v : drawn) {
      Vertex const u = parent[v];
      if (u < 0 || onPath[v] != red) continue;
      std::string const bend = coordinate(x(u) + 0.6 * (x(v) - x(u)));
      std::string const yu = coordinate(y(u)), yv = coordinate(y(v));
      svg.path(fmt::format("M{} {} C{} {} {} {} {} {}", coordinate(x(u)), yu, bend, yu, bend, yv,
                           coordinate(x(v)), yv),
               red ? pathColour : "#9aa5b1", red ? 2.6 : 1.1);
    }
  for (Vertex const v : drawn)
    svg.circle(x(v), y(v), onPath[v] ? 4.5 : 3.0, onPath[v] ? pathColour : "#1b6ca8",
               fmt::format("{}: {}", instance.name(v), distance[v]));
  Names names;
  for (bool const red : {true, false})
    for (Vertex const v : drawn)
      if (onPath[v] == red) names.draw(svg, instance.name(v), x(v), y(v), red ? 12.0 : 10.0);
  return svg.document();
}

}  // namespace osi_cuda::shortest_path
