// SPDX-License-Identifier: EPL-2.0
#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include "cli/command.hpp"
#include "cli/regress.hpp"
#include "shell/output_file.hpp"
#include "shell/svg.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

constexpr char head[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>osi-cuda report</title>
<style>
:root { --ink: #1c1c1e; --paper: #fff; --faint: #d8d8dc; --soft: #f3f3f5; --bad: #b3261e;
  --s0: #0072b2; --s1: #d55e00; --s2: #009e73; --s3: #cc79a7; --s4: #b58900; --s5: #3f8fd0;
  --s6: #7a5195; --s7: #6b6b6b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #17181a; --faint: #3a3b3f;
  --soft: #222326; --bad: #ff8a80; --s0: #4aa8e0; --s1: #ff8a3d; --s2: #2fc999; --s3: #e6a0c4;
  --s4: #e0b030; --s5: #8cc4f0; --s6: #b891d4; --s7: #a0a0a0; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1200px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--faint); text-align: right;
  white-space: nowrap; }
th { background: var(--soft); } th:first-child, td:first-child, td.words { text-align: left; }
td.words { white-space: normal; } td.bad, .bad { color: var(--bad); font-weight: 600; }
td small { color: inherit; opacity: .65; }
svg { width: 100%; max-width: 860px; height: auto; display: block; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.grid { stroke: var(--faint); } .diagonal { stroke: var(--ink); stroke-dasharray: 4 4; opacity: .5; }
.curve { fill: none; stroke: currentColor; stroke-width: 2.2; }
.series circle { fill: currentColor; fill-opacity: .65; }
.unsolved { fill: none; stroke: currentColor; stroke-width: 1.8; }
.s0 { color: var(--s0); } .s1 { color: var(--s1); } .s2 { color: var(--s2); }
.s3 { color: var(--s3); } .s4 { color: var(--s4); } .s5 { color: var(--s5); }
.s6 { color: var(--s6); } .s7 { color: var(--s7); }
</style></head><body>
)";

/// An HTML table, cell by cell.
class HtmlTable {
 public:
  HtmlTable(std::string const& id, std::vector<std::string> const& header) {
    html_ = "<div class=\"wide\"><table id=\"" + id + "\"><thead><tr>";
    for (auto const& cell : header) html_ += "<th>" + escaped(cell) + "</th>";
    html_ += "</tr></thead><tbody>\n";
  }
  void beginRow() { html_ += "<tr>"; }
  void endRow() { html_ += "</tr>\n"; }
  void cell(std::string const& words, char const* kind = "") { rawCell(escaped(words), kind); }
  void rawCell(std::string const& html, char const* kind = "") {
    html_ += *kind ? concat("<td class=\"", kind, "\">") : std::string("<td>");
    html_ += html + "</td>";
  }
  std::string finished() const { return html_ + "</tbody></table></div>\n"; }

 private:
  std::string html_;
};

bool isOwn(std::string const& label) {
  return label.starts_with("osi_cuda");
}

/// This project's first, then by name.
std::vector<std::string> labelsOf(std::vector<RunRecord> const& runs) {
  std::set<std::string> names;
  for (auto const& run : runs) names.insert(run.label());
  std::vector<std::string> labels(names.begin(), names.end());
  std::stable_partition(labels.begin(), labels.end(), isOwn);
  return labels;
}

/// exp(mean(log(t + shift))) - shift: what a geometric mean is without very short runs ruling it.
double shiftedGeometricMean(std::vector<double> const& seconds) {
  constexpr double shift = 0.01;
  double sum = 0.0;
  for (double const t : seconds) sum += std::log(t + shift);
  return std::exp(sum / double(seconds.size())) - shift;
}

/// The instances that every label has solved: on them, times can be summed up.
std::set<std::string> solvedByAll(std::vector<RunRecord> const& runs, std::size_t labels) {
  std::map<std::string, std::size_t> count;
  for (auto const& run : runs) count[run.instance] += solved(run);
  std::set<std::string> common;
  for (auto const& [instance, solvers] : count)
    if (solvers == labels) common.insert(instance);
  return common;
}

std::string duration(double seconds) {
  constexpr int digits = 3;
  return seconds < 1.0 ? shortNumber(1e3 * seconds, digits) + " ms"
                       : shortNumber(seconds, digits) + " s";
}

std::string summaryTable(std::vector<RunRecord> const& runs,
                         std::vector<std::string> const& labels) {
  auto const common = solvedByAll(runs, labels.size());
  HtmlTable table("summary", {"solver", "version", "engine", "runs", "solved", "proved", "wrong",
                              "stopped", "skipped", "iterations*", "mean time*"});
  for (auto const& label : labels) {
    int total = 0, good = 0, proved = 0, wrong = 0, stopped = 0, skipped = 0;
    std::int64_t iterations = 0;
    std::vector<double> seconds;
    std::string version, engine;
    for (auto const& run : runs) {
      if (run.label() != label) continue;
      ++total;
      good += solved(run);
      proved += run.proved;
      wrong += run.verdict == "wrong" || run.verdict == "disputed";
      stopped += run.verdict == "stopped";
      skipped += run.verdict == "skipped";
      version = run.version;
      if (!run.engine.empty()) engine = run.engine;
      if (!common.contains(run.instance)) continue;
      iterations += run.iterations;
      seconds.push_back(run.seconds);
    }
    table.beginRow();
    for (auto const& words : {label, version, engine}) table.cell(words);
    for (int const count : {total, good, proved}) table.cell(std::to_string(count));
    table.cell(std::to_string(wrong), wrong > 0 ? "bad" : "");
    table.cell(std::to_string(stopped));
    table.cell(std::to_string(skipped));
    table.cell(std::to_string(iterations));
    table.cell(seconds.empty() ? "-" : duration(shiftedGeometricMean(seconds)));
    table.endRow();
  }
  return concat(
      table.finished(), "<p>* over the ", common.size(),
      " instances that all of them solved; the mean is geometric, shifted by 0.01 s.</p>\n");
}

std::string resultCell(RunRecord const& run) {
  if (run.verdict == "skipped") return "<small>skipped</small>";
  std::string html = concat(duration(run.seconds), " <small>", run.iterations);
  if (run.status != "optimal") html += ' ' + escaped(run.status);
  return html + "</small>";
}

std::string resultsTable(std::vector<RunRecord> const& runs,
                         std::vector<std::string> const& labels) {
  std::vector<std::string> header{"instance", "rows", "columns", "nonzeros", "objective"};
  header.insert(header.end(), labels.begin(), labels.end());
  HtmlTable table("results", header);
  for (auto const& [instance, byLabel] : tableOf(runs)) {
    auto const& any = *byLabel.begin()->second;
    RunRecord const* reference = nullptr;
    for (auto const& [label, run] : byLabel)
      if (solved(*run) && (!reference || (run->proved && !reference->proved))) reference = run;
    table.beginRow();
    table.cell(instance);
    for (auto const size : {any.rows, any.columns, any.nonzeros}) table.cell(std::to_string(size));
    table.cell(!reference             ? "-"
               : reference->objective ? shortNumber(*reference->objective, 10)
                                      : reference->status);
    for (auto const& label : labels) {
      auto const found = byLabel.find(label);
      if (found == byLabel.end()) {
        table.cell("");
      } else {
        bool const good = solved(*found->second) || found->second->verdict == "skipped";
        table.rawCell(resultCell(*found->second), good ? "" : "bad");
      }
    }
    table.endRow();
  }
  return table.finished();
}

/// Wrong answers, and what differs from the run before, by the default limits.
std::string changesTable(RunDatabase& database, std::vector<RunRecord> const& runs) {
  HtmlTable table("changes", {"instance", "solver", "change"});
  int rows = 0;
  for (auto const& run : runs) {
    auto changes = faultsOf(run, {}, {});
    if (auto const before = database.previous(run)) {
      auto const since = changesSince(*before, run, {});
      changes.insert(changes.end(), since.begin(), since.end());
    }
    for (auto const& change : changes) {
      table.beginRow();
      table.cell(run.instance);
      table.cell(run.label());
      table.cell(change.text, change.regression ? "words bad" : "words");
      table.endRow();
      ++rows;
    }
  }
  return rows > 0 ? table.finished() : "<p>Nothing changed, and no answer is wrong.</p>\n";
}

std::string peerOf(std::vector<std::string> const& labels, std::string const& asked) {
  if (!asked.empty()) {
    if (std::ranges::find(labels, asked) != labels.end()) return asked;
    throw Failure(ExitStatus::usage, fmt::format("--peer: no runs of '{}'; there are {}", asked,
                                                 fmt::join(labels, ", ")));
  }
  auto const other = std::ranges::find_if_not(labels, isOwn);
  return other != labels.end() ? *other : labels.front();
}

std::string introduction(std::vector<RunRecord> const& runs) {
  std::set<std::string> instances;
  std::map<std::string, std::set<std::string>> machines;  // host, its devices
  std::string newest;
  for (auto const& run : runs) {
    instances.insert(run.instance);
    auto& devices = machines[run.host];
    if (!run.device.empty()) devices.insert(run.device);
    newest = std::max(newest, run.time);
  }
  std::string list;
  for (auto const& [host, devices] : machines)
    list += fmt::format("{}{}{}{}", list.empty() ? "" : "; ", host, devices.empty() ? "" : ": ",
                        fmt::join(devices, ", "));
  return concat("<h1>Linear programs, solver by solver</h1>\n<p>", instances.size(), " instances, ",
                runs.size(), " runs, the newest of ", escaped(newest), ", on ", escaped(list),
                ".</p>\n");
}

}  // namespace

std::string htmlReport(RunDatabase& database, std::string const& peer) {
  auto const runs = database.latestRuns();
  if (runs.empty()) throw Failure(ExitStatus::noInput, "the database holds no runs");
  auto const labels = labelsOf(runs);
  std::string const against = peerOf(labels, peer);
  std::string html = head + introduction(runs);
  html += "<h2>Summary</h2>\n" + summaryTable(runs, labels);
  html +=
      "<h2>Performance profile</h2>\n<p>Share of the instances that a solver solves within a "
      "multiple of the fastest solver's time: higher is better.</p>\n" +
      performanceProfile(runs, labels);
  html += "<h2>Seconds against " + escaped(against) +
          "</h2>\n<p>One point an instance; below the dashed line the solver is faster than " +
          escaped(against) + ". A cross on an edge: not solved.</p>\n" +
          secondsScatter(runs, labels, against);
  html += "<h2>Faults and changes since the runs before</h2>\n" + changesTable(database, runs);
  html += "<h2>Results</h2>\n<p>Wall time, then iterations.</p>\n" + resultsTable(runs, labels);
  return html + "</body></html>\n";
}

Run setUpReport(CLI::App& app) {
  struct Request {
    std::string database, output, peer;
  };
  auto const request = std::make_shared<Request>();
  addArgument(app, "DATABASE", request->database, "SQLite file of osi-cuda regress");
  addValue(app, "-o,--output", request->output, "FILE", "HTML file to write [DATABASE with .html]");
  addValue(app, "--peer", request->peer, "SOLVER",
           "solver on the x axis of the scatter plot, as clp/dual "
           "[the first that is not this one]");
  return [request] {
    std::string output = request->output;
    if (output.empty())
      output = std::filesystem::path(request->database).replace_extension(".html").string();
    checkOutputs({{"DATABASE", request->database}}, {{"--output", output}});
    RunDatabase database(request->database, RunDatabase::Mode::read);
    writeTextFile(output, htmlReport(database, request->peer));
    std::cout << output << '\n';
    return ExitStatus::optimal;
  };
}

}  // namespace osi_cuda::cli
