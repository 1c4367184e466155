// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/graph_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "readers/line_source.hpp"
#include "readers/number.hpp"

namespace osi_cuda::shortest_path {
namespace {

using readers::LineSource;

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

/// The words of one line, taken from the left.
class Words {
 public:
  explicit Words(LineSource const& source) : source_(source), rest_(source.line()) {}

  /// The next word, or an empty one at the end of the line.
  std::string_view next() {
    std::size_t const begin = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    std::size_t const end = std::min(rest_.find_first_of(" \t", begin), rest_.size());
    std::string_view const word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
  }
  std::int64_t integer(std::string_view word, std::int64_t low, std::int64_t high,
                       char const* what) {
    auto const value = readers::wholeNumber<std::int64_t>(word);
    if (!value || *value < low || *value > high)
      source_.fail(word, fmt::format("{}, an integer from {} to {}", what, low, high));
    return *value;
  }
  std::int64_t integer(std::int64_t low, std::int64_t high, char const* what) {
    return integer(next(), low, high, what);
  }
  /// TAIL HEAD WEIGHT, of which the tail has been read, with vertices `low` to `high`.
  Arc arc(std::string_view tail, std::int64_t low, std::int64_t high) {
    auto const from = Vertex(integer(tail, low, high, "the tail") - low);
    auto const to = Vertex(integer(low, high, "the head") - low);
    return {from, to, Weight(integer(-largest, largest, "the weight"))};
  }
  void mustEnd() {
    std::string_view const word = next();
    if (!word.empty()) source_.fail(word, "the end of the line");
  }

 private:
  LineSource const& source_;
  std::string_view rest_;
};

Graph readDimacs(LineSource& source) {
  std::int64_t vertices = -1, announced = 0;
  std::vector<Arc> arcs;
  do {
    Words words(source);
    std::string_view const kind = words.next();
    if (kind.empty() || kind == "c") continue;
    if (kind == "p") {
      if (vertices >= 0) source.fail(kind, "one problem line only");
      std::string_view const problem = words.next();
      if (problem != "sp") source.fail(problem, "sp");
      vertices = words.integer(1, largest, "a number of vertices");
      announced = words.integer(0, largest, "a number of arcs");
    } else if (kind == "a") {
      if (vertices < 0) source.fail(kind, "the line `p sp VERTICES ARCS` before the first arc");
      if (std::int64_t(arcs.size()) == announced)
        source.fail(kind, fmt::format("no more than the {} arcs announced", announced));
      arcs.push_back(words.arc(words.next(), 1, vertices));
    } else {
      source.fail(kind, "c, p or a");
    }
    words.mustEnd();
  } while (source.next());
  if (vertices < 0) source.failAtEnd("the line `p sp VERTICES ARCS`");
  if (std::int64_t(arcs.size()) < announced)
    source.failAtEnd(fmt::format("{} arcs (there are {})", announced, arcs.size()));
  return makeGraph(Vertex(vertices), arcs);
}

Graph readEdgeList(LineSource& source) {
  std::int64_t vertices = 0;
  std::int64_t bound = largest - 1;
  std::vector<Arc> arcs;
  do {
    Words words(source);
    std::string_view const first = words.next();
    if (first.empty() || first.front() == '#') continue;
    if (first == "vertices") {
      std::int64_t const said = words.integer(1, largest, "a number of vertices");
      if (said < vertices)
        source.fail(first, "a number of vertices above the largest vertex before it");
      vertices = said;
      bound = said - 1;
    } else {
      Arc const arc = arcs.emplace_back(words.arc(first, 0, bound));
      vertices = std::max(vertices, std::int64_t{std::max(arc.tail, arc.head)} + 1);
    }
    words.mustEnd();
  } while (source.next());
  if (vertices == 0) source.failAtEnd("an arc TAIL HEAD WEIGHT");
  return makeGraph(Vertex(vertices), arcs);
}

GraphFile readGraph(LineSource& source) {
  while (source.next()) {
    std::string_view const word = Words(source).next();
    if (word.empty()) continue;
    if (word == "c" || word == "p") return {readDimacs(source), 1};
    return {readEdgeList(source), 0};
  }
  source.failAtEnd("a graph");
}

GridFile readGrid(LineSource& source) {
  GridFile file;
  Grid& grid = file.grid;
  while (source.next()) {
    std::string_view const line = source.line();
    if (grid.rows == 0) grid.columns = std::int32_t(std::min<std::size_t>(line.size(), 1u << 30));
    if (line.empty() || std::int64_t(line.size()) != grid.columns)
      source.fail(line.data(), fmt::format("a row of {} cells", grid.columns),
                  std::to_string(line.size()));
    if (grid.cells() + grid.columns > largest)
      source.fail(line.data(), "fewer than 2^31 cells", "more");
    for (char const& cell : line) {
      std::optional<Vertex>& mark = cell == 'S' ? file.source : file.target;
      if (cell == 'S' || cell == 'T') {
        if (mark) source.fail(&cell, std::string("one ") + cell + " only", "another");
        mark = Vertex(grid.wall.size());
      } else if (cell != '#' && cell != '.' && cell != ' ') {
        source.fail(&cell, "one of # . S T", "'" + std::string(1, cell) + "'");
      }
      grid.wall.push_back(cell == '#' ? 1 : 0);
    }
    ++grid.rows;
  }
  if (grid.rows == 0) source.failAtEnd("a row of cells");
  return file;
}

LineSource openPath(std::string const& path) {
  return {readers::decompress(readers::openFile(path), 0), path == "-" ? "standard input" : path,
          nullptr};
}
}  // namespace

GraphFile readGraph(std::string const& path) {
  LineSource source = openPath(path);
  return readGraph(source);
}

GridFile readGrid(std::string const& path) {
  LineSource source = openPath(path);
  return readGrid(source);
}

}  // namespace osi_cuda::shortest_path
