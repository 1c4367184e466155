// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include "examples/textbook/commands.hpp"
#include "examples/textbook/product.hpp"
#include "examples/textbook/run_tables.hpp"
#include "examples/textbook/variant.hpp"
#include "shell/output_file.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::textbook {
namespace {

using examples::numberOf;
using examples::textOf;
using shell::shortNumber;
using Words = std::vector<std::string>;

/// "device largest one graph double rows", or another solver's name; with one axis changed.
std::string labelOf(Record const& record, std::string const& changedAxis = "",
                    std::string const& value = "") {
  if (textOf(record, "solver") != "textbook") return textOf(record, "solver");
  std::string label;
  for (Axis const& axis : axes())
    label +=
        (label.empty() ? "" : " ") + (axis.name == changedAxis ? value : textOf(record, axis.name));
  return label;
}

std::string ruleOf(Record const& record) {
  return textOf(record, "rule").substr(0, 8);  // "greatest-tile" is greatest too
}

/// What a column shows of the runs of one solver.
Column numbers(std::string const& title, std::string const& solver, std::string const& measure,
               int digits = 3) {
  return {title, [=](ProblemRuns const& problem) -> Value {
            Record const* const run = problem.find(solver);
            if (!run || textOf(*run, "verdict") == "wrong") return {};
            return {numberOf(*run, measure), "", digits};
          }};
}

/// Seconds of whole solves. Those of a run that was stopped are estimated if another one of the
/// same rule and precision ended: they make the same pivots.
Column seconds(std::string const& title, std::string const& solver) {
  return {title, [=](ProblemRuns const& problem) -> Value {
            Record const* const run = problem.find(solver);
            if (!run || textOf(*run, "verdict") != "stopped")
              return numbers(title, solver, "seconds").of(problem);
            if (textOf(*run, "solver") == "textbook")
              for (auto const& [label, other] : problem.runs)
                if (textOf(other, "verdict") == "right" && ruleOf(other) == ruleOf(*run) &&
                    textOf(other, "precision") == textOf(*run, "precision"))
                  return {numberOf(*run, "setup_seconds") +
                              1e-6 * numberOf(*run, "pivot_us") * numberOf(other, "pivots"),
                          "~"};
            return {numberOf(*run, "seconds"), "> "};
          }};
}

std::string variant(char const* words, std::string const& drive) {
  return std::string(words) + " one " + drive + " double rows";
}

/// The GPU first, then whom it is compared with; eight of them are drawn.
std::vector<Column> contestants(bool drawn) {
  std::vector<Column> columns{
      seconds("GPU, largest coefficient", variant("device largest", "graph"))};
  if (!drawn)
    columns.push_back(
        seconds("GPU, greatest improvement", variant("device greatest-tile", "graph")));
  columns.push_back(seconds("one core", variant("host largest", "one-core")));
  columns.push_back(seconds("one core, vectors", variant("host largest", "vectors")));
  columns.push_back(seconds("all cores", variant("host largest", "all-cores")));
  columns.push_back(seconds("lp_solve", "lp_solve/primal"));
  if (!drawn) columns.push_back(seconds("GLPK", "glpk/primal"));
  columns.push_back(seconds("Clp", "clp/dual"));
  if (!drawn) columns.push_back(seconds("HiGHS", "highs/dual"));
  columns.push_back(seconds("delayed tableau, GPU", "osi/cuda"));
  columns.push_back(seconds("delayed tableau, processor", "osi/host"));
  return columns;
}

std::vector<Column> pivotTimes() {
  std::vector<Column> columns;
  for (char const* const drive : {"host-flag", "queue", "graph", "persistent"})
    columns.push_back(numbers(drive, variant("device largest", drive), "pivot_us"));
  columns.push_back(numbers("copy on the GPU", variant("device largest", "graph"), "floor_us"));
  for (char const* const drive : {"one-core", "all-cores"})
    columns.push_back(numbers(drive, variant("host largest", drive), "pivot_us"));
  columns.push_back(numbers("copy by all cores", variant("host largest", "all-cores"), "floor_us"));
  return columns;
}

std::vector<Column> rules() {
  std::vector<Column> columns{
      numbers("pivots, largest", variant("device largest", "graph"), "pivots", 7),
      numbers("pivots, greatest", variant("device greatest-tile", "graph"), "pivots", 7)};
  for (char const* const layout : {"rows", "columns"})
    for (char const* const rule :
         {"largest", "greatest-thread", "greatest-block", "greatest-tile", "greatest-parts"})
      columns.push_back(numbers(std::string(rule) + ", " + layout,
                                std::string("device ") + rule + " one graph double " + layout,
                                "pivot_us"));
  return columns;
}

/// What a choice is worth: of all pairs of runs that differ in one axis only, the ratio of the time
/// a pivot (for the rule: of whole solves), as geometric mean, least and largest.
std::string choices(std::vector<ProblemRuns> const& problems) {
  std::vector<Words> lines{{"choice", "instead of", "time", "least", "largest", "pairs"}};
  for (Axis const& axis : axes()) {
    bool const whole = axis.name == "rule";
    std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;
    for (ProblemRuns const& problem : problems)
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
  return examples::markdownTable(lines, examples::Cells::words);
}

/// How the runs ended, and whether all runs of a rule and precision made the same pivots.
std::string verdicts(std::vector<ProblemRuns> const& problems) {
  Words const kinds{"right", "near", "wrong", "stopped"};
  std::map<std::pair<std::string, std::string>, std::map<std::string, int>> counts;
  std::map<std::string, std::set<std::string>> paths;
  for (ProblemRuns const& problem : problems)
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
  return examples::markdownTable(lines, examples::Cells::words) +
         "\nCombinations of problem, rule and precision: " + std::to_string(paths.size()) +
         "; of these with different sequences of pivots: " + std::to_string(several) + ".\n";
}

struct Arguments {
  Words files;
  std::string pictures;
};

shell::ExitStatus run(Arguments const& arguments) {
  std::vector<Record> records, products;
  for (std::string const& file : arguments.files)
    for (Record const& record : examples::readRecords(file))
      (textOf(record, "problem").rfind("product:", 0) == 0 ? products : records).push_back(record);
  std::map<std::string, std::string> tables, pictures;
  if (!records.empty()) {
    auto const problems = problemsOf(records, [](Record const& r) { return labelOf(r); });
    std::vector<Column> const all = contestants(false), times = pivotTimes();
    tables = {{"comparison", overProblems(problems, all, true)},
              {"pivots", overProblems(problems, times, false)},
              {"choices", choices(problems)},
              {"rules", overProblems(problems, rules(), false)},
              {"verdicts", verdicts(problems)}};
    for (std::string const& family : familiesOf(problems)) {
      pictures["seconds-" + family] =
          plotOf(problems, family, contestants(true), "Whole solves", "seconds");
      pictures["pivots-" + family] = plotOf(problems, family, times, "A pivot", "microseconds");
    }
  }
  if (!products.empty()) {
    auto const problems = problemsOf(products, [](Record const& r) { return textOf(r, "solver"); });
    std::vector<Column> speed, share, drawn;
    for (std::size_t k = 0; k < productFormNames().size(); ++k) {
      std::string const& form = productFormNames()[k];
      speed.push_back(numbers(form, form, "gflops"));
      share.push_back(numbers(form, form, "share", 2));
      if (form != "openblas" && form != "blocked-cores") drawn.push_back(speed.back());
    }
    tables["product speed"] = overProblems(problems, speed, false);
    tables["product share"] = overProblems(problems, share, false);
    pictures["product"] = plotOf(problems, "product", drawn, "C = A B of doubles", "GFLOP/s");
  }
  for (auto const& [name, text] : tables) std::cout << "## " << name << "\n\n" << text << '\n';
  if (!arguments.pictures.empty())
    for (auto const& [name, picture] : pictures)
      shell::writeTextFile(arguments.pictures + '/' + name + ".svg", picture);
  return shell::ExitStatus::optimal;
}

}  // namespace

shell::Command reportCommand() {
  return {"report", "tables (Markdown) and plots (SVG) of results files", [](CLI::App& app) {
            auto const a = std::make_shared<Arguments>();
            app.add_option("FILES", a->files, "CSV files of simplex and product")->required();
            app.add_option("--pictures", a->pictures, "folder for the plots, SVG");
            return shell::Run([a] { return run(*a); });
          }};
}

}  // namespace osi_cuda::textbook
