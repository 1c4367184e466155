// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/report.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "examples/shortest_path/ant_colony.hpp"
#include "shell/plot.hpp"

namespace osi_cuda::shortest_path {
namespace {

using shell::Plot;
using shell::Scale;
using Row = std::vector<std::string>;

std::string number(double value, char const* format) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string seconds(double value) {
  if (value >= 1.0) return number(value, "%.3g s");
  return value >= 1e-3 ? number(value * 1e3, "%.3g ms") : number(value * 1e6, "%.3g us");
}

std::string markdown(Row const& header, std::vector<Row> const& rows) {
  auto const line = [](Row const& cells) {
    std::string text = "|";
    for (std::string const& cell : cells) text += ' ' + cell + " |";
    return text + '\n';
  };
  std::string text = line(header) + '|';
  for (std::size_t k = 0; k < header.size(); ++k) text += k == 0 ? "---|" : "---:|";
  text += '\n';
  for (Row const& row : rows) text += line(row);
  return text;
}

// ---- ant colony --------------------------------------------------------------------------------

/// The ants' experiments with the same parameters (but for their number) at the same place.
struct AntGroup {
  std::string place, device, parameters;
  std::map<std::int64_t, std::map<std::int64_t, Experiment>> cells;  ///< vertices, ants: all runs
  std::map<std::int64_t, std::map<std::int64_t, Experiment>> alone;  ///< one colony at a time
};

std::vector<AntGroup> antGroups(std::vector<Experiment> const& experiments) {
  std::map<std::pair<std::string, std::string>, AntGroup> groups;
  for (Experiment const& e : experiments) {
    if (e.method != "ants" || e.family != "dense") continue;
    AntGroup& group = groups[{e.place, e.parameters}];
    group.place = e.place;
    group.device = e.device;
    group.parameters = e.parameters;
    (e.runs > 1 ? group.cells : group.alone)[e.vertices][e.ants] = e;
  }
  std::vector<AntGroup> list;
  for (auto& [key, group] : groups)
    if (!group.cells.empty()) list.push_back(std::move(group));
  // The program's defaults first, then by the number of cells; the first of a place is plotted.
  std::string const defaults = ants::describe(ants::Parameters());
  std::stable_sort(list.begin(), list.end(), [&](AntGroup const& a, AntGroup const& b) {
    auto const count = [](AntGroup const& g) {
      std::size_t cells = 0;
      for (auto const& [n, row] : g.cells) cells += row.size();
      return cells;
    };
    return std::pair(a.parameters == defaults, count(a)) >
           std::pair(b.parameters == defaults, count(b));
  });
  return list;
}

std::set<std::int64_t> antNumbers(AntGroup const& group) {
  std::set<std::int64_t> numbers;
  for (auto const& [n, row] : group.cells)
    for (auto const& [ants, e] : row) numbers.insert(ants);
  return numbers;
}

template <class Text>
std::string antTable(AntGroup const& group, Text text) {
  std::set<std::int64_t> const numbers = antNumbers(group);
  Row header{"vertices \\ ants"};
  for (std::int64_t const ants : numbers) header.push_back(std::to_string(ants));
  std::vector<Row> rows;
  for (auto const& [n, cells] : group.cells) {
    Row row{std::to_string(n)};
    for (std::int64_t const ants : numbers) {
      auto const found = cells.find(ants);
      row.push_back(found == cells.end() ? "-" : text(found->second));
    }
    rows.push_back(std::move(row));
  }
  return markdown(header, rows);
}

Experiment const* dijkstraOn(std::vector<Experiment> const& experiments, std::int64_t vertices) {
  Experiment const* best = nullptr;
  for (Experiment const& e : experiments)
    if (e.method == "dijkstra" && e.family == "dense" && e.vertices == vertices &&
        (!best || e.runs > best->runs))
      best = &e;
  return best;
}

/// The colony with most ants beside Dijkstra.
std::string antTimes(AntGroup const& group, std::vector<Experiment> const& experiments) {
  std::vector<Row> rows;
  std::int64_t const most = *antNumbers(group).rbegin();
  for (auto const& [n, cells] : group.cells) {
    auto const cell = cells.find(most);
    if (cell == cells.end()) continue;
    Row row{std::to_string(n), seconds(cell->second.seconds)};
    auto const alone = group.alone.find(n);
    row.push_back(alone == group.alone.end() || alone->second.count(most) == 0
                      ? "-"
                      : seconds(alone->second.at(most).seconds));
    Experiment const* const exact = dijkstraOn(experiments, n);
    row.push_back(exact ? seconds(exact->seconds) : "-");
    row.push_back(exact ? number(cell->second.seconds / exact->seconds, "%.3g") : "-");
    rows.push_back(std::move(row));
  }
  return markdown({"vertices", std::to_string(most) + " ants, many colonies at once, each",
                   "one colony alone", "Dijkstra on the host", "ants / Dijkstra"},
                  rows);
}

std::string antTables(std::vector<Experiment> const& experiments) {
  std::string text;
  for (AntGroup const& group : antGroups(experiments)) {
    Experiment const& any = group.cells.begin()->second.begin()->second;
    text += "## Ant colony, " + group.device + "\n\n" + group.parameters + ", " +
            number(any.rounds, "%.0f") + " iterations, " + std::to_string(any.runs) +
            " runs a cell.\n\nRuns that found a shortest path:\n\n";
    text +=
        antTable(group, [](Experiment const& e) { return number(100 * e.accuracy, "%.0f %%"); });
    text += "\nMean excess length of the paths found:\n\n";
    text += antTable(group, [](Experiment const& e) {
      return e.excess ? number(100 * *e.excess, "%.3g %%") : "-";
    });
    text += "\nTime of a run:\n\n";
    text += antTable(group, [](Experiment const& e) { return seconds(e.seconds); });
    text += "\n" + antTimes(group, experiments) + "\n";
  }
  return text;
}

// ---- the other kinds ---------------------------------------------------------------------------

std::string labelOf(Experiment const& e) {
  if (e.method == "dijkstra") return "Dijkstra, host";
  if (e.method == "bellman-ford") return "Bellman-Ford, " + e.place;
  if (e.method == "wave") return "wave, " + e.place;
  if (e.method == "lp") return "LP " + e.solver + (e.solver == "cuda" ? ", " + e.place : "");
  return e.method + ", " + e.place;
}

/// Experiments of one kind on one family: size, label, experiment.
using Sizes = std::map<std::int64_t, std::map<std::string, Experiment>>;

/// The families that `method` was tried on, with all that was tried on the same graphs.
std::map<std::string, Sizes> familiesOf(std::vector<Experiment> const& experiments,
                                        std::string const& method) {
  using Graph = std::tuple<std::string, std::int64_t, std::int64_t, std::string>;
  auto const graphOf = [](Experiment const& e) {
    return Graph(e.family, e.vertices, e.arcs, e.seeds);
  };
  std::set<Graph> graphs;
  for (Experiment const& e : experiments)
    if (e.method == method) graphs.insert(graphOf(e));
  std::map<std::string, Sizes> families;
  for (Experiment const& e : experiments) {
    if (graphs.count(graphOf(e)) == 0 || e.method == "ants" || e.method == "lp-tree") continue;
    std::int64_t const size = method == "bellman-ford" ? e.arcs : e.vertices;
    families[e.family][size][labelOf(e)] = e;
  }
  return families;
}

std::set<std::string> labelsOf(Sizes const& sizes) {
  std::set<std::string> labels;
  for (auto const& [size, row] : sizes)
    for (auto const& [label, e] : row) labels.insert(label);
  return labels;
}

std::string comparison(Sizes const& sizes, std::string const& sizeName) {
  std::set<std::string> const labels = labelsOf(sizes);
  Row header{sizeName};
  for (std::string const& label : labels) {
    header.push_back(label);
    if (label.ends_with("device") && !label.starts_with("LP")) header.push_back("with transfer");
    if (!label.starts_with("Dijkstra") && !(label == "wave, host"))
      header.push_back(label.starts_with("LP")   ? "pivots"
                       : label == "wave, device" ? "launches"
                                                 : "rounds");
  }
  std::vector<Row> rows;
  for (auto const& [size, cells] : sizes) {
    Row row{std::to_string(size)};
    for (std::string const& label : labels) {
      auto const cell = cells.find(label);
      bool const there = cell != cells.end();
      std::string text = "-";
      if (there) text = cell->second.ok ? seconds(cell->second.seconds) : "no answer";
      row.push_back(text);
      if (label.ends_with("device") && !label.starts_with("LP"))
        row.push_back(there ? seconds(cell->second.seconds + cell->second.transferSeconds) : "-");
      if (!label.starts_with("Dijkstra") && !(label == "wave, host"))
        row.push_back(there ? number(cell->second.rounds, "%.0f") : "-");
    }
    rows.push_back(std::move(row));
  }
  return markdown(header, rows);
}

struct Kind {
  char const* method;
  char const* title;
  char const* sizeName;
};
constexpr Kind kinds[] = {{"bellman-ford", "Bellman-Ford", "arcs"},
                          {"wave", "Wave", "cells"},
                          {"lp", "Linear programs", "vertices"}};

}  // namespace

std::string reportTables(std::vector<Experiment> const& experiments) {
  std::string text = antTables(experiments);
  for (Kind const& kind : kinds)
    for (auto const& [family, sizes] : familiesOf(experiments, kind.method))
      text += std::string("## ") + kind.title + ", " + family + "\n\n" +
              comparison(sizes, kind.sizeName) + "\n";
  return text.empty() ? "No experiments.\n" : text;
}

std::vector<std::pair<std::string, std::string>> reportPlots(
    std::vector<Experiment> const& experiments) {
  std::vector<std::pair<std::string, std::string>> plots;
  std::set<std::string> placesDone;
  for (AntGroup const& group : antGroups(experiments)) {
    if (!placesDone.insert(group.place).second) continue;  // other parameters: tables only
    Plot exact{"Ant colony: runs that found a shortest path",
               "ants",
               "runs",
               Scale::log2,
               Scale::linear,
               {0.0, 1.0},
               true,
               {}};
    Plot excess{"Ant colony: mean excess length",
                "ants",
                "excess over the shortest path",
                Scale::log2,
                Scale::linear,
                {0.0, 0.0},
                true,
                {}};
    for (auto const& [n, cells] : group.cells) {
      std::string const name = std::to_string(n) + " vertices";
      shell::Series shares{name, {}}, lengths{name, {}};
      for (auto const& [ants, e] : cells) {
        shares.points.emplace_back(double(ants), e.accuracy);
        if (e.excess) lengths.points.emplace_back(double(ants), *e.excess);
      }
      exact.series.push_back(std::move(shares));
      excess.series.push_back(std::move(lengths));
    }
    plots.emplace_back("ants-" + group.place + "-exact.svg", draw(exact));
    plots.emplace_back("ants-" + group.place + "-excess.svg", draw(excess));
  }
  for (Kind const& kind : kinds)
    for (auto const& [family, sizes] : familiesOf(experiments, kind.method)) {
      Plot plot{std::string(kind.title) + ", " + family,
                kind.sizeName,
                "seconds",
                Scale::log10,
                Scale::log10,
                {0.0, 0.0},
                false,
                {}};
      if (std::string(kind.method) == "lp") plot.xScale = Scale::linear;
      for (std::string const& label : labelsOf(sizes)) {
        shell::Series series{label, {}};
        for (auto const& [size, cells] : sizes) {
          auto const cell = cells.find(label);
          if (cell != cells.end() && cell->second.ok)
            series.points.emplace_back(double(size), cell->second.seconds);
        }
        plot.series.push_back(std::move(series));
      }
      plots.emplace_back(std::string(kind.method) + '-' + family + ".svg", draw(plot));
    }
  return plots;
}

}  // namespace osi_cuda::shortest_path
