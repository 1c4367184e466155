// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/result.hpp"
#include "osi_cuda/analysis/diagnosis.hpp"
#include "osi_cuda/base/budget.hpp"
#include "readers/read.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string file;
  std::vector<std::string> optionTexts;
  bool noSolve = false;
  bool json = false;
};

Json rangeJson(LinearProgram const& lp, MagnitudeRange const& range) {
  if (range.most == 0.0) return nullptr;
  auto const place = [&](double number, int row, int column) {
    Json end{{"magnitude", number}};
    if (row >= 0) end["row"] = lp.rowName(row);
    if (column >= 0) end["column"] = lp.columnName(column);
    return end;
  };
  return {{"least", place(range.least, range.leastRow, range.leastColumn)},
          {"most", place(range.most, range.mostRow, range.mostColumn)}};
}

Json findingsJson(LinearProgram const& lp, std::vector<Finding> const& findings) {
  Json list = Json::array();
  for (Finding const& finding : findings) {
    Json names = Json::array();
    for (int const v : finding.variables) names.push_back(variableName(lp, v));
    list.push_back({{"kind", finding.kind},
                    {"text", finding.text},
                    {"advice", finding.advice},
                    {"of", std::move(names)}});
  }
  return list;
}

Json uniqueJson(std::optional<bool> const& unique) {
  return unique ? Json(*unique) : Json();
}

std::string endText(Json const& end) {
  std::string text = fmt::format("{:.3g}", end["magnitude"].get<double>());
  for (char const* const of : {"row", "column"})
    if (end.contains(of)) text += fmt::format(", {} {}", of, end[of].get<std::string>());
  return text;
}

/// Lines of a label and a text; findings of a kind beyond the first few are counted.
std::string asText(Json const& report) {
  std::string text;
  auto const add = [&](std::string const& label, std::string const& words) {
    text += fmt::format("{:<13} {}\n", label, words);
  };
  for (auto const& [label, range] : report["ranges"].items())
    if (!range.is_null()) add(label, endText(range["least"]) + "; to " + endText(range["most"]));
  for (Json const& notice : report["notices"]) add("notice", notice);
  if (report.contains("status")) add("status", report["status"]);
  RelaxedColumns relaxed;
  for (auto const& [key, count] : relaxedCounts) relaxed.*count = report.value(key, 0);
  if (relaxed != RelaxedColumns()) add("relaxed", relaxed.text("solve --integers"));
  if (report.contains("condition"))
    add("condition", fmt::format("{:.1e} (basis, scaled, 1-norm, estimated)",
                                 report["condition"].get<double>()));
  for (auto const& [key, what] : {std::pair("unique_point", "the optimal point is "),
                                  std::pair("unique_duals", "the optimal duals are ")})
    if (report.contains(key))
      add("unique", what + std::string(report[key].is_null()     ? "possibly unique: not decided"
                                       : report[key].get<bool>() ? "unique"
                                                                 : "not unique"));
  constexpr int shown = 3;
  std::vector<std::pair<std::string, int>> counts;
  for (Json const& finding : report["findings"]) {
    std::string const kind = finding["kind"];
    if (counts.empty() || counts.back().first != kind) counts.emplace_back(kind, 0);
    if (++counts.back().second > shown) continue;
    add(kind, finding["text"]);
    if (counts.back().second > 1) continue;
    std::string names;
    if (kind == "ill_conditioned")
      for (std::string const name : finding["of"]) names += (names.empty() ? ": " : ", ") + name;
    add("", "-> " + finding["advice"].get<std::string>() + names);
  }
  for (auto const& [kind, count] : counts)
    if (count > shown) add("", fmt::format("and {} more of {}", count - shown, kind));
  if (report["findings"].empty()) add("findings", "none");
  return text;
}

ExitStatus examine(Arguments const& arguments) {
  Options const options = solverOptions(arguments.optionTexts);
  Budget budget(options.timeLimit, options.iterationLimit, interrupted);
  catchInterrupts();
  readers::ReadResult read = readers::read(
      arguments.file,
      {.infiniteFrom = options.infiniteFrom, .interrupted = [&] { return budget.interrupted(); }});
  Solver solver(std::move(read.lp));
  LinearProgram const& lp = solver.problem();
  ModelDiagnosis model = diagnose(lp);
  Json report{{"file", arguments.file},
              {"rows", lp.rows()},
              {"columns", lp.columns()},
              {"nonzeros", lp.matrix.nonzeros()},
              {"ranges",
               {{"matrix", rangeJson(lp, model.coefficients)},
                {"costs", rangeJson(lp, model.costs)},
                {"bounds", rangeJson(lp, model.columnBounds)},
                {"row sides", rangeJson(lp, model.rowBounds)},
                {"worst row", rangeJson(lp, model.worstRow)},
                {"worst column", rangeJson(lp, model.worstColumn)}}}};
  report["notices"] = read.notices;
  report["findings"] = findingsJson(lp, model.findings);
  ExitStatus status = ExitStatus::optimal;
  if (!arguments.noSolve) {
    Callbacks callbacks;
    callbacks.interrupted = interrupted;
    Solution const solution = solver.solve(withinBudget(options, budget), callbacks);
    budget.spend(solution.iterations + solution.barrierIterations);
    report["status"] = toString(solution.status);
    addRelaxed(report, solution.relaxed);
    status = exitStatusOf(solution.status);
    if (solution.status == Status::optimal) {
      OptimumDiagnosis const optimum =
          diagnose(solver, solution, withinBudget(options, budget), callbacks);
      report["condition"] = optimum.condition.estimate;
      report["unique_point"] = uniqueJson(optimum.uniquePoint);
      report["unique_duals"] = uniqueJson(optimum.uniqueDuals);
      for (Json& finding : findingsJson(lp, optimum.findings))
        report["findings"].push_back(std::move(finding));
    }
  }
  std::cout << (arguments.json ? toText(report) + "\n" : asText(report));
  return status;
}

}  // namespace

Run setUpDoctor(CLI::App& app) {
  auto const arguments = std::make_shared<Arguments>();
  addArgument(app, "FILE", arguments->file, "the linear program; - is standard input");
  app.add_flag("--no-solve", arguments->noSolve, "only what can be said without solving it");
  app.add_flag("--json", arguments->json, "print one JSON object and nothing else");
  addSolverOptions(app, arguments->optionTexts, ListedIn::helpOfSolve);
  return [arguments] { return examine(*arguments); };
}

}  // namespace osi_cuda::cli
