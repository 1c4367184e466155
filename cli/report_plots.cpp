// SPDX-License-Identifier: EPL-2.0
#include "cli/report_plots.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "cli/text_table.hpp"

namespace osi_cuda::cli {
namespace {

// The drawing, in SVG units.
constexpr double width = 720.0, height = 420.0;
constexpr double left = 64.0, right = 200.0, top = 16.0, bottom = 52.0;
constexpr double plotRight = width - right, plotBottom = height - bottom;

/// Instance, then label: the run, for lookups.
using RunTable = std::map<std::string, std::map<std::string, RunRecord const*>>;

RunTable tableOf(std::vector<RunRecord> const& runs) {
  RunTable table;
  for (auto const& run : runs) table[run.instance][run.label()] = &run;
  return table;
}

/// A logarithmic scale from data to SVG units.
class LogScale {
 public:
  LogScale(double low, double high, double from, double to)
      : low_(low), high_(high), from_(from), to_(to) {}
  double operator()(double value) const {
    double const share = std::log(value / low_) / std::log(high_ / low_);
    return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
  }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_, high_, from_, to_;
};

std::string fixed(double value) {
  std::ostringstream text;
  text.precision(1);
  text << std::fixed << value;
  return text.str();
}

std::string line(double x1, double y1, double x2, double y2, char const* kind) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + fixed(x1) + "\" y1=\"" + fixed(y1) +
         "\" x2=\"" + fixed(x2) + "\" y2=\"" + fixed(y2) + "\"/>\n";
}

std::string text(double x, double y, std::string const& words, char const* anchor) {
  return "<text x=\"" + fixed(x) + "\" y=\"" + fixed(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(words) + "</text>\n";
}

std::string axisTitles(std::string const& x, std::string const& y) {
  double const middle = (top + plotBottom) / 2;
  return text((left + plotRight) / 2, height - 10, x, "middle") +
         "<text transform=\"rotate(-90 14 " + fixed(middle) + ")\" x=\"14\" y=\"" + fixed(middle) +
         "\" text-anchor=\"middle\">" + escaped(y) + "</text>\n";
}

std::string opening(std::string const& id, std::string const& description) {
  return "<svg id=\"" + id + "\" viewBox=\"0 0 " + fixed(width) + ' ' + fixed(height) +
         "\" role=\"img\" aria-label=\"" + escaped(description) + "\">\n";
}

std::string legend(std::vector<std::string> const& labels, std::vector<std::string> const& shown) {
  std::string svg;
  double y = top + 12;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (std::find(shown.begin(), shown.end(), labels[k]) == shown.end()) continue;
    svg += "<g class=\"series s" + std::to_string(k % 8) + "\">" +
           line(plotRight + 14, y - 4, plotRight + 38, y - 4, "curve") + "</g>" +
           text(plotRight + 44, y, labels[k], "start");
    y += 20;
  }
  return svg;
}

/// Grid lines and numbers at the powers of `base` on an axis; every second or third one where they
/// would crowd.
template <class Draw>
void eachPower(LogScale const& scale, double base, Draw draw) {
  int const first = static_cast<int>(std::ceil(std::log(scale.low()) / std::log(base) - 1e-9));
  int const last = static_cast<int>(std::floor(std::log(scale.high()) / std::log(base) + 1e-9));
  int const step = 1 + (last - first) / 10;
  for (int k = first; k <= last; k += step) draw(std::pow(base, k));
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
  for (auto& [label, list] : ratios) std::sort(list.begin(), list.end());
  return ratios;
}

/// A staircase: up at each ratio, then along to the end.
std::string staircase(std::vector<double> const& ratios, std::size_t instances, LogScale const& x) {
  auto const y = [&](std::size_t count) {
    return plotBottom - double(count) / double(instances) * (plotBottom - top);
  };
  std::string path = "M" + fixed(left) + ' ' + fixed(y(0));
  for (std::size_t k = 0; k < ratios.size(); ++k)
    path += " H" + fixed(x(ratios[k])) + " V" + fixed(y(k + 1));
  return path + " H" + fixed(plotRight);
}

struct Axes {
  LogScale x, y;
};

/// The diagonal, decades on both axes, and the edge for what was not solved.
std::string scatterFrame(Axes const& axes, std::string const& peer) {
  std::string svg;
  eachPower(axes.x, 10.0, [&](double value) {
    svg += line(axes.x(value), top, axes.x(value), plotBottom, "grid");
    svg += text(axes.x(value), plotBottom + 18, shortNumber(value, 3), "middle");
  });
  eachPower(axes.y, 10.0, [&](double value) {
    svg += line(left, axes.y(value), plotRight, axes.y(value), "grid");
    svg += text(left - 8, axes.y(value) + 4, shortNumber(value, 3), "end");
  });
  svg += line(left, plotBottom, plotRight, top, "diagonal");
  svg += axisTitles("seconds of " + peer, "seconds of the others");
  return svg;
}

std::string marker(double x, double y, bool bothSolved, std::string const& tip) {
  std::string const title = "<title>" + escaped(tip) + "</title>";
  if (bothSolved)
    return "<circle cx=\"" + fixed(x) + "\" cy=\"" + fixed(y) + "\" r=\"4\">" + title +
           "</circle>\n";
  return "<path class=\"unsolved\" d=\"M" + fixed(x - 4) + ' ' + fixed(y - 4) +
         " l8 8 m0 -8 l-8 8\">" + title + "</path>\n";
}

std::string nothing(std::string const& id, std::string const& sentence) {
  return opening(id, sentence) + text(width / 2, height / 2, sentence, "middle") + "</svg>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (char const c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

bool solved(RunRecord const& run) {
  return run.verdict == "agrees" &&
         (run.status == "optimal" || run.status == "infeasible" || run.status == "unbounded");
}

std::string performanceProfile(std::vector<RunRecord> const& runs,
                               std::vector<std::string> const& labels) {
  std::size_t instances = 0;
  auto const ratios = ratiosOf(tableOf(runs), instances);
  if (instances == 0) return nothing("profile", "no instance was solved");
  double slowest = 2.0;
  for (auto const& [label, list] : ratios) slowest = std::max(slowest, list.back());
  LogScale const x(1.0, slowest * 1.05, left, plotRight);
  std::string svg = opening("profile", "performance profile");
  eachPower(x, 2.0, [&](double value) {
    svg += line(x(value), top, x(value), plotBottom, "grid");
    svg += text(x(value), plotBottom + 18, shortNumber(value, 6), "middle");
  });
  for (int percent = 0; percent <= 100; percent += 20) {
    double const y = plotBottom - percent / 100.0 * (plotBottom - top);
    svg += line(left, y, plotRight, y, "grid");
    svg += text(left - 8, y + 4, std::to_string(percent) + " %", "end");
  }
  svg += axisTitles("times the fastest solver's time", "instances solved");
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    auto const found = ratios.find(labels[k]);
    std::vector<double> const none;
    auto const& list = found == ratios.end() ? none : found->second;
    svg += "<g class=\"series s" + std::to_string(k % 8) + "\"><path class=\"curve\" d=\"" +
           staircase(list, instances, x) + "\"><title>" + escaped(labels[k]) + ": " +
           std::to_string(list.size()) + " of " + std::to_string(instances) +
           "</title></path></g>\n";
    shown.push_back(labels[k]);
  }
  return svg + legend(labels, shown) + "</svg>\n";
}

std::string secondsScatter(std::vector<RunRecord> const& runs,
                           std::vector<std::string> const& labels, std::string const& peer) {
  double slowest = 10 * shortestTime;
  for (auto const& run : runs)
    if (solved(run)) slowest = std::max(slowest, timeOf(run));
  double const high = std::pow(10.0, std::ceil(std::log10(slowest) + 1e-9));
  Axes const axes{{shortestTime, high, left, plotRight}, {shortestTime, high, plotBottom, top}};
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
      double const x = there ? axes.x(timeOf(*other->second)) : plotRight;
      double const y = here ? axes.y(timeOf(*mine->second)) : top;
      series += marker(x, y, here && there,
                       instance + ": " + labels[k] + ' ' +
                           (here ? shortNumber(mine->second->seconds, 3) + " s" : "not solved") +
                           ", " + peer + ' ' +
                           (there ? shortNumber(other->second->seconds, 3) + " s" : "not solved"));
    }
    if (series.empty()) continue;
    marks += "<g class=\"series s" + std::to_string(k % 8) + "\">" + series + "</g>\n";
    shown.push_back(labels[k]);
  }
  if (shown.empty()) return nothing("scatter", "no instance was run by two solvers");
  return opening("scatter", "seconds against " + peer) + scatterFrame(axes, peer) + marks +
         legend(labels, shown) + "</svg>\n";
}

}  // namespace osi_cuda::cli
