// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/response/experiments.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::response {
namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string milliseconds(Measurement const& m) {
  return fmt::format("{:.4g}{}", 1e3 * m.seconds, m.ok ? "" : " (wrong)");
}

/// The values of one series: forms in the order in which they were first stored, and problems.
struct Grid {
  std::vector<std::string> forms, problems;
  std::map<std::pair<std::string, std::string>, Measurement> at;  // problem, form
  Measurement const* find(std::string const& problem, std::string const& form) const {
    auto const found = at.find({problem, form});
    return found == at.end() ? nullptr : &found->second;
  }
};

Grid gridOf(std::vector<Measurement> const& all, std::string const& series) {
  Grid grid;
  auto const add = [](std::vector<std::string>& names, std::string const& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (Measurement const& m : all) {
    if (m.series != series) continue;
    add(grid.problems, m.problem);
    add(grid.forms, m.form);
    grid.at[{m.problem, m.form}] = m;
  }
  return grid;
}

/// Forms down, problems across.
template <class Cell>
std::string tableOver(Grid const& grid, std::string const& corner, Cell const& cell) {
  Lines lines{{corner}};
  for (auto const& problem : grid.problems) lines[0].push_back(problem);
  for (auto const& form : grid.forms) {
    auto& line = lines.emplace_back(1, form);
    for (auto const& problem : grid.problems) {
      Measurement const* const m = grid.find(problem, form);
      line.push_back(m ? cell(*m) : "-");
    }
  }
  return shell::markdownTable(lines);
}

std::string sweepTables(Grid const& grid) {
  std::string text =
      "Milliseconds a step, both directions:\n\n" + tableOver(grid, "form", milliseconds) +
      "\nShare of the copy's rate, and how many times as fast as the better gtsv2:\n\n";
  text += tableOver(grid, "form", [&](Measurement const& m) {
    Measurement const* const copy = grid.find(m.problem, "two copies of the field");
    Measurement const* library = grid.find(m.problem, "gtsv2");
    Measurement const* const batch = grid.find(m.problem, "gtsv2-batch");
    if (!copy || !library || !batch || m.executor == "host") return std::string("-");
    if (batch->seconds < library->seconds) library = batch;
    return fmt::format("{:.0f} %, {:.3g} x", 100.0 * copy->seconds / m.seconds,
                       library->seconds / m.seconds);
  });
  text += "\nDirections of the forms on a GPU, largest grid:\n\n";
  Lines lines{{"form", "directions", "error against the host"}};
  for (auto const& form : grid.forms)
    if (Measurement const* const m = grid.find(grid.problems.back(), form); m && !m->note.empty())
      lines.push_back({form, m->note, fmt::format("{:.1e}", m->error)});
  return text + shell::markdownTable(lines, shell::Cells::words);
}

std::string productTable(Grid const& grid) {
  Lines lines{{"matrix", "nonzeros", "double: rule", "tuned", "exhaustive", "cuSPARSE",
               "single: rule", "tuned", "exhaustive", "cuSPARSE", "32 columns", "cuSPARSE"}};
  std::map<std::string, std::pair<double, int>> logs;  // of ratios to the library or to the best
  for (auto const& problem : grid.problems) {
    auto const seconds = [&](std::string const& form) {
      Measurement const* const m = grid.find(problem, form);
      return m ? m->seconds : std::nan("");
    };
    auto& line = lines.emplace_back(1, problem);
    Measurement const* const any = grid.find(problem, "double, tuned");
    line.push_back(any ? fmt::format("{:.0f}", any->size) : "-");
    for (std::string const precision : {"double, ", "single, "}) {
      for (std::string const form : {"fixed rule", "tuned", "exhaustive", "cuSPARSE"})
        line.push_back(shell::shortNumber(1e6 * seconds(precision + form), 3));
      for (std::string const form : {"fixed rule", "tuned", "exhaustive"}) {
        double const ratio = seconds(precision + "cuSPARSE") / seconds(precision + form);
        if (std::isfinite(ratio)) {
          logs[precision + form].first += std::log(ratio);
          ++logs[precision + form].second;
        }
      }
    }
    line.push_back(shell::shortNumber(1e6 * seconds("32 columns, ours"), 3));
    line.push_back(shell::shortNumber(1e6 * seconds("32 columns, cuSPARSE"), 3));
    double const many = seconds("32 columns, cuSPARSE") / seconds("32 columns, ours");
    if (std::isfinite(many)) {
      logs["32 columns"].first += std::log(many);
      ++logs["32 columns"].second;
    }
  }
  std::string text = "Microseconds a product:\n\n" + shell::markdownTable(lines) +
                     "\nHow many times as fast as cuSPARSE's best algorithm, geometric mean:\n\n";
  Lines means{{"form", "matrices", "times cuSPARSE"}};
  for (auto const& [form, sum] : logs)
    means.push_back({form, std::to_string(sum.second),
                     fmt::format("{:.3g}", std::exp(sum.first / sum.second))});
  return text + shell::markdownTable(means);
}

std::string storageTables(Grid const& grid) {
  return "Milliseconds (iterations):\n\n" + tableOver(grid, "form", [](Measurement const& m) {
           return m.iterations > 0 ? fmt::format("{} ({:.0f})", milliseconds(m), m.iterations)
                                   : milliseconds(m);
         });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> tablesOf(std::vector<Measurement> const& all) {
  std::vector<std::pair<std::string, std::string>> tables;
  for (std::string const series : {"sweeps", "integration", "storage", "products", "executors"}) {
    Grid const grid = gridOf(all, series);
    if (grid.problems.empty()) continue;
    std::string text;
    if (series == "sweeps")
      text = sweepTables(grid);
    else if (series == "products")
      text = productTable(grid);
    else if (series == "storage")
      text = storageTables(grid);
    else
      text = "Milliseconds:\n\n" + tableOver(grid, "form", milliseconds);
    tables.emplace_back(series, text);
  }
  return tables;
}

}  // namespace osi_cuda::response
