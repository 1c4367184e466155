// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/drawing.hpp"

#include <algorithm>
#include <cmath>

#include "shell/svg.hpp"

namespace osi_cuda::shortest_path {
namespace {

using shell::coordinate;
using shell::shade;
using shell::Svg;

constexpr char pathColour[] = "#d1495b";
constexpr char wallColour[] = "#2b2f36";
constexpr char ink[] = "#1f2933";

Distance largestOf(std::vector<Distance> const& distance) {
  Distance largest = 0;
  for (Distance const d : distance)
    if (d < unreached) largest = std::max(largest, d);
  return largest;
}

/// Names the colours below the picture: from the source to the farthest cell.
void drawColourKey(Svg& svg, double x, double y, Distance largest, bool cut) {
  constexpr int steps = 48;
  constexpr double width = 4.0, tall = 12.0;
  for (int k = 0; k < steps; ++k)
    svg.rectangle(x + k * width, y, width + 0.3, tall, shade(double(k) / (steps - 1)));
  svg.text(x + steps * width + 10, y + 11,
           "distance 0 to " + std::to_string(largest) +
               (cut ? "; what is coloured is the cut: no open cell leads out" : ""),
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
  Distance const largest = largestOf(distance);
  auto const centre = [&](Vertex cell, double& x, double& y) {
    x = margin + (cell % grid.columns + 0.5) * side;
    std::int32_t const row = cell / grid.columns;
    y = margin + (row + 0.5) * side;
  };
  // Bands of distance show the fronts of the wave.
  auto const colourOf = [&](std::size_t cell) -> std::string {
    constexpr Distance bands = 24;
    if (distance[cell] >= unreached) return "#eef0f3";
    Distance const band = distance[cell] * bands / (largest + 1);
    return shade(double(band) / double(bands - 1));
  };
  // Cells of one colour side by side are one rectangle. Walls come on top, so that they do not part
  // what is one colour; all a little wider than they are, against hair lines between neighbours.
  auto const rectangle = [&](std::int32_t row, std::int32_t from, std::int32_t to,
                             std::string const& colour) {
    svg.rectangle(margin + from * side, margin + row * side, (to - from) * side + 0.3, side + 0.3,
                  colour);
  };
  for (bool const walls : {false, true})
    for (std::int32_t row = 0; row < grid.rows; ++row) {
      auto const cell = [&](std::int32_t column) {
        return std::size_t(row) * std::size_t(grid.columns) + std::size_t(column);
      };
      for (std::int32_t from = 0; from < grid.columns;) {
        bool const wall = grid.wall[cell(from)] != 0;
        std::string const colour = wall ? wallColour : colourOf(cell(from));
        std::int32_t to = from + 1;
        auto const joins = [&](std::int32_t column) {
          bool const other = grid.wall[cell(column)] != 0;
          return wall ? other : other || colourOf(cell(column)) == colour;
        };
        while (to < grid.columns && joins(to)) ++to;
        if (wall == walls) rectangle(row, from, to, colour);
        // A run of open cells has passed over walls, which the second time must not.
        if (walls && !wall) {
          to = from + 1;
          while (to < grid.columns && !grid.wall[cell(to)]) ++to;
        }
        from = to;
      }
    }
  std::string line;
  double x = 0.0, y = 0.0;
  for (Vertex const cell : path) {
    centre(cell, x, y);
    line += (line.empty() ? "M" : " L") + coordinate(x) + ' ' + coordinate(y);
  }
  if (!line.empty()) {
    svg.path(line, "white", std::max(side * 0.5, 2.4));
    svg.path(line, pathColour, std::max(side * 0.3, 1.4));
  }
  double const dot = std::clamp(side * 0.42, 4.0, 9.0);
  for (Vertex const cell : {instance.source, instance.target}) {
    centre(cell, x, y);
    svg.circle(x, y, dot + 1.5, "white");
    svg.circle(x, y, dot, pathColour, instance.name(cell));
    if (side >= 14) svg.text(x, y + 4, cell == instance.source ? "S" : "T", "middle", 11, "white");
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
      if (shown[v] && parent[v] >= 0) children_[std::size_t(parent[v])].push_back(Vertex(v));
    place(source);
  }
  double row(Vertex v) const { return row_[std::size_t(v)]; }
  int leaves() const { return leaves_; }

 private:
  void place(Vertex root) {
    // Depth first with a stack of its own: trees may be deep.
    std::vector<std::pair<Vertex, std::size_t>> stack{{root, 0}};
    while (!stack.empty()) {
      auto& [v, next] = stack.back();
      auto const& children = children_[std::size_t(v)];
      if (next < children.size()) {
        stack.emplace_back(children[next++], 0);
        continue;
      }
      row_[std::size_t(v)] =
          children.empty()
              ? leaves_++
              : (row_[std::size_t(children.front())] + row_[std::size_t(children.back())]) / 2;
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
  std::vector<Vertex> order;
  for (std::size_t v = 0; v < distance.size(); ++v)
    if (distance[v] < unreached) order.push_back(Vertex(v));
  std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) {
    return std::pair(distance[std::size_t(a)], a) < std::pair(distance[std::size_t(b)], b);
  });
  if (order.size() > most) order.resize(most);
  order.insert(order.end(), path.begin(), path.end());
  std::vector<bool> shown(distance.size(), false);
  for (Vertex v : order)
    for (; v >= 0 && !shown[std::size_t(v)]; v = parent[std::size_t(v)])
      shown[std::size_t(v)] = true;
  return shown;
}

/// Names above the vertices, those on the path first; a name that would cover another is left out
/// (it still shows when the pointer rests on the vertex).
template <class X, class Y>
void drawNames(Svg& svg, Instance const& instance, std::vector<bool> const& shown,
               std::vector<bool> const& onPath, X x, Y y) {
  struct Box {
    double left, right, bottom;
  };
  std::vector<Box> taken;
  for (bool const red : {true, false})
    for (std::size_t k = 0; k < shown.size(); ++k) {
      if (!shown[k] || onPath[k] != red) continue;
      auto const v = Vertex(k);
      double const size = red ? 12.0 : 10.0, rise = 6.0;
      std::string const name = instance.name(v);
      double const half = 0.32 * size * double(name.size());
      Box const box{x(v) - half, x(v) + half, y(v) - rise};
      bool const covers = std::any_of(taken.begin(), taken.end(), [&](Box const& other) {
        return box.left < other.right && other.left < box.right &&
               std::abs(box.bottom - other.bottom) < size;
      });
      if (covers) continue;
      taken.push_back(box);
      svg.text(x(v), box.bottom, name, "middle", size, ink);
    }
}

}  // namespace

std::string drawTree(Instance const& instance, std::vector<Distance> const& distance,
                     std::vector<Vertex> const& parent, std::vector<Vertex> const& path) {
  std::vector<bool> const shown = choose(distance, parent, path);
  TreeLayout const layout(parent, instance.source, shown);
  std::vector<bool> onPath(parent.size(), false);
  for (Vertex const v : path) onPath[std::size_t(v)] = true;

  Distance smallest = 0, largest = 1;
  for (std::size_t v = 0; v < shown.size(); ++v)
    if (shown[v]) {
      smallest = std::min(smallest, distance[v]);
      largest = std::max(largest, distance[v]);
    }
  constexpr double width = 960.0, margin = 40.0, footer = 54.0, title = 40.0;
  double const rowHeight = std::clamp(1400.0 / std::max(layout.leaves(), 1), 13.0, 30.0);
  double const bottom = title + rowHeight * std::max(layout.leaves(), 2);
  Svg svg(width, bottom + footer, "tree of shortest paths");
  auto const x = [&](Vertex v) {
    return margin + double(distance[std::size_t(v)] - smallest) / double(largest - smallest) *
                        (width - 2 * margin);
  };
  auto const y = [&](Vertex v) { return title + rowHeight * (layout.row(v) + 0.5); };

  auto const drawn = std::size_t(std::count(shown.begin(), shown.end(), true));
  std::string const all = std::to_string(shown.size());
  svg.text(margin, 22,
           "Shortest paths from " + instance.name(instance.source) + ", " +
               (drawn == shown.size() ? "all " + all : std::to_string(drawn) + " of " + all) +
               " vertices; in red the path to " + instance.name(instance.target),
           "start", 14);
  Distance const step = markStep(largest - smallest);
  for (Distance at = smallest - smallest % step; at <= largest; at += step) {
    if (at < smallest) continue;
    double const mark =
        margin + double(at - smallest) / double(largest - smallest) * (width - 2 * margin);
    svg.line(mark, title, mark, bottom, "#e1e5ea");
    svg.text(mark, bottom + 18, std::to_string(at), "middle", 12);
  }
  svg.text(width / 2, bottom + 40, "distance", "middle");
  for (bool const red : {false, true})
    for (std::size_t k = 0; k < shown.size(); ++k) {
      auto const v = Vertex(k);
      if (!shown[k] || parent[k] < 0 || onPath[k] != red) continue;
      Vertex const u = parent[k];
      double const bend = x(u) + 0.6 * (x(v) - x(u));
      svg.path("M" + coordinate(x(u)) + ' ' + coordinate(y(u)) + " C" + coordinate(bend) + ' ' +
                   coordinate(y(u)) + ' ' + coordinate(bend) + ' ' + coordinate(y(v)) + ' ' +
                   coordinate(x(v)) + ' ' + coordinate(y(v)),
               red ? pathColour : "#9aa5b1", red ? 2.6 : 1.1);
    }
  for (std::size_t k = 0; k < shown.size(); ++k) {
    auto const v = Vertex(k);
    if (!shown[k]) continue;
    svg.circle(x(v), y(v), onPath[k] ? 4.5 : 3.0, onPath[k] ? pathColour : "#1b6ca8",
               instance.name(v) + ": " + std::to_string(distance[k]));
  }
  drawNames(svg, instance, shown, onPath, x, y);
  return svg.document();
}

}  // namespace osi_cuda::shortest_path
