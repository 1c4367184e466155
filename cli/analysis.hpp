// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/result.hpp"
#include "osi_cuda/analysis/ranked_objectives.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "shell/command.hpp"

namespace osi_cuda::cli {

/// What `solve` is asked about its answer, as parsed; empty: not asked.
struct AnalysisArguments {
  std::string ranging;
  bool oneSidedPrices = false;
  std::string iis;
  std::string relax;  ///< sum or count
  std::string relaxWhat = "rows";
  std::string relaxed;
  std::vector<std::string> objectives;
  std::string loss = "0";
};

/// Adds the options to `app`; `arguments` has to outlive the parsing.
void addAnalysisOptions(CLI::App& app, AnalysisArguments& arguments);

/// What an analysis needs of the run that it belongs to.
struct AnalysisContext {
  Solver& solver;  ///< its last solve is `result.solution`
  Options options;
  Budget& budget;  ///< of the whole command
  std::function<bool()> interrupted;
  std::function<void(std::string const&)> notice;
  Result& result;  ///< gets sections
};

/// What the ranks of objectives came to, for the report.
Section ranksSection(std::vector<RankedObjective> const& objectives, RankedSolution const& ranked);

/// Answers what was asked, as far as the solution has it, and writes the files. The exit status of
/// the command: that of the solution, or of an analysis that ended worse.
ExitStatus analyse(AnalysisArguments const& arguments, AnalysisContext const& context);

}  // namespace osi_cuda::cli
