// SPDX-License-Identifier: EPL-2.0
#include "cli/report.hpp"

#include <algorithm>
#include <cmath>

#include "cli/instance_list.hpp"
#include "shell/svg.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

// The drawing, in SVG units.
constexpr double width = 720.0, height = 420.0;
constexpr double left = 64.0, right = 200.0, top = 16.0, bottom = 52.0;
constexpr double plotRight = width - right, plotBottom = height - bottom;

std::string line(double x1, double y1, double x2, double y2, char const* kind) {
  return concat("<line class=\"", kind, "\" x1=\"", coordinate(x1), "\" y1=\"", coordinate(y1),
                "\" x2=\"", coordinate(x2), "\" y2=\"", coordinate(y2), "\"/>\n");
}

std::string text(double x, double y, std::string const& words, char const* anchor) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor +
         "\">" + escaped(words) + "</text>\n";
}

std::string axisTitles(std::string const& x, std::string const& y) {
  double const middle = (top + plotBottom) / 2;
  return text((left + plotRight) / 2, height - 10, x, "middle") +
         "<text transform=\"rotate(-90 14 " + coordinate(middle) + ")\" x=\"14\" y=\"" +
         coordinate(middle) + "\" text-anchor=\"middle\">" + escaped(y) + "</text>\n";
}

std::string opening(std::string const& id, std::string const& description) {
  return "<svg id=\"" + id + "\" viewBox=\"0 0 " + coordinate(width) + ' ' + coordinate(height) +
         "\" role=\"img\" aria-label=\"" + escaped(description) + "\">\n";
}

std::string legend(std::vector<std::string> const& labels, std::vector<std::string> const& shown) {
  std::string svg;
  double y = top + 12;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (std::ranges::find(shown, labels[k]) == shown.end()) continue;
    svg += concat("<g class=\"series s", k % 8, "\">",
                  line(plotRight + 14, y - 4, plotRight + 38, y - 4, "curve"), "</g>",
                  text(plotRight + 44, y, labels[k], "start"));
    y += 20;
  }
  return svg;
}

double timeOf(RunRecord const& run) {
  return std::max(run.seconds, shortestTime);
}

/// Per label: how many times slower than the fastest it was on the instances it solved, ascending.
std::map<std::string, std::vector<double>> ratiosOf(RunTable const& table, std::size_t& instances) {
  std::map<std::string, std::vector<double>> ratios;
  instances = 0;
  for (auto const& [instance, byLabel] : table) {
    double fastest = 0.0;
    for (auto const& [label, run] : byLabel)
      if (solved(*run)) fastest = fastest > 0.0 ? std::min(fastest, timeOf(*run)) : timeOf(*run);
    if (fastest == 0.0) continue;
    ++instances;
    for (auto const& [label, run] : byLabel)
      if (solved(*run)) ratios[label].push_back(timeOf(*run) / fastest);
  }
  for (auto& [label, list] : ratios) std::ranges::sort(list);
  return ratios;
}

/// A staircase: up at each ratio, then along to the end.
std::string staircase(std::vector<double> const& ratios, std::size_t instances, Axis const& x) {
  auto const y = [&](std::size_t count) {
    return plotBottom - double(count) / double(instances) * (plotBottom - top);
  };
  std::string path = "M" + coordinate(left) + ' ' + coordinate(y(0));
  for (std::size_t k = 0; k < ratios.size(); ++k)
    path += " H" + coordinate(x(ratios[k])) + " V" + coordinate(y(k + 1));
  return path + " H" + coordinate(plotRight);
}

/// The diagonal, decades on both axes, and the edge for what was not solved.
std::string scatterFrame(Axis const& x, Axis const& y, std::string const& peer) {
  std::string svg;
  for (double const value : x.marks()) {
    svg += line(x(value), top, x(value), plotBottom, "grid");
    svg += text(x(value), plotBottom + 18, shortNumber(value, 3), "middle");
  }
  for (double const value : y.marks()) {
    svg += line(left, y(value), plotRight, y(value), "grid");
    svg += text(left - 8, y(value) + 4, shortNumber(value, 3), "end");
  }
  svg += line(left, plotBottom, plotRight, top, "diagonal");
  svg += axisTitles("seconds of " + peer, "seconds of the others");
  return svg;
}

std::string marker(double x, double y, bool bothSolved, std::string const& tip) {
  std::string const title = "<title>" + escaped(tip) + "</title>";
  if (bothSolved)
    return "<circle cx=\"" + coordinate(x) + "\" cy=\"" + coordinate(y) + "\" r=\"4\">" + title +
           "</circle>\n";
  return "<path class=\"unsolved\" d=\"M" + coordinate(x - 4) + ' ' + coordinate(y - 4) +
         " l8 8 m0 -8 l-8 8\">" + title + "</path>\n";
}

std::string nothing(std::string const& id, std::string const& sentence) {
  return opening(id, sentence) + text(width / 2, height / 2, sentence, "middle") + "</svg>\n";
}

}  // namespace

RunTable tableOf(std::vector<RunRecord> const& runs) {
  RunTable table;
  for (auto const& run : runs) table[run.instance][run.label()] = &run;
  return table;
}

bool solved(RunRecord const& run) {
  return run.verdict == "agrees" && isClaim(run.status);
}

std::string performanceProfile(std::vector<RunRecord> const& runs,
                               std::vector<std::string> const& labels) {
  std::size_t instances = 0;
  auto const ratios = ratiosOf(tableOf(runs), instances);
  if (instances == 0) return nothing("profile", "no instance was solved");
  double slowest = 2.0;
  for (auto const& [label, list] : ratios) slowest = std::max(slowest, list.back());
  Axis const x{2.0, 1.0, slowest * 1.05, left, plotRight};
  std::string svg = opening("profile", "performance profile");
  for (double const value : x.marks()) {
    svg += line(x(value), top, x(value), plotBottom, "grid");
    svg += text(x(value), plotBottom + 18, shortNumber(value, 6), "middle");
  }
  for (int percent = 0; percent <= 100; percent += 20) {
    double const y = plotBottom - percent / 100.0 * (plotBottom - top);
    svg += line(left, y, plotRight, y, "grid");
    svg += text(left - 8, y + 4, concat(percent, " %"), "end");
  }
  svg += axisTitles("times the fastest solver's time", "instances solved");
  for (std::size_t k = 0; k < labels.size(); ++k) {
    auto const found = ratios.find(labels[k]);
    std::vector<double> const none;
    auto const& list = found == ratios.end() ? none : found->second;
    svg += concat("<g class=\"series s", k % 8, "\"><path class=\"curve\" d=\"",
                  staircase(list, instances, x), "\"><title>", escaped(labels[k]), ": ",
                  list.size(), " of ", instances, "</title></path></g>\n");
  }
  return svg + legend(labels, labels) + "</svg>\n";
}

std::string secondsScatter(std::vector<RunRecord> const& runs,
                           std::vector<std::string> const& labels, std::string const& peer) {
  double slowest = 10 * shortestTime;
  for (auto const& run : runs)
    if (solved(run)) slowest = std::max(slowest, timeOf(run));
  double const high = std::pow(10.0, std::ceil(std::log10(slowest) + 1e-9));
  Axis const xAxis{10.0, shortestTime, high, left, plotRight};
  Axis const yAxis{10.0, shortestTime, high, plotBottom, top};
  std::string marks;
  std::vector<std::string> shown;
  auto const table = tableOf(runs);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (labels[k] == peer) continue;
    std::string series;
    for (auto const& [instance, byLabel] : table) {
      auto const mine = byLabel.find(labels[k]);
      auto const other = byLabel.find(peer);
      if (mine == byLabel.end() || other == byLabel.end()) continue;
      bool const here = solved(*mine->second), there = solved(*other->second);
      if (!here && !there) continue;
      double const x = there ? xAxis(timeOf(*other->second)) : plotRight;
      double const y = here ? yAxis(timeOf(*mine->second)) : top;
      series += marker(x, y, here && there,
                       instance + ": " + labels[k] + ' ' +
                           (here ? shortNumber(mine->second->seconds, 3) + " s" : "not solved") +
                           ", " + peer + ' ' +
                           (there ? shortNumber(other->second->seconds, 3) + " s" : "not solved"));
    }
    if (series.empty()) continue;
    marks += concat("<g class=\"series s", k % 8, "\">", series, "</g>\n");
    shown.push_back(labels[k]);
  }
  if (shown.empty()) return nothing("scatter", "no instance was run by two solvers");
  return opening("scatter", "seconds against " + peer) + scatterFrame(xAxis, yAxis, peer) + marks +
         legend(labels, shown) + "</svg>\n";
}

}  // namespace osi_cuda::cli
