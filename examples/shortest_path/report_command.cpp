// SPDX-License-Identifier: EPL-2.0
// Tables (Markdown) and plots (SVG) of a database of experiments.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "examples/common/plot.hpp"
#include "examples/common/records.hpp"
#include "examples/shortest_path/ant_colony.hpp"
#include "examples/shortest_path/commands.hpp"
#include "examples/shortest_path/experiment_database.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Plot;
using examples::Scale;
using NamedPicture = std::pair<std::string, std::string>;  ///< file name and SVG document

/// What was measured on graphs of one size, by a name of who ran.
using Row = std::map<std::string, Experiment>;
using Rows = std::map<std::int64_t, Row>;

using examples::durationText;
std::string secondsOf(Experiment const& e) {
  return e.ok ? durationText(e.seconds) : "no answer";
}

struct Column {
  std::string title;
  std::string key;                                     ///< of the row
  std::function<std::string(Experiment const&)> cell;  ///< "-" where the key is missing
};

std::string tableOf(Rows const& rows, std::string const& sizeName,
                    std::vector<Column> const& columns) {
  std::vector<std::vector<std::string>> lines{{sizeName}};
  for (Column const& column : columns) lines.front().push_back(column.title);
  for (auto const& [size, row] : rows) {
    auto& line = lines.emplace_back(1, std::to_string(size));
    for (Column const& column : columns) {
      auto const found = row.find(column.key);
      line.push_back(found == row.end() ? "-" : column.cell(found->second));
    }
  }
  return examples::markdownTable(lines);
}

// ---- ant colony --------------------------------------------------------------------------------

/// The ants' experiments with the same parameters (but for their number) at the same place. The key
/// in a row is the number of ants; "alone" is one colony of most ants by itself, "dijkstra" the
/// exact answer.
struct AntGroup {
  std::string place, device, parameters;
  std::set<std::int64_t> numbers;  ///< of ants
  Rows rows;
  std::size_t cells = 0;
  Experiment any;
};

std::vector<AntGroup> antGroups(std::vector<Experiment> const& experiments) {
  std::map<std::pair<std::string, std::string>, AntGroup> groups;
  for (Experiment const& e : experiments) {
    if (e.method != "ants" || e.family != "dense" || e.runs <= 1) continue;
    AntGroup& group = groups[{e.place, e.parameters}];
    std::tie(group.place, group.device, group.parameters) =
        std::tie(e.place, e.device, e.parameters);
    group.numbers.insert(e.ants);
    group.rows[e.vertices][std::to_string(e.ants)] = group.any = e;
    ++group.cells;
  }
  std::string const defaults = ants::describe(ants::Parameters());
  std::vector<AntGroup> list;
  for (auto& [key, group] : groups) {
    for (Experiment const& e : experiments) {
      auto const row = group.rows.find(e.vertices);
      if (row == group.rows.end() || e.family != "dense") continue;
      if (e.method == "ants" && e.runs == 1 && e.ants == *group.numbers.rbegin() &&
          std::pair(e.place, e.parameters) == key)
        row->second["alone"] = e;
      if (e.method == "dijkstra" && e.runs > row->second["dijkstra"].runs)
        row->second["dijkstra"] = e;
    }
    list.push_back(std::move(group));
  }
  // The program's defaults first, then by the number of cells; the first of a place is plotted.
  std::stable_sort(list.begin(), list.end(), [&](AntGroup const& a, AntGroup const& b) {
    return std::pair(a.parameters == defaults, a.cells) >
           std::pair(b.parameters == defaults, b.cells);
  });
  return list;
}

std::string antTable(AntGroup const& group, std::string (*cell)(Experiment const&)) {
  std::vector<Column> columns;
  for (std::int64_t const ants : group.numbers)
    columns.push_back({std::to_string(ants), std::to_string(ants), cell});
  return tableOf(group.rows, "vertices \\ ants", columns);
}

/// The colony with most ants beside Dijkstra.
std::string antTimes(AntGroup const& group) {
  std::string const most = std::to_string(*group.numbers.rbegin());
  Rows rows = group.rows;
  std::erase_if(rows, [&](auto const& one) { return one.second.count(most) == 0; });
  auto const time = [](Experiment const& e) { return durationText(e.seconds); };
  auto const ratio = [&](Experiment const& e) {
    return fmt::format("{:.3g}", rows.at(e.vertices).at(most).seconds / e.seconds);
  };
  return tableOf(rows, "vertices",
                 {{most + " ants, many colonies at once, each", most, time},
                  {"one colony alone", "alone", time},
                  {"Dijkstra on the host", "dijkstra", time},
                  {"ants / Dijkstra", "dijkstra", ratio}});
}

std::string antTables(AntGroup const& group) {
  auto const share = [](Experiment const& e) { return fmt::format("{:.0f} %", 100 * e.accuracy); };
  auto const excess = [](Experiment const& e) {
    return e.excess ? fmt::format("{:.3g} %", 100 * *e.excess) : "-";
  };
  auto const time = [](Experiment const& e) { return durationText(e.seconds); };
  return fmt::format(
      "## Ant colony, {}\n\n{}, {:.0f} iterations, {} runs a cell.\n\n"
      "Runs that found a shortest path:\n\n{}\nMean excess length of the paths found:\n\n{}\n"
      "Time of a run:\n\n{}\n{}\n",
      group.device, group.parameters, group.any.rounds, group.any.runs, antTable(group, share),
      antTable(group, excess), antTable(group, time), antTimes(group));
}

void addAntPlots(AntGroup const& group, std::vector<NamedPicture>& pictures) {
  Plot exact, excess;
  exact.title = "Ant colony: runs that found a shortest path";
  exact.yTitle = "runs";
  exact.yRange = {0.0, 1.0};
  excess.title = "Ant colony: mean excess length";
  excess.yTitle = "excess over the shortest path";
  for (Plot* const plot : {&exact, &excess}) {
    plot->xTitle = "ants";
    plot->xScale = Scale::log2;
    plot->percent = true;
  }
  for (auto const& [vertices, row] : group.rows) {
    examples::Curve shares{fmt::format("{} vertices", vertices), {}}, lengths = shares;
    for (std::int64_t const ants : group.numbers) {
      auto const cell = row.find(std::to_string(ants));
      if (cell == row.end()) continue;
      shares.points.emplace_back(double(ants), cell->second.accuracy);
      if (cell->second.excess) lengths.points.emplace_back(double(ants), *cell->second.excess);
    }
    exact.curves.push_back(std::move(shares));
    excess.curves.push_back(std::move(lengths));
  }
  pictures.emplace_back("ants-" + group.place + "-exact.svg", draw(exact));
  pictures.emplace_back("ants-" + group.place + "-excess.svg", draw(excess));
}

// ---- the other kinds ---------------------------------------------------------------------------

struct Kind {
  char const* method;
  char const* title;
  char const* sizeName;
};
constexpr Kind kinds[] = {{"bellman-ford", "Bellman-Ford", "arcs"},
                          {"wave", "Wave", "cells"},
                          {"lp", "Linear programs", "vertices"}};

std::string labelOf(Experiment const& e) {
  if (e.method == "dijkstra") return "Dijkstra, host";
  if (e.method == "bellman-ford") return "Bellman-Ford, " + e.place;
  if (e.method == "lp") return "LP " + e.solver + (e.solver == "cuda" ? ", " + e.place : "");
  return e.method + ", " + e.place;
}

/// The families that the kind's method was tried on, with all that was tried on the same graphs.
std::map<std::string, Rows> familiesOf(std::vector<Experiment> const& experiments,
                                       std::string const& method) {
  auto const graphOf = [](Experiment const& e) {
    return std::tuple(e.family, e.vertices, e.arcs, e.seeds);
  };
  std::set<decltype(graphOf(Experiment()))> graphs;
  for (Experiment const& e : experiments)
    if (e.method == method) graphs.insert(graphOf(e));
  std::map<std::string, Rows> families;
  for (Experiment const& e : experiments)
    if (graphs.count(graphOf(e)) > 0 && e.method != "ants" && e.method != "lp-tree")
      families[e.family][method == "bellman-ford" ? e.arcs : e.vertices][labelOf(e)] = e;
  return families;
}

std::set<std::string> labelsOf(Rows const& rows) {
  std::set<std::string> labels;
  for (auto const& [size, row] : rows)
    for (auto const& [label, e] : row) labels.insert(label);
  return labels;
}

std::string comparison(Rows const& rows, std::string const& sizeName) {
  std::vector<Column> columns;
  for (std::string const& label : labelsOf(rows)) {
    bool const linear = label.starts_with("LP");
    columns.push_back({label, label, secondsOf});
    if (label.ends_with("device") && !linear)
      columns.push_back({"with transfer", label, [](Experiment const& e) {
                           return durationText(e.seconds + e.transferSeconds);
                         }});
    if (label != "Dijkstra, host" && label != "wave, host")
      columns.push_back({linear                    ? "pivots"
                         : label == "wave, device" ? "launches"
                                                   : "rounds",
                         label,
                         [](Experiment const& e) { return fmt::format("{:.0f}", e.rounds); }});
  }
  return tableOf(rows, sizeName, columns);
}

std::string timesPlot(Rows const& rows, Kind const& kind, std::string const& family) {
  Plot plot;
  plot.title = std::string(kind.title) + ", " + family;
  plot.xTitle = kind.sizeName;
  plot.yTitle = "seconds";
  plot.xScale = std::string(kind.method) == "lp" ? Scale::linear : Scale::log10;
  plot.yScale = Scale::log10;
  for (std::string const& label : labelsOf(rows)) {
    examples::Curve series{label, {}};
    for (auto const& [size, row] : rows)
      if (auto const cell = row.find(label); cell != row.end() && cell->second.ok)
        series.points.emplace_back(double(size), cell->second.seconds);
    plot.curves.push_back(std::move(series));
  }
  return draw(plot);
}

/// A kind without experiments has no table.
std::string reportTables(std::vector<Experiment> const& experiments) {
  std::string text;
  for (AntGroup const& group : antGroups(experiments)) text += antTables(group);
  for (Kind const& kind : kinds)
    for (auto const& [family, rows] : familiesOf(experiments, kind.method))
      text += fmt::format("## {}, {}\n\n{}\n", kind.title, family, comparison(rows, kind.sizeName));
  return text.empty() ? "No experiments.\n" : text;
}

/// For the kinds that have experiments; of the ants' parameters the first of each place.
std::vector<NamedPicture> reportPlots(std::vector<Experiment> const& experiments) {
  std::vector<NamedPicture> pictures;
  std::set<std::string> placesDone;
  for (AntGroup const& group : antGroups(experiments))
    if (placesDone.insert(group.place).second) addAntPlots(group, pictures);
  for (Kind const& kind : kinds)
    for (auto const& [family, rows] : familiesOf(experiments, kind.method))
      pictures.emplace_back(fmt::format("{}-{}.svg", kind.method, family),
                            timesPlot(rows, kind, family));
  return pictures;
}

// ---- the command ------------------------------------------------------------------------------

struct Arguments {
  std::string database, plots;
};

ExitStatus run(Arguments const& arguments) {
  std::vector<Experiment> const experiments =
      ExperimentDatabase(arguments.database, ExperimentDatabase::Mode::read).latest();
  std::cout << reportTables(experiments);
  if (arguments.plots.empty()) return ExitStatus::optimal;
  std::error_code error;
  std::filesystem::create_directories(arguments.plots, error);
  if (error)
    throw examples::Failure(ExitStatus::cannotWrite,
                            "can't make the folder '" + arguments.plots + "': " + error.message());
  for (auto const& [name, document] : reportPlots(experiments)) {
    std::string const path = arguments.plots + '/' + name;
    examples::writeTextFile(path, document);
    std::cerr << path << '\n';
  }
  return ExitStatus::optimal;
}

}  // namespace

examples::Command reportCommand() {
  return {"report", "tables (Markdown) and plots (SVG) of a database", [](CLI::App& app) {
            auto const arguments = std::make_shared<Arguments>();
            app.add_option("DATABASE", arguments->database, "SQLite file")->required();
            app.add_option("--plots", arguments->plots, "folder for the plots");
            return examples::Run([arguments] { return run(*arguments); });
          }};
}

}  // namespace osi_cuda::shortest_path
