// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "bench/textbook/commands.hpp"
#include "bench/textbook/problems.hpp"
#include "bench/textbook/product.hpp"
#include "bench/textbook/variant.hpp"
#include "cli/output_file.hpp"
#include "cli/text_table.hpp"
#include "examples/common/plot.hpp"
#include "examples/common/records.hpp"

namespace osi_cuda::textbook {
namespace {

using cli::shortNumber;
using examples::numberOf;
using examples::Record;
using examples::textOf;
using Words = std::vector<std::string>;

/// A table of Markdown; the first line is its head.
std::string tableOf(std::vector<Words> const& lines) {
  std::string text;
  auto const add = [&](Words const& cells) {
    for (std::string const& cell : cells) text += "| " + cell + ' ';
    text += "|\n";
  };
  add(lines.front());
  add(Words(lines.front().size(), "---"));
  std::for_each(lines.begin() + 1, lines.end(), add);
  return text;
}

/// The runs on one problem by solver: "device largest one graph double rows", "clp/dual".
using BySolver = std::map<std::string, Record>;
struct Problem {
  std::string name, family, size;
  double entries = 0.0;  ///< rows x columns
  BySolver runs;

  Record const* find(std::string const& solver) const {
    auto const found = runs.find(solver);
    return found == runs.end() ? nullptr : &found->second;
  }
};

std::string labelOf(Record const& record, std::string const& changedAxis = "",
                    std::string const& value = "") {
  if (textOf(record, "solver") != "textbook") return textOf(record, "solver");
  std::string label;
  for (Axis const& axis : axes())
    label +=
        (label.empty() ? "" : " ") + (axis.name == changedAxis ? value : textOf(record, axis.name));
  return label;
}

/// By family and size. Of several runs of a solver that one counts that ended, and was quickest.
std::vector<Problem> problemsOf(std::vector<Record> const& records) {
  std::map<std::string, Problem> byName;
  for (Record const& record : records) {
    std::string const name = textOf(record, "problem");
    Problem& problem = byName[name];
    problem.name = name;
    problem.family = familyOfProblem(name);
    problem.size = name.substr(problem.family.size() + 1);
    problem.entries = numberOf(record, "rows") * numberOf(record, "columns");
    auto const rank = [](Record const& r) {
      return std::make_pair(textOf(r, "verdict") == "stopped", numberOf(r, "seconds"));
    };
    auto const [place, isNew] = problem.runs.emplace(labelOf(record), record);
    if (!isNew && rank(record) < rank(place->second)) place->second = record;
  }
  std::vector<Problem> problems;
  for (auto const& [name, problem] : byName) problems.push_back(problem);
  std::sort(problems.begin(), problems.end(), [](Problem const& a, Problem const& b) {
    return std::tie(a.family, a.entries) < std::tie(b.family, b.entries);
  });
  return problems;
}

std::set<std::string> familiesOf(std::vector<Problem> const& problems) {
  std::set<std::string> families;
  for (Problem const& problem : problems) families.insert(problem.family);
  return families;
}

/// A number of a table, and what stands before it: "" as measured, "~" estimated, ">" a bound.
struct Value {
  double number = std::nan("");
  std::string mark;
  std::string text() const { return std::isnan(number) ? "-" : mark + shortNumber(number, 3); }
};

std::string ruleOf(Record const& record) {
  return textOf(record, "rule").substr(0, 8);  // "greatest-tile" is greatest too
}

/// One column of a table over problems, or one curve.
struct Column {
  std::string title, solver, measure;

  /// Seconds of a run that was stopped are estimated if another one of the same rule and precision
  /// ended: they make the same pivots.
  Value of(Problem const& problem) const {
    Record const* const run = problem.find(solver);
    if (!run || textOf(*run, "verdict") == "wrong") return {};
    if (measure != "seconds" || textOf(*run, "verdict") != "stopped")
      return {numberOf(*run, measure), ""};
    if (textOf(*run, "solver") == "textbook")
      for (auto const& [label, other] : problem.runs)
        if (textOf(other, "verdict") == "right" && ruleOf(other) == ruleOf(*run) &&
            textOf(other, "precision") == textOf(*run, "precision"))
          return {numberOf(*run, "setup_seconds") +
                      1e-6 * numberOf(*run, "pivot_us") * numberOf(other, "pivots"),
                  "~"};
    return {numberOf(*run, "seconds"), "> "};
  }
};

std::vector<Column> const contestants{
    {"GPU, largest coefficient", "device largest one graph double rows", "seconds"},
    {"GPU, greatest improvement", "device greatest-tile one graph double rows", "seconds"},
    {"one core", "host largest one one-core double rows", "seconds"},
    {"one core, vectors", "host largest one vectors double rows", "seconds"},
    {"all cores", "host largest one all-cores double rows", "seconds"},
    {"lp_solve", "lp_solve/primal", "seconds"},
    {"GLPK", "glpk/primal", "seconds"},
    {"Clp", "clp/dual", "seconds"},
    {"HiGHS", "highs/dual", "seconds"},
    {"delayed tableau, GPU", "ours/cuda", "seconds"},
    {"delayed tableau, processor", "ours/host", "seconds"}};

std::vector<Column> const pivots{
    {"pivots", "device largest one graph double rows", "pivots"},
    {"host flag", "device largest one host-flag double rows", "pivot_us"},
    {"queue", "device largest one queue double rows", "pivot_us"},
    {"graph", "device largest one graph double rows", "pivot_us"},
    {"persistent", "device largest one persistent double rows", "pivot_us"},
    {"copy on the GPU", "device largest one graph double rows", "floor_us"},
    {"one core", "host largest one one-core double rows", "pivot_us"},
    {"all cores", "host largest one all-cores double rows", "pivot_us"},
    {"copy by all cores", "host largest one all-cores double rows", "floor_us"}};

std::vector<Column> rules() {
  std::vector<Column> columns{
      {"pivots, largest", "device largest one graph double rows", "pivots"},
      {"pivots, greatest", "device greatest-tile one graph double rows", "pivots"}};
  for (char const* const layout : {"rows", "columns"})
    for (char const* const rule :
         {"largest", "greatest-thread", "greatest-block", "greatest-tile", "greatest-parts"})
      columns.push_back({std::string(rule) + ", " + layout + ", us",
                         std::string("device ") + rule + " one graph double " + layout,
                         "pivot_us"});
  return columns;
}

std::vector<Column> productColumns(std::string const& measure) {
  std::vector<Column> columns;
  for (std::string const& form : productFormNames()) columns.push_back({form, form, measure});
  return columns;
}

/// `ratios`: how many times the first column's number each one is stands beside it.
std::string overProblems(std::vector<Problem> const& problems, std::vector<Column> const& columns,
                         bool ratios) {
  std::vector<Words> lines{{"problem"}};
  for (Column const& column : columns) lines[0].push_back(column.title);
  for (Problem const& problem : problems) {
    Words line{problem.family + ' ' + problem.size};
    bool any = false;
    double const first = columns.front().of(problem).number;
    for (Column const& column : columns) {
      Value const value = column.of(problem);
      any = any || !std::isnan(value.number);
      double const ratio = value.number / first;
      bool const shown = ratios && std::isfinite(ratio) && &column != &columns.front();
      line.push_back((column.measure == "pivots" ? shortNumber(value.number, 7) : value.text()) +
                     (shown ? ": " + shortNumber(ratio, 2) + " x" : ""));
    }
    if (any) lines.push_back(line);
  }
  return tableOf(lines);
}

/// The first of the sizes (ascending) from which on `mine` is the smaller one, "never" or, without
/// numbers, "-".
struct Crossing {
  std::string from = "-";
  bool wins = false;
  void add(std::string const& size, double mine, double other) {
    if (std::isnan(mine) || std::isnan(other)) return;
    if (mine >= other) from = "never";
    if (mine < other && !wins) from = size;
    wins = mine < other;
  }
};

std::string crossover(std::vector<Problem> const& problems, std::vector<Column> const& mine,
                      std::vector<Column> const& others) {
  std::vector<Words> lines{{"family", "from which size on quicker"}};
  for (Column const& other : others) lines[0].push_back("than " + other.title);
  for (std::string const& family : familiesOf(problems))
    for (Column const& column : mine) {
      Words line{family, column.title};
      for (Column const& other : others) {
        Crossing crossing;
        for (Problem const& problem : problems)
          if (Value const value = column.of(problem);
              problem.family == family && value.mark != "> ")
            crossing.add(problem.size, value.number, other.of(problem).number);
        line.push_back(crossing.from);
      }
      lines.push_back(line);
    }
  return tableOf(lines);
}

/// What a choice is worth: of all pairs of runs that differ in one axis only, the ratio of the time
/// a pivot (for the rule: of whole solves), as geometric mean, least and largest.
std::string choices(std::vector<Problem> const& problems) {
  std::vector<Words> lines{{"choice", "instead of", "time", "least", "largest", "pairs"}};
  for (Axis const& axis : axes()) {
    bool const whole = axis.name == "rule";
    std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;
    for (Problem const& problem : problems)
      for (auto const& [label, run] : problem.runs) {
        std::string const place = textOf(run, "place"), value = textOf(run, axis.name);
        std::string const baseline = axis.name != "drive" ? axis.values[0]
                                     : place == "host"    ? "one-core"
                                                          : "host-flag";
        Record const* const other = problem.find(labelOf(run, axis.name, baseline));
        if (!other || value == baseline || place.empty()) continue;
        auto const usable = [&](Record const& r) {
          return textOf(r, "verdict") != "wrong" && !(whole && textOf(r, "verdict") == "stopped");
        };
        char const* const measure = whole ? "seconds" : "pivot_us";
        if (usable(run) && usable(*other))
          ratios[{place + ": " + value, baseline + (whole ? ", whole solves" : ", a pivot")}]
              .push_back(numberOf(run, measure) / numberOf(*other, measure));
      }
    for (auto& [key, values] : ratios) {
      double logarithms = 0.0;
      for (double const value : values) logarithms += std::log(value);
      std::sort(values.begin(), values.end());
      lines.push_back({key.first, key.second,
                       shortNumber(std::exp(logarithms / double(values.size())), 3),
                       shortNumber(values.front(), 3), shortNumber(values.back(), 3),
                       std::to_string(values.size())});
    }
  }
  return tableOf(lines);
}

/// How the runs ended, and whether all runs of a rule and precision made the same pivots.
std::string verdicts(std::vector<Problem> const& problems) {
  Words const kinds{"right", "near", "wrong", "stopped"};
  std::map<std::pair<std::string, std::string>, std::map<std::string, int>> counts;
  std::map<std::string, std::set<std::string>> paths;
  for (Problem const& problem : problems)
    for (auto const& [label, run] : problem.runs) {
      std::string const precision = textOf(run, "precision"), verdict = textOf(run, "verdict");
      if (precision.empty()) continue;
      ++counts[{problem.family, precision}][verdict];
      if (verdict != "stopped")
        paths[problem.name + ' ' + ruleOf(run) + ' ' + precision].insert(textOf(run, "path"));
    }
  std::vector<Words> lines{{"family", "precision"}};
  lines[0].insert(lines[0].end(), kinds.begin(), kinds.end());
  for (auto& [key, count] : counts) {
    lines.push_back({key.first, key.second});
    for (std::string const& kind : kinds) lines.back().push_back(std::to_string(count[kind]));
  }
  auto const several = std::count_if(paths.begin(), paths.end(),
                                     [](auto const& entry) { return entry.second.size() > 1; });
  return tableOf(lines) +
         "\nCombinations of problem, rule and precision: " + std::to_string(paths.size()) +
         "; of these with different sequences of pivots: " + std::to_string(several) + ".\n";
}

std::string plotOf(std::vector<Problem> const& problems, std::string const& family,
                   std::vector<Column> const& columns, std::string const& title,
                   std::string const& yTitle) {
  examples::Plot plot{title + ", " + family,
                      "rows x columns",
                      yTitle,
                      examples::Scale::log10,
                      examples::Scale::log10,
                      {},
                      false,
                      {}};
  std::set<std::string> const tooMany{"GPU, greatest improvement", "GLPK", "HiGHS", "openblas",
                                      "blocked-cores"};  // eight curves are enough
  for (Column const& column : columns) {
    examples::Series series{column.title, {}};
    for (Problem const& problem : problems)
      if (Value const value = column.of(problem);
          problem.family == family && column.measure != "pivots" && value.mark != "> " &&
          !std::isnan(value.number) && !tooMany.count(column.title))
        series.points.emplace_back(problem.entries, value.number);
    if (!series.points.empty()) plot.series.push_back(series);
  }
  return draw(plot);
}

/// Puts `text` between the marks "<!-- NAME -->" and "<!-- end of NAME -->".
void replaceBetweenMarks(std::string& page, std::string const& name, std::string const& text) {
  std::string const begin = "<!-- " + name + " -->\n", end = "<!-- end of " + name + " -->";
  std::size_t const from = page.find(begin), to = page.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from)
    throw cli::Failure(cli::ExitStatus::badInput, "the page has no marks for " + name);
  page.replace(from + begin.size(), to - from - begin.size(), text);
}

struct Arguments {
  Words files;
  std::string page, pictures;
};

cli::ExitStatus run(Arguments const& arguments) {
  std::vector<Record> records, products;
  for (std::string const& file : arguments.files)
    for (Record const& record : examples::readRecords(file))
      (familyOfProblem(textOf(record, "problem")) == "product" ? products : records)
          .push_back(record);
  std::map<std::string, std::string> tables, pictures;
  if (!records.empty()) {
    std::vector<Problem> const problems = problemsOf(records);
    tables = {{"comparison", overProblems(problems, contestants, true)},
              {"crossover", crossover(problems, {contestants.begin(), contestants.begin() + 2},
                                      {contestants.begin() + 2, contestants.end()})},
              {"pivots", overProblems(problems, pivots, false)},
              {"choices", choices(problems)},
              {"rules", overProblems(problems, rules(), false)},
              {"verdicts", verdicts(problems)}};
    for (std::string const& family : familiesOf(problems)) {
      pictures["seconds-" + family] =
          plotOf(problems, family, contestants, "Whole solves", "seconds");
      pictures["pivots-" + family] = plotOf(problems, family, pivots, "A pivot", "microseconds");
    }
  }
  if (!products.empty()) {
    std::vector<Problem> const problems = problemsOf(products);
    std::vector<Column> device, host;
    for (std::size_t k = 0; k < productFormNames().size(); ++k) {
      Column const column = productColumns("seconds")[k];
      (onDevice(ProductForm(k)) ? device : host).push_back(column);
      if (onDevice(ProductForm(k)))
        device.push_back({column.title + ", with transfers", column.solver, "total_seconds"});
    }
    tables["product speed"] = overProblems(problems, productColumns("gflops"), false);
    tables["product share"] = overProblems(problems, productColumns("share"), false);
    tables["product crossover"] = crossover(problems, device, host);
    pictures["product"] =
        plotOf(problems, "product", productColumns("gflops"), "C = A B of doubles", "GFLOP/s");
  }
  std::stringstream page;
  if (!arguments.page.empty()) {
    std::ifstream file(arguments.page);
    if (!file) throw cli::Failure(cli::ExitStatus::noInput, "can't open " + arguments.page);
    page << file.rdbuf();
  }
  std::string text = page.str();
  for (auto const& [name, table] : tables)
    if (arguments.page.empty())
      std::cout << "## " << name << "\n\n" << table << '\n';
    else
      replaceBetweenMarks(text, name, table);
  if (!arguments.page.empty()) cli::writeTextFile(arguments.page, text);
  if (!arguments.pictures.empty())
    for (auto const& [name, picture] : pictures)
      cli::writeTextFile(arguments.pictures + '/' + name + ".svg", picture);
  return cli::ExitStatus::optimal;
}

}  // namespace

cli::Command reportCommand() {
  return {"report", "tables and plots of results files", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            app.add_option("FILES", a->files, "CSV files of simplex and product")->required();
            app.add_option("--page", a->page,
                           "Markdown file whose tables are replaced, between marks [print them]");
            app.add_option("--pictures", a->pictures, "folder for the plots, SVG");
            return cli::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::textbook
