// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "examples/common/failure.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/graph_reader.hpp"
#include "readers/number.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;

/// What an option was given, and how to refuse it.
struct Value {
  std::string option, text, expected;

  [[noreturn]] void refuse() const {
    throw Failure(ExitStatus::usage,
                  fmt::format("{}: expected {}, found '{}'", option, expected, text));
  }
  /// A whole number from `low` to `high`.
  std::int64_t number(std::string_view word, std::int64_t low, std::int64_t high) const {
    auto const value = readers::wholeNumber<std::int64_t>(word);
    if (!value || *value < low || *value > high) refuse();
    return *value;
  }
  /// Two whole numbers with `separator` between them.
  std::pair<std::int64_t, std::int64_t> pair(char separator, std::int64_t low,
                                             std::int64_t high) const {
    std::size_t const middle = text.find(separator);
    if (middle == std::string::npos) refuse();
    return {number(std::string_view(text).substr(0, middle), low, high),
            number(std::string_view(text).substr(middle + 1), low, high)};
  }
};

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

std::pair<std::int32_t, std::int32_t> sizeOf(std::string const& text, std::string const& option) {
  Value const value{option, text, "ROWSxCOLUMNS with fewer than 2^31 cells"};
  auto const [rows, columns] = value.pair('x', 1, most);
  if (rows > most / columns) value.refuse();
  return {std::int32_t(rows), std::int32_t(columns)};
}

/// A vertex as the user names it: a number, in grids also ROW,COLUMN.
Vertex vertexOf(Instance const& instance, std::string const& text, std::string const& option) {
  if (instance.grid && text.find(',') != std::string::npos) {
    Value const value{option, text, "ROW,COLUMN in the grid"};
    auto const [row, column] = value.pair(',', 0, most);
    if (row >= instance.grid->rows || column >= instance.grid->columns) value.refuse();
    return Vertex(row * instance.grid->columns + column);
  }
  std::int64_t const first = instance.firstVertex;
  std::int64_t const last = first + instance.graph.vertices - 1;
  Value const value{option, text, fmt::format("a vertex from {} to {}", first, last)};
  return Vertex(value.number(text, first, last) - first);
}

Instance fromGrid(std::string const& family, std::string const& description, Grid grid) {
  Instance instance{family, description, graphOf(grid), {}, 0, 0, 0};
  // Where nothing names source and target: the first and the last open cell.
  auto const open = [](std::uint8_t wall) { return wall == 0; };
  auto const first = std::ranges::find_if(grid.wall, open);
  auto const last = std::find_if(grid.wall.rbegin(), grid.wall.rend(), open);
  if (first != grid.wall.end()) {
    instance.source = Vertex(first - grid.wall.begin());
    instance.target = Vertex(grid.wall.rend() - last) - 1;
  }
  instance.grid = std::move(grid);
  return instance;
}

Instance fromGraph(std::string const& family, std::string const& description, Graph graph,
                   int firstVertex = 0) {
  Vertex const last = graph.vertices - 1;
  return {family, description, std::move(graph), {}, firstVertex, 0, last};
}

Instance load(InstanceArguments const& a) {
  if (!a.grid.empty()) {
    auto const [rows, columns] = sizeOf(a.grid, "--grid");
    if (a.maze) return fromGrid("maze", "maze " + a.grid, maze(rows, columns, a.loops, a.seed));
    return fromGrid("grid", "grid " + a.grid, scatteredWalls(rows, columns, a.walls, a.seed));
  }
  if (!a.gridFile.empty()) {
    GridFile file = readGrid(a.gridFile);
    Instance instance = fromGrid("grid", a.gridFile, std::move(file.grid));
    instance.source = file.source.value_or(instance.source);
    instance.target = file.target.value_or(instance.target);
    return instance;
  }
  if (!a.graphFile.empty()) {
    GraphFile file = readGraph(a.graphFile);
    return fromGraph("file", a.graphFile, std::move(file.graph), file.firstVertex);
  }
  if (a.dense > 0)
    return fromGraph("dense", "dense random graph", denseGraph(a.dense, a.bits, a.seed));
  if (!a.road.empty()) {
    auto const [rows, columns] = sizeOf(a.road, "--road");
    return fromGraph("road", "grid " + a.road + " with random weights",
                     roadGraph(rows, columns, a.bits, a.seed));
  }
  auto const [n, m] = Value{"--sparse", a.sparse, "VERTICES,ARCS from 1 on"}.pair(
      ',', 1, std::numeric_limits<std::int64_t>::max());
  if (n > most) Value{"--sparse", a.sparse, "fewer vertices"}.refuse();
  return fromGraph("sparse", "sparse random graph", sparseGraph(Vertex(n), m, a.bits, a.seed));
}

}  // namespace

std::string Instance::name(Vertex vertex) const {
  if (!grid) return std::to_string(vertex + firstVertex);
  return fmt::format("({}, {})", vertex / grid->columns, vertex % grid->columns);
}

void InstanceArguments::addTo(CLI::App& app) {
  auto const add = [&](char const* name, auto& value, char const* help) {
    return app.add_option(name, value, help)->group("Graph");
  };
  auto const share = CLI::Range(0.0, 1.0);
  add("--graph", graphFile, "DIMACS .gr file or edge list");
  add("--grid-file", gridFile, "a grid: # wall, . open, S source, T target");
  add("--grid", grid, "ROWSxCOLUMNS, steps of length 1");
  add("--dense", dense, "vertices of a random graph with half of all arcs")
      ->check(CLI::Range(1, 20000));
  add("--sparse", sparse, "VERTICES,ARCS of a random graph");
  add("--road", road, "ROWSxCOLUMNS, arcs between neighbours with random weights");
  add("--walls", walls, "share of the grid's cells that are walls [0]")->check(share);
  app.add_flag("--maze", maze, "make the grid a maze")->group("Graph");
  add("--loops", loops, "share of the maze's walls that are broken [0]")->check(share);
  add("--bits", bits, "weights are uniform in 1 .. 2^BITS - 1 [8]")->check(CLI::Range(1, 30));
  add("--seed", seed, "of the graph, and of the ants [1]");
  add("--from", from, "source; in grids also ROW,COLUMN [the first open vertex]");
  add("--to", to, "target [the last open vertex]");
}

Instance makeInstance(InstanceArguments const& a) {
  bool const given[] = {!a.graphFile.empty(), !a.gridFile.empty(), !a.grid.empty(),
                        !a.road.empty(),      !a.sparse.empty(),   a.dense > 0};
  if (std::count(std::begin(given), std::end(given), true) != 1)
    throw Failure(ExitStatus::usage,
                  "expected one of --graph, --grid-file, --grid, --dense, --sparse, --road");
  Instance instance = load(a);
  if (!a.from.empty()) instance.source = vertexOf(instance, a.from, "--from");
  if (!a.to.empty()) instance.target = vertexOf(instance, a.to, "--to");
  if (instance.grid)
    for (Vertex const cell : {instance.source, instance.target})
      if (instance.grid->wall[cell])
        throw Failure(ExitStatus::usage, instance.name(cell) + " is a wall");
  return instance;
}

}  // namespace osi_cuda::shortest_path
