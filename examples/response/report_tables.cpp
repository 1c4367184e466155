// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
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
  for (auto const& problem : grid.problems)
    if (Measurement const* one = grid.find(problem, "fused"),
        *two = grid.find(problem, "fused, two GPUs");
        one && two)
      text += fmt::format("\n{} on two GPUs: {:.3g} times as fast as on one.\n", problem,
                          one->seconds / two->seconds);
  text += "\nDirections of the forms on a GPU, largest grid:\n\n";
  Lines lines{{"form", "directions", "error against the host"}};
  for (auto const& form : grid.forms)
    if (Measurement const* const m = grid.find(grid.problems.back(), form); m && !m->note.empty())
      lines.push_back({form, m->note, fmt::format("{:.1e}", m->error)});
  return text + shell::markdownTable(lines, shell::Cells::words);
}

std::string productTable(Grid const& grid) {
  Lines lines{{"matrix", "nonzeros", "host, all cores", "double: rule", "tuned", "exhaustive",
               "cuSPARSE", "single: rule", "tuned", "exhaustive", "cuSPARSE", "32 columns",
               "cuSPARSE"}};
  std::map<std::string, std::pair<double, int>> logs;  // of ratios to the library or to the best
  for (auto const& problem : grid.problems) {
    auto const seconds = [&](std::string const& form) {
      Measurement const* const m = grid.find(problem, form);
      return m ? m->seconds : std::nan("");
    };
    auto& line = lines.emplace_back(1, problem);
    Measurement const* any = grid.find(problem, "double, tuned");
    if (!any) any = grid.find(problem, "host, all cores");
    line.push_back(any ? fmt::format("{:.0f}", any->size) : "-");
    line.push_back(shell::shortNumber(1e6 * seconds("host, all cores"), 3));
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
  std::string text = "Microseconds a product:\n\n" + shell::markdownTable(lines);
  if (logs.empty()) return text;
  text += "\nHow many times as fast as cuSPARSE's best algorithm, geometric mean:\n\n";
  Lines means{{"form", "matrices", "times cuSPARSE"}};
  for (auto const& [form, sum] : logs)
    means.push_back({form, std::to_string(sum.second),
                     fmt::format("{:.3g}", std::exp(sum.first / sum.second))});
  return text + shell::markdownTable(means);
}

/// A line a share: what the model said, and what it took.
std::string sharingTable(Grid const& grid) {
  Lines lines{{"problem", "measured, ms a pass", "predicted", "ratio", "exchanged", "executors"}};
  std::string model;
  for (auto const& problem : grid.problems) {
    Measurement const *const measured = grid.find(problem, "measured"), *const predicted =
                                                                            grid.find(problem,
                                                                                      "predicted");
    if (!measured || !predicted) continue;
    lines.push_back({problem, milliseconds(*measured), milliseconds(*predicted),
                     fmt::format("{:.2f}", measured->seconds / predicted->seconds), measured->note,
                     measured->executor});
    model = predicted->note;
  }
  return shell::markdownTable(lines) + "\nThe last problem's model: " + model + ".\n";
}

/// A line a grid, with the order that it shows against the one before, of half as many cells a
/// side.
std::string maxwellTable(Grid const& grid) {
  Lines lines{{"grid", "error after a period", "order", "drift of the energy"}};
  for (auto const& form : grid.forms) lines[0].push_back("ms a step, " + form);
  double before = 0.0;
  for (auto const& problem : grid.problems) {
    auto& line = lines.emplace_back(1, problem);
    for (auto const& form : grid.forms) {
      Measurement const* const m = grid.find(problem, form);
      if (m && line.size() == 1) {
        double const error = std::stod(m->note);
        line.insert(line.end(),
                    {m->note, before > 0.0 ? fmt::format("{:.2f}", std::log2(before / error)) : "-",
                     fmt::format("{:.1e}", m->error)});
        before = error;
      }
      if (line.size() > 1) line.push_back(m ? milliseconds(*m) : "-");
    }
  }
  return shell::markdownTable(lines);
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
  auto const plain = [](Grid const& grid) {
    return "Milliseconds:\n\n" + tableOver(grid, "form", milliseconds);
  };
  auto const tiling = [](Grid const& grid) {
    return "Milliseconds a step:\n\n" + tableOver(grid, "form", milliseconds);
  };
  std::vector<std::pair<std::string, std::function<std::string(Grid const&)>>> const makers{
      {"sweeps", sweepTables},    {"integration", plain},   {"storage", storageTables},
      {"products", productTable}, {"executors", plain},     {"tiling", tiling},
      {"sharing", sharingTable},  {"maxwell", maxwellTable}};
  for (auto const& [series, make] : makers)
    if (Grid const grid = gridOf(all, series); !grid.problems.empty())
      tables.emplace_back(series, make(grid));
  return tables;
}

}  // namespace osi_cuda::response
