// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/instance.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "examples/common/failure.hpp"
#include "examples/shortest_path/generators.hpp"
#include "examples/shortest_path/graph_reader.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;

[[noreturn]] void refuse(std::string const& option, std::string const& expected,
                         std::string const& found) {
  throw Failure(ExitStatus::usage, option + ": expected " + expected + ", found '" + found + "'");
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  std::int64_t value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Two whole numbers from 1 on with `separator` between them.
std::pair<std::int64_t, std::int64_t> parsePair(std::string const& text, char separator,
                                                std::string const& option,
                                                std::string const& expected, std::int64_t low) {
  std::size_t const middle = text.find(separator);
  if (middle == std::string::npos) refuse(option, expected, text);
  auto const first = wholeNumber(std::string_view(text).substr(0, middle));
  auto const second = wholeNumber(std::string_view(text).substr(middle + 1));
  if (!first || !second || *first < low || *second < low) refuse(option, expected, text);
  return {*first, *second};
}

/// A vertex as the user names it: a number, in grids also ROW,COLUMN.
Vertex parseVertex(Instance const& instance, std::string const& text, std::string const& option) {
  std::int64_t const first = instance.firstVertex;
  std::int64_t const last = first + instance.graph.vertices - 1;
  std::string expected = "a vertex from " + std::to_string(first) + " to " + std::to_string(last);
  if (instance.grid && text.find(',') != std::string::npos) {
    expected = "ROW,COLUMN in the grid";
    auto const [row, column] = parsePair(text, ',', option, expected, 0);
    if (row >= instance.grid->rows || column >= instance.grid->columns)
      refuse(option, expected, text);
    return Vertex(row * instance.grid->columns + column);
  }
  std::optional<std::int64_t> const number = wholeNumber(text);
  if (!number || *number < first || *number > last) refuse(option, expected, text);
  return Vertex(*number - first);
}

Instance gridInstance(InstanceArguments const& arguments) {
  Instance instance;
  instance.source = instance.target = -1;
  auto const [rows, columns] = parseSize(arguments.grid, "--grid");
  instance.family = arguments.maze ? "maze" : "grid";
  instance.grid = arguments.maze ? maze(rows, columns, arguments.loops, arguments.seed)
                                 : scatteredWalls(rows, columns, arguments.walls, arguments.seed);
  instance.description = instance.family + ' ' + arguments.grid;
  return instance;
}

/// Where a grid names no source or target: its first and last open cell.
void chooseOpenCells(Instance& instance) {
  auto const& wall = instance.grid->wall;
  Vertex first = 0, last = Vertex(wall.size()) - 1;
  while (first < last && wall[std::size_t(first)]) ++first;
  while (last > first && wall[std::size_t(last)]) --last;
  if (instance.source < 0) instance.source = first;
  if (instance.target < 0) instance.target = last;
}

/// Exactly one source of graphs must be named.
Instance load(InstanceArguments const& arguments) {
  Instance instance;
  int const named = int(!arguments.graphFile.empty()) + int(!arguments.gridFile.empty()) +
                    int(!arguments.grid.empty()) + int(!arguments.road.empty()) +
                    int(!arguments.sparse.empty()) + int(arguments.dense > 0);
  if (named != 1)
    throw Failure(ExitStatus::usage,
                  "expected one of --graph, --grid-file, --grid, --dense, --sparse, --road");
  if (!arguments.grid.empty()) {
    instance = gridInstance(arguments);
  } else if (!arguments.gridFile.empty()) {
    GridFile file = readGrid(arguments.gridFile);
    instance.family = "grid";
    instance.description = arguments.gridFile;
    instance.grid = std::move(file.grid);
    instance.source = file.source.value_or(-1);
    instance.target = file.target.value_or(-1);
  } else if (!arguments.graphFile.empty()) {
    GraphFile file = readGraph(arguments.graphFile);
    instance.family = "file";
    instance.description = arguments.graphFile;
    instance.firstVertex = file.firstVertex;
    instance.graph = std::move(file.graph);
  } else if (arguments.dense > 0) {
    instance.family = "dense";
    instance.description = "dense random graph";
    instance.graph = denseGraph(arguments.dense, arguments.bits, arguments.seed);
  } else if (!arguments.road.empty()) {
    auto const [rows, columns] = parseSize(arguments.road, "--road");
    instance.family = "road";
    instance.description = "grid " + arguments.road + " with random weights";
    instance.graph = roadGraph(rows, columns, arguments.bits, arguments.seed);
  } else {
    auto const [n, m] = parsePair(arguments.sparse, ',', "--sparse", "VERTICES,ARCS from 1 on", 1);
    if (n > std::numeric_limits<Vertex>::max())
      refuse("--sparse", "fewer vertices", arguments.sparse);
    instance.family = "sparse";
    instance.description = "sparse random graph";
    instance.graph = sparseGraph(Vertex(n), m, arguments.bits, arguments.seed);
  }
  if (instance.grid) {
    instance.graph = graphOf(*instance.grid);
    chooseOpenCells(instance);
  } else {
    instance.target = instance.graph.vertices - 1;
  }
  return instance;
}

}  // namespace

std::pair<std::int32_t, std::int32_t> parseSize(std::string const& text,
                                                std::string const& option) {
  std::string const expected = "ROWSxCOLUMNS with fewer than 2^31 cells";
  auto const [rows, columns] = parsePair(text, 'x', option, expected, 1);
  if (rows > std::numeric_limits<std::int32_t>::max() / columns) refuse(option, expected, text);
  return {std::int32_t(rows), std::int32_t(columns)};
}

std::string Instance::name(Vertex vertex) const {
  if (!grid) return std::to_string(vertex + firstVertex);
  return '(' + std::to_string(vertex / grid->columns) + ", " +
         std::to_string(vertex % grid->columns) + ')';
}

void InstanceArguments::addTo(CLI::App& app) {
  std::string const group = "Graph";
  app.add_option("--graph", graphFile, "DIMACS .gr file or edge list")->group(group);
  app.add_option("--grid-file", gridFile, "a grid: # wall, . open, S source, T target")
      ->group(group);
  app.add_option("--grid", grid, "ROWSxCOLUMNS, steps of length 1")->group(group);
  app.add_option("--dense", dense, "vertices of a random graph with half of all arcs")
      ->check(CLI::Range(1, 20000))
      ->group(group);
  app.add_option("--sparse", sparse, "VERTICES,ARCS of a random graph")->group(group);
  app.add_option("--road", road, "ROWSxCOLUMNS, arcs between neighbours with random weights")
      ->group(group);
  app.add_option("--walls", walls, "share of the grid's cells that are walls [0]")
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  app.add_flag("--maze", maze, "make the grid a maze")->group(group);
  app.add_option("--loops", loops, "share of the maze's walls that are broken [0]")
      ->check(CLI::Range(0.0, 1.0))
      ->group(group);
  app.add_option("--bits", bits, "weights are uniform in 1 .. 2^BITS - 1 [8]")
      ->check(CLI::Range(1, 30))
      ->group(group);
  app.add_option("--seed", seed, "of the graph, and of the ants [1]")->group(group);
  app.add_option("--from", from, "source; in grids also ROW,COLUMN [the first open vertex]")
      ->group(group);
  app.add_option("--to", to, "target [the last open vertex]")->group(group);
}

Instance makeInstance(InstanceArguments const& arguments) {
  Instance instance = load(arguments);
  if (!arguments.from.empty()) instance.source = parseVertex(instance, arguments.from, "--from");
  if (!arguments.to.empty()) instance.target = parseVertex(instance, arguments.to, "--to");
  if (instance.grid)
    for (Vertex const cell : {instance.source, instance.target})
      if (instance.grid->wall[std::size_t(cell)])
        throw Failure(ExitStatus::usage, instance.name(cell) + " is a wall");
  return instance;
}

}  // namespace osi_cuda::shortest_path
