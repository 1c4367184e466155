// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "bench/textbook/commands.hpp"
#include "bench/textbook/csv.hpp"
#include "bench/textbook/product.hpp"
#include "bench/textbook/variant.hpp"
#include "cli/output_file.hpp"
#include "cli/text_table.hpp"
#include "examples/common/plot.hpp"

namespace osi_cuda::textbook {
namespace {

using cli::shortNumber;
using examples::Plot;
using examples::Scale;
using Words = std::vector<std::string>;

/// A table of Markdown.
class Markdown {
 public:
  explicit Markdown(Words const& header) {
    add(header);
    text_ += "|";
    for (std::size_t k = 0; k < header.size(); ++k) text_ += "---|";
    text_ += '\n';
  }
  void add(Words const& cells) {
    text_ += "|";
    for (std::string const& cell : cells) text_ += " " + cell + " |";
    text_ += '\n';
  }
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

/// Runs by problem and by solver: "device largest one graph double rows", "clp/dual".
class Runs {
 public:
  explicit Runs(std::vector<Record> const& records) {
    for (Record const& record : records) {
      std::string const& problem = record.text("problem");
      if (!bySolver_.count(problem)) problems_.push_back(problem);
      std::string label;
      for (Axis const& axis : axes()) label += (label.empty() ? "" : " ") + record.text(axis.name);
      if (record.text("solver") != "textbook") label = record.text("solver");
      auto const [place, isNew] = bySolver_[problem].emplace(label, record);
      // Of runs of the same: one that ended before one that was stopped, then the shorter one.
      auto const rank = [](Record const& r) {
        return std::make_pair(r.text("verdict") == "stopped", r.number("seconds"));
      };
      if (!isNew && rank(record) < rank(place->second)) place->second = record;
    }
    std::stable_sort(problems_.begin(), problems_.end(), [&](auto const& a, auto const& b) {
      auto const cells = [&](std::string const& p) {
        Record const& any = bySolver_.at(p).begin()->second;
        return any.number("rows") * any.number("columns");
      };
      return familyOf(a) != familyOf(b) ? familyOf(a) < familyOf(b) : cells(a) < cells(b);
    });
  }

  Words const& problems() const { return problems_; }
  static std::string familyOf(std::string const& problem) {
    return problem.substr(0, problem.find(':'));
  }
  std::set<std::string> families() const {
    std::set<std::string> all;
    for (std::string const& problem : problems_) all.insert(familyOf(problem));
    return all;
  }
  Record const* find(std::string const& problem, std::string const& solver) const {
    auto const found = bySolver_.at(problem).find(solver);
    return found == bySolver_.at(problem).end() ? nullptr : &found->second;
  }
  std::map<std::string, Record> const& of(std::string const& problem) const {
    return bySolver_.at(problem);
  }
  /// rows x columns of the problem.
  double entries(std::string const& problem) const {
    Record const& any = bySolver_.at(problem).begin()->second;
    return any.number("rows") * any.number("columns");
  }

 private:
  Words problems_;
  std::map<std::string, std::map<std::string, Record>> bySolver_;
};

/// Seconds of a solver on a problem; a run that was stopped counts as what it would have taken if
/// another run of the same rule and precision tells the number of pivots, the path being the same.
struct Seconds {
  double value = std::nan("");
  bool estimated = false;
  bool beyond = false;  ///< stopped, and no estimate: more than this

  std::string text() const {
    if (std::isnan(value)) return "-";
    return (estimated ? "~" : beyond ? "> " : "") + shortNumber(value, 3);
  }
};

std::string ruleOf(Record const& record) {
  return record.text("rule") == "largest" ? "largest" : "greatest";
}

Seconds secondsOf(Runs const& runs, std::string const& problem, std::string const& solver) {
  Record const* const record = runs.find(problem, solver);
  if (!record || record->text("verdict") == "wrong") return {};
  if (record->text("verdict") != "stopped") return {record->number("seconds"), false, false};
  if (record->text("solver") == "textbook")
    for (auto const& [label, other] : runs.of(problem))
      if (other.text("solver") == "textbook" && other.text("verdict") == "right" &&
          ruleOf(other) == ruleOf(*record) && other.text("precision") == record->text("precision"))
        return {record->number("setup_seconds") +
                    1e-6 * record->number("pivot_us") * other.number("pivots"),
                true, false};
  return {record->number("seconds"), false, true};
}

/// The columns of the comparisons: a title, and the solver behind it.
struct Contestant {
  std::string title, solver;
};
std::vector<Contestant> const contestants{
    {"GPU, largest", "device largest one graph double rows"},
    {"GPU, greatest", "device greatest-tile one graph double rows"},
    {"one core", "host largest one one-core double rows"},
    {"one core, vectors", "host largest one vectors double rows"},
    {"all cores", "host largest one all-cores double rows"},
    {"lp_solve", "lp_solve/primal"},
    {"GLPK", "glpk/primal"},
    {"Clp", "clp/dual"},
    {"HiGHS", "highs/dual"},
    {"delayed tableau, one GPU", "ours/cuda"},
    {"delayed tableau, processor", "ours/host"}};

std::string nameOf(std::string const& problem) {
  std::string name = problem;
  std::replace(name.begin(), name.end(), ':', ' ');
  return name;
}

/// Seconds of everybody, and below how many times those of the GPU's rank-1 pivots they are.
std::string comparison(Runs const& runs) {
  Words header{"problem"};
  for (Contestant const& c : contestants) header.push_back(c.title);
  Markdown table(header);
  for (std::string const& problem : runs.problems()) {
    Words cells{nameOf(problem)};
    double const gpu = secondsOf(runs, problem, contestants.front().solver).value;
    bool any = false;
    for (Contestant const& c : contestants) {
      Seconds const seconds = secondsOf(runs, problem, c.solver);
      any = any || !std::isnan(seconds.value);
      std::string cell = seconds.text();
      if (double const ratio = seconds.value / gpu; std::isfinite(ratio) && &c != &contestants[0])
        cell += ": " + shortNumber(ratio, 2) + " x";
      cells.push_back(cell);
    }
    if (any) table.add(cells);
  }
  return table.text();
}

/// The size from which the GPU's best rank-1 variant is quicker than another solver, up to the
/// largest size that both have.
std::string crossover(Runs const& runs) {
  Words header{"family"};
  for (std::size_t k = 2; k < contestants.size(); ++k) header.push_back(contestants[k].title);
  Markdown table(header);
  for (std::string const& family : runs.families()) {
    Words cells{family};
    for (std::size_t k = 2; k < contestants.size(); ++k) {
      std::string from = "-";
      bool seen = false, wins = false;
      for (std::string const& problem : runs.problems()) {
        if (Runs::familyOf(problem) != family) continue;
        Seconds const gpu = secondsOf(runs, problem, contestants[0].solver);
        Seconds const other = secondsOf(runs, problem, contestants[k].solver);
        if (std::isnan(gpu.value) || std::isnan(other.value) || gpu.beyond) continue;
        seen = true;
        if (gpu.value < other.value && !wins) from = nameOf(problem).substr(family.size() + 1);
        wins = gpu.value < other.value;
        if (!wins) from = "never";
      }
      cells.push_back(seen ? from : "-");
    }
    table.add(cells);
  }
  return table.text();
}

/// What a choice is worth: of every pair of runs that differ in one axis only, the ratio of time a
/// pivot (of whole solves for the rule), as geometric mean, least and largest.
std::string choices(Runs const& runs) {
  Markdown table({"choice", "instead of", "time", "least", "largest", "pairs"});
  for (std::size_t axis = 1; axis < axes().size(); ++axis) {
    bool const whole = axes()[axis].name == "rule";
    // (place, value, baseline) -> logarithms of ratios
    std::map<std::array<std::string, 3>, std::vector<double>> ratios;
    for (std::string const& problem : runs.problems())
      for (auto const& [label, record] : runs.of(problem)) {
        if (record.text("solver") != "textbook" || record.text("verdict") == "wrong") continue;
        std::string const place = record.text("place");
        bool const onHost = place == "host";
        std::string const baseline = axes()[axis].name == "drive" ? onHost ? "one-core" : "host-flag"
                                                                  : axes()[axis].values[0];
        if (record.text(axes()[axis].name) == baseline) continue;
        std::string otherLabel;
        for (Axis const& a : axes())
          otherLabel += (otherLabel.empty() ? "" : " ") +
                        (&a == &axes()[axis] ? baseline : record.text(a.name));
        Record const* const other = runs.find(problem, otherLabel);
        if (!other || other->text("verdict") == "wrong") continue;
        if (whole && (record.text("verdict") == "stopped" || other->text("verdict") == "stopped"))
          continue;
        char const* const measure = whole ? "seconds" : "pivot_us";
        ratios[{place, record.text(axes()[axis].name), baseline}].push_back(
            std::log(record.number(measure) / other->number(measure)));
      }
    for (auto const& [key, logs] : ratios) {
      double sum = 0.0;
      for (double const value : logs) sum += value;
      table.add({key[0] + ": " + axes()[axis].name + " " + key[1],
                 key[2] + (whole ? " (whole solves)" : ""),
                 shortNumber(std::exp(sum / double(logs.size())), 3),
                 shortNumber(std::exp(*std::min_element(logs.begin(), logs.end())), 3),
                 shortNumber(std::exp(*std::max_element(logs.begin(), logs.end())), 3),
                 std::to_string(logs.size())});
    }
  }
  return table.text();
}

/// Time a pivot against the copy of the tableau, at every size.
std::string pivotTimes(Runs const& runs) {
  Words const drives{"host-flag", "queue", "graph", "persistent"};
  Markdown table({"problem", "pivots", "host flag, us", "queue", "graph", "persistent",
                  "copy on the GPU", "one core", "vectors", "all cores", "copy by all cores"});
  for (std::string const& problem : runs.problems()) {
    auto const value = [&](std::string const& solver, char const* what) {
      Record const* const record = runs.find(problem, solver);
      return record ? shortNumber(record->number(what), 3) : std::string("-");
    };
    auto const device = [](std::string const& drive) {
      return "device largest one " + drive + " double rows";
    };
    auto const host = [](std::string const& drive) {
      return "host largest one " + drive + " double rows";
    };
    Record const* const graph = runs.find(problem, device("graph"));
    Words cells{nameOf(problem), graph ? graph->text("pivots") : "-"};
    for (std::string const& drive : drives) cells.push_back(value(device(drive), "pivot_us"));
    cells.push_back(value(device("graph"), "floor_us"));
    for (char const* const drive : {"one-core", "vectors", "all-cores"})
      cells.push_back(value(host(drive), "pivot_us"));
    cells.push_back(value(host("all-cores"), "floor_us"));
    table.add(cells);
  }
  return table.text();
}

/// The four kernels of greatest improvement, and what the rule saves in pivots.
std::string rules(Runs const& runs) {
  Words const forms{"thread", "block", "tile", "parts"}, layouts{"rows", "columns"};
  Words header{"problem", "pivots, largest", "pivots, greatest", "largest, us a pivot"};
  for (std::string const& form : forms)
    for (std::string const& layout : layouts) header.push_back(form + ", " + layout);
  header.insert(header.end(), {"seconds, largest", "seconds, greatest-tile"});
  Markdown table(header);
  for (std::string const& problem : runs.problems()) {
    auto const value = [&](std::string const& rule, std::string const& layout, char const* what) {
      Record const* const r = runs.find(problem, "device " + rule + " one graph double " + layout);
      return r ? shortNumber(r->number(what), what == std::string("pivots") ? 7 : 3) : "-";
    };
    Words cells{nameOf(problem), value("largest", "rows", "pivots"),
                value("greatest-tile", "rows", "pivots"), value("largest", "rows", "pivot_us")};
    for (std::string const& form : forms)
      for (std::string const& layout : layouts)
        cells.push_back(value("greatest-" + form, layout, "pivot_us"));
    for (char const* const rule : {"largest", "greatest-tile"})
      cells.push_back(secondsOf(runs, problem, std::string("device ") + rule +
                                                   " one graph double rows").text());
    table.add(cells);
  }
  return table.text();
}

/// How the runs ended, and how many paths each rule and precision took.
std::string verdicts(Runs const& runs) {
  Markdown table({"family", "precision", "runs", "right", "near", "wrong", "stopped",
                  "largest error of those that claim an optimum"});
  for (std::string const& family : runs.families())
    for (std::string const& precision : axes()[4].values) {
      std::map<std::string, int> count;
      double largest = 0.0;
      int all = 0;
      for (std::string const& problem : runs.problems())
        for (auto const& [label, record] : runs.of(problem)) {
          if (Runs::familyOf(problem) != family || record.text("precision") != precision) continue;
          ++all;
          ++count[record.text("verdict")];
          if (double const error = record.number("error"); error > largest) largest = error;
        }
      if (all == 0) continue;
      Words cells{family, precision, std::to_string(all)};
      for (char const* const verdict : {"right", "near", "wrong", "stopped"})
        cells.push_back(std::to_string(count[verdict]));
      cells.push_back(shortNumber(largest, 2));
      table.add(cells);
    }
  std::map<std::string, std::set<std::string>> paths;
  for (std::string const& problem : runs.problems())
    for (auto const& [label, record] : runs.of(problem))
      if (!record.text("path").empty() && record.text("verdict") != "stopped")
        paths[problem + ruleOf(record) + record.text("precision")].insert(record.text("path"));
  auto const several = std::count_if(paths.begin(), paths.end(),
                                     [](auto const& entry) { return entry.second.size() > 1; });
  return table.text() + "\nOf " + std::to_string(paths.size()) +
         " combinations of problem, rule and precision, " + std::to_string(several) +
         " had runs with different sequences of pivots.\n";
}

// ---- matrix product ------------------------------------------------------------------------------

using Products = std::map<std::pair<std::string, int>, Record>;  ///< by form and n

std::set<int> sizesOf(Products const& products) {
  std::set<int> sizes;
  for (auto const& [key, record] : products) sizes.insert(key.second);
  return sizes;
}

std::string productTable(Products const& products) {
  std::set<int> const sizes = sizesOf(products);
  Words header{"form", "peak, GFLOP/s"};
  for (int const n : sizes) header.push_back(std::to_string(n));
  Markdown table(header);
  for (std::string const& form : productFormNames()) {
    Words cells{form, ""};
    for (int const n : sizes) {
      auto const found = products.find({form, n});
      if (found == products.end()) {
        cells.push_back("-");
        continue;
      }
      double const peak = found->second.number("peak_gflops");
      double const speed = found->second.number("gflops");
      cells[1] = shortNumber(std::round(peak), 6);
      cells.push_back(shortNumber(speed, 3) + ": " + shortNumber(100.0 * speed / peak, 2) + " %");
    }
    if (!cells[1].empty()) table.add(cells);
  }
  return table.text();
}

std::string productCrossover(Products const& products) {
  Markdown table({"from this n on quicker than", "blocked, one core", "openblas, one core",
                  "openblas, all cores"});
  for (char const* const form : {"device-naive", "device-tiled", "device-blocked", "device-matrix",
                                 "cublas"})
    for (bool const transfers : {false, true}) {
      Words cells{std::string(form) + (transfers ? ", with transfers" : "")};
      for (char const* const other : {"blocked", "openblas", "openblas-cores"}) {
        std::string from = "-";
        bool wins = false;
        for (int const n : sizesOf(products)) {
          auto const a = products.find({form, n}), b = products.find({other, n});
          if (a == products.end() || b == products.end()) continue;
          double const seconds = a->second.number("seconds") +
                                 (transfers ? a->second.number("transfer_seconds") : 0.0);
          bool const now = seconds < b->second.number("seconds");
          if (now && !wins) from = std::to_string(n);
          if (!now) from = "never";
          wins = now;
        }
        cells.push_back(from);
      }
      table.add(cells);
    }
  return table.text();
}

// ---- pictures ------------------------------------------------------------------------------------

Plot secondsPlot(Runs const& runs, std::string const& family) {
  Plot plot{"Whole solves, " + family, "rows x columns", "seconds", Scale::log10, Scale::log10,
            {}, false, {}};
  for (Contestant const& c : contestants) {
    examples::Series series{c.title, {}};
    for (std::string const& problem : runs.problems())
      if (Seconds const s = secondsOf(runs, problem, c.solver);
          Runs::familyOf(problem) == family && !s.beyond && !std::isnan(s.value))
        series.points.emplace_back(runs.entries(problem), s.value);
    if (!series.points.empty()) plot.series.push_back(series);
  }
  return plot;
}

Plot pivotPlot(Runs const& runs, std::string const& family) {
  Plot plot{"A pivot, " + family + ", double", "rows x columns", "microseconds", Scale::log10,
            Scale::log10, {}, false, {}};
  auto const add = [&](std::string const& title, std::string const& solver, char const* what) {
    examples::Series series{title, {}};
    for (std::string const& problem : runs.problems())
      if (Record const* const record = runs.find(problem, solver);
          record && Runs::familyOf(problem) == family)
        series.points.emplace_back(runs.entries(problem), record->number(what));
    if (!series.points.empty()) plot.series.push_back(series);
  };
  for (char const* const drive : {"host-flag", "queue", "graph", "persistent"})
    add(drive, std::string("device largest one ") + drive + " double rows", "pivot_us");
  add("copy on the GPU", "device largest one graph double rows", "floor_us");
  add("one core", "host largest one one-core double rows", "pivot_us");
  add("all cores", "host largest one all-cores double rows", "pivot_us");
  add("copy by all cores", "host largest one all-cores double rows", "floor_us");
  return plot;
}

Plot productPlot(Products const& products) {
  Plot plot{"C = A B of n x n doubles", "n", "GFLOP/s", Scale::log2, Scale::log10, {}, false, {}};
  for (std::string const& form : productFormNames()) {
    if (form == "blocked-cores" || form == "openblas") continue;  // eight curves are enough
    examples::Series series{form, {}};
    for (int const n : sizesOf(products))
      if (auto const found = products.find({form, n}); found != products.end())
        series.points.emplace_back(n, found->second.number("gflops"));
    if (!series.points.empty()) plot.series.push_back(series);
  }
  return plot;
}

// ---- the page ------------------------------------------------------------------------------------

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
  std::vector<Record> simplex;
  Products products;
  for (std::string const& file : arguments.files)
    for (Record const& record : readRecords(file)) {
      if (record.text("form").empty())
        simplex.push_back(record);
      else
        products[{record.text("form"), int(record.number("n"))}] = record;
    }
  Runs const runs(simplex);
  std::vector<std::pair<std::string, std::string>> tables;
  if (!simplex.empty())
    tables = {{"comparison", comparison(runs)}, {"crossover", crossover(runs)},
              {"pivots", pivotTimes(runs)},     {"choices", choices(runs)},
              {"rules", rules(runs)},           {"verdicts", verdicts(runs)}};
  if (!products.empty()) {
    tables.emplace_back("product", productTable(products));
    tables.emplace_back("product crossover", productCrossover(products));
  }
  if (arguments.page.empty()) {
    for (auto const& [name, text] : tables) std::cout << "## " << name << "\n\n" << text << '\n';
  } else {
    std::ifstream file(arguments.page);
    if (!file) throw cli::Failure(cli::ExitStatus::noInput, "can't open " + arguments.page);
    std::stringstream page;
    page << file.rdbuf();
    std::string text = page.str();
    for (auto const& [name, table] : tables) replaceBetweenMarks(text, name, table);
    cli::writeTextFile(arguments.page, text);
  }
  if (!arguments.pictures.empty()) {
    auto const write = [&](std::string const& name, Plot const& plot) {
      if (!plot.series.empty())
        cli::writeTextFile(arguments.pictures + "/" + name + ".svg", examples::draw(plot));
    };
    for (std::string const& family : runs.families()) {
      write("seconds-" + family, secondsPlot(runs, family));
      write("pivots-" + family, pivotPlot(runs, family));
    }
    write("product", productPlot(products));
  }
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
