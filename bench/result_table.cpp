// SPDX-License-Identifier: EPL-2.0
#include "bench/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace osi_cuda::bench {
namespace {

constexpr double shift = 0.01;            ///< seconds
constexpr double unsolvedSeconds = 60.0;  ///< what an unsolved problem counts with at least

/// A problem and what each solver made of it.
struct Line {
  std::string problem;
  int rows = 0, columns = 0;
  std::map<std::string, Result const*> answers;

  double cells() const { return static_cast<double>(rows) * columns; }
  Result const* of(std::string const& solver) const {
    auto const found = answers.find(solver);
    return found == answers.end() ? nullptr : found->second;
  }
};

std::vector<Line> linesOf(std::vector<Result> const& results) {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> places;
  for (Result const& result : results) {
    auto const [place, isNew] = places.try_emplace(result.problem, lines.size());
    if (isNew) lines.push_back({result.problem, result.rows, result.columns, {}});
    lines[place->second].answers[result.solver] = &result;
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](Line const& a, Line const& b) { return a.cells() < b.cells(); });
  return lines;
}

/// "0.1234", "120.0 (time_limit)", "1.456 (optimal, 3e-06)".
std::string secondsCell(Result const& r) {
  std::string text = fmt::format("{:.{}f}", r.seconds,
                                 r.seconds < 1.0    ? 4
                                 : r.seconds < 10.0 ? 3
                                                    : 1);
  if (r.right) return text;
  text += " (" + r.status;
  if (r.status == "optimal")
    text += fmt::format(", {:.0e}", std::isfinite(r.error) ? r.error : r.residual);
  return text + ")";
}

std::string smallNumber(double value) {
  return std::isfinite(value) ? fmt::format("{:.0e}", value) : "";
}

std::string ourCells(Result const* r) {
  if (!r) return " - | - | | | |";
  double const pivots = static_cast<double>(std::max<std::int64_t>(1, r->iterations));
  return fmt::format(" {} | {} | {:.1f} | {} | {} |", r->iterations, secondsCell(*r),
                     1e6 * r->seconds / pivots, smallNumber(r->error), smallNumber(r->residual));
}

std::string theirCells(Result const* r) {
  if (!r) return " - | - |";
  return fmt::format(" {} | {} |", r->iterations, secondsCell(*r));
}

std::string ruler(std::size_t columns) {
  std::string text = "|";
  for (std::size_t i = 0; i < columns; ++i) text += "---|";
  return text + "\n";
}

double countedSeconds(Result const& r) {
  return r.right ? r.seconds : std::max(r.seconds, unsolvedSeconds);
}

struct SizeClass {
  char const* name;
  double from, to;  ///< cells

  bool holds(Line const& line) const { return line.cells() >= from && line.cells() < to; }
};
constexpr SizeClass sizeClasses[] = {{"all", 0.0, 1e300},
                                     {"up to 1e5 entries", 0.0, 1e5},
                                     {"1e5 to 1.5e6", 1e5, 1.5e6},
                                     {"1.5e6 to 1e8", 1.5e6, 1e8},
                                     {"from 1e8", 1e8, 1e300}};

std::string meansTable(std::vector<Line> const& lines, std::vector<std::string> const& solvers) {
  std::string text = "| entries | problems |";
  for (auto const& solver : solvers) text += ' ' + solver + " | solved |";
  text += '\n' + ruler(2 + 2 * solvers.size());
  for (SizeClass const& size : sizeClasses) {
    std::vector<Line const*> common;
    for (Line const& line : lines)
      if (size.holds(line) && std::all_of(solvers.begin(), solvers.end(),
                                          [&](auto const& s) { return line.of(s) != nullptr; }))
        common.push_back(&line);
    if (common.empty()) continue;
    text += fmt::format("| {} | {} |", size.name, common.size());
    for (auto const& solver : solvers) {
      std::vector<double> seconds;
      int solved = 0;
      for (Line const* line : common) {
        seconds.push_back(countedSeconds(*line->of(solver)));
        solved += line->of(solver)->right ? 1 : 0;
      }
      text += fmt::format(" {:.4f} | {} |", shiftedGeometricMean(seconds, shift), solved);
    }
    text += '\n';
  }
  return text;
}

/// Of two runs on a problem: who solved it, or solved it sooner.
int winner(Result const* ours, Result const& other) {
  if (!ours) return 0;
  if (ours->right != other.right) return ours->right ? 1 : -1;
  if (!ours->right) return 0;
  return ours->seconds < other.seconds ? 1 : ours->seconds > other.seconds ? -1 : 0;
}

std::string winsTable(std::vector<Line> const& lines, std::vector<std::string> const& ours,
                      std::vector<std::string> const& others) {
  std::string text = "| | entries | wins | losses | neither |\n" + ruler(5);
  auto const count = [&](std::string const& title, std::string const& other, auto const& pick) {
    for (SizeClass const& size : sizeClasses) {
      int tally[3] = {};  // losses, neither, wins
      for (Line const& line : lines) {
        Result const* const mine = pick(line);
        if (size.holds(line) && mine && line.of(other)) ++tally[1 + winner(mine, *line.of(other))];
      }
      if (tally[0] + tally[1] + tally[2] > 0)
        text += fmt::format("| {} against {} | {} | {} | {} | {} |\n", title, other, size.name,
                            tally[2], tally[0], tally[1]);
    }
  };
  for (auto const& other : others) {
    for (auto const& mine : ours)
      count(mine, other, [&](Line const& line) { return line.of(mine); });
    if (ours.size() < 2) continue;
    count("the better of ours", other, [&](Line const& line) {
      Result const* best = nullptr;
      for (auto const& mine : ours) {
        Result const* const r = line.of(mine);
        if (r && (!best || (r->right && winner(best, *r) < 0))) best = r;
      }
      return best;
    });
  }
  return text;
}

std::string weightsTable(std::vector<Line> const& lines, std::vector<std::string> const& solvers) {
  std::string text;
  for (auto const& exact : solvers) {
    constexpr std::string_view ending = "/steepest";
    if (!exact.ends_with(ending)) continue;
    std::string base = exact.substr(0, exact.size() - ending.size());
    if (std::find(solvers.begin(), solvers.end(), base + "/sketched") != solvers.end())
      base += "/sketched";
    double logSum = 0.0;
    int count = 0;
    std::vector<double> seconds[2];
    for (Line const& line : lines) {
      Result const *a = line.of(base), *b = line.of(exact);
      if (!a || !b || !a->right || !b->right) continue;
      ++count;
      logSum += std::log(static_cast<double>(std::max<std::int64_t>(1, a->iterations)) /
                         static_cast<double>(std::max<std::int64_t>(1, b->iterations)));
      seconds[0].push_back(a->seconds);
      seconds[1].push_back(b->seconds);
    }
    if (count > 0)
      text += fmt::format("| {} | {} | {:.3f} | {:.4f} | {:.4f} |\n", base, count,
                          std::exp(logSum / count), shiftedGeometricMean(seconds[0], shift),
                          shiftedGeometricMean(seconds[1], shift));
  }
  if (text.empty()) return text;
  return "\n| weights | both solved | pivots, sketched over exact | seconds, sketched | exact |\n" +
         ruler(5) + text;
}

}  // namespace

std::vector<std::string> solversOf(std::vector<Result> const& results) {
  std::vector<std::string> solvers;
  for (Result const& r : results)
    if (std::find(solvers.begin(), solvers.end(), r.solver) == solvers.end())
      solvers.push_back(r.solver);
  return solvers;
}

bool isOurs(std::string const& solver) {
  for (char const* engine : {"cuda/", "host/", "auto/"})
    if (solver.rfind(engine, 0) == 0) return true;
  return false;
}

std::string problemTable(std::vector<Result> const& results,
                         std::vector<std::string> const& solvers) {
  std::string text = "| problem | rows | columns |";
  std::size_t columns = 3;
  for (auto const& solver : solvers) {
    text += ' ' + solver + ": pivots | seconds |";
    columns += 2;
    if (!isOurs(solver)) continue;
    text += " us a pivot | error | residual |";
    columns += 3;
  }
  text += '\n' + ruler(columns);
  for (Line const& line : linesOf(results)) {
    text += fmt::format("| {} | {} | {} |", line.problem, line.rows, line.columns);
    for (auto const& solver : solvers)
      text += isOurs(solver) ? ourCells(line.of(solver)) : theirCells(line.of(solver));
    text += '\n';
  }
  return text;
}

std::string ratioTable(std::vector<Result> const& results,
                       std::vector<std::string> const& solvers) {
  std::string text = "| problem |";
  for (auto const& solver : solvers) text += ' ' + solver + " |";
  text += '\n' + ruler(1 + solvers.size());
  for (Line const& line : linesOf(results)) {
    double best = std::nan("");
    for (auto const& [solver, r] : line.answers)
      if (isOurs(solver) && r->right) best = std::fmin(best, r->seconds);
    text += "| " + line.problem + " |";
    for (auto const& solver : solvers) {
      Result const* const r = line.of(solver);
      if (!r)
        text += " - |";
      else if (std::isnan(best))
        text += ' ' + secondsCell(*r) + " |";
      else
        text += ' ' + secondsCell(*r) + fmt::format(", {:.3g} x |", r->seconds / best);
    }
    text += '\n';
  }
  return text;
}

std::string summary(std::vector<Result> const& results, std::vector<std::string> const& solvers) {
  auto const lines = linesOf(results);
  std::vector<std::string> main, ours, others;
  for (auto const& solver : solvers) {
    bool const isMine = isOurs(solver);
    if (!isMine) others.push_back(solver);
    // Exact weights, and whatever else was set beside the algorithm, are compared apart.
    if (isMine && std::count(solver.begin(), solver.end(), '/') == 1) ours.push_back(solver);
  }
  main = ours;
  main.insert(main.end(), others.begin(), others.end());
  std::string text;
  if (!main.empty()) {
    text =
        "Shifted geometric means of the seconds (shift 10 ms) over the problems that all of these "
        "ran;\nwhat was not solved counts with the time it took, ";
    text += fmt::format("at least {:.0f} s.\n\n", unsolvedSeconds) + meansTable(lines, main);
  }
  if (!ours.empty() && !others.empty()) text += '\n' + winsTable(lines, ours, others);
  return text + weightsTable(lines, solvers);
}

double shiftedGeometricMean(std::vector<double> const& values, double by) {
  if (values.empty()) return 0.0;
  double sum = 0.0;
  for (double const value : values) sum += std::log(value + by);
  return std::exp(sum / static_cast<double>(values.size())) - by;
}

}  // namespace osi_cuda::bench
