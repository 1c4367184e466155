// SPDX-License-Identifier: EPL-2.0
#include "cli/analysis.hpp"

#include <chrono>

#include "cli/iis_report.hpp"
#include "cli/ranging_file.hpp"
#include "osi_cuda/analysis/infeasible_subsystem.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Analysis {
 public:
  Analysis(AnalysisArguments const& arguments, AnalysisContext const& context)
      : arguments_(arguments), context_(context) {
    callbacks_.interrupted = context.interrupted;
    status_ = exitStatusOf(context.result.solution.status);
  }

  ExitStatus run() {
    if (!arguments_.ranging.empty()) range();
    if (!arguments_.iis.empty()) findSubsystem();
    return status_;
  }

 private:
  Options options() const {
    Options limited = context_.options;
    limited.timeLimit = std::max(0.0, context_.secondsLeft());
    return limited;
  }

  void endedWith(ExitStatus status) {
    if (status_ == ExitStatus::optimal || status_ == ExitStatus::noOptimum) status_ = status;
  }

  void range() {
    Result& result = context_.result;
    if (result.solution.status != Status::optimal) {
      context_.notice("There is no optimal basis to range: " + arguments_.ranging +
                      " is not written.");
      return;
    }
    Clock::time_point const start = Clock::now();
    LinearProgram const& lp = context_.solver.problem();
    std::optional<Ranging> found;
    try {
      found = ranging(context_.solver, options(), callbacks_);
    } catch (std::invalid_argument const& refusal) {
      context_.notice(std::string(refusal.what()) + " " + arguments_.ranging +
                      " is not written.");
      return endedWith(ExitStatus::numerical);
    }
    bool const whole =
        found &&
        (!arguments_.oneSidedPrices || addOneSidedPrices(*found, lp, options(), callbacks_));
    if (!whole) {
      context_.notice("The end came before the ranging was complete: " + arguments_.ranging +
                      " is not written.");
      return endedWith(ExitStatus::stopped);
    }
    writeTextFile(arguments_.ranging,
                  rangingText(lp, *found, rangingFormatForName(arguments_.ranging)));
    double const seconds = secondsSince(start);
    Section section{"ranging", {}, {}};
    section.json = {{"file", arguments_.ranging},
                    {"degenerate", found->degenerate.size()},
                    {"indifferent", found->indifferent.size()},
                    {"seconds", seconds}};
    section.add("ranging",
                arguments_.ranging + ", vertex " +
                    (found->degenerate.empty() ? "not degenerate" : "degenerate") + ", " +
                    (found->indifferent.empty() ? "no other optima" : "maybe other optima"));
    result.sections.push_back(std::move(section));
  }

  void findSubsystem() {
    Result& result = context_.result;
    Solution const& solution = result.solution;
    if (solution.status != Status::infeasible) {
      context_.notice("The problem was not proved to be infeasible: " + arguments_.iis +
                      " is not written.");
      return;
    }
    LinearProgram const& lp = context_.solver.problem();
    InfeasibleSubsystem const found = infeasibleSubsystem(lp, solution, options(), callbacks_);
    if (!found.proof.proved) {
      context_.notice("The subsystem that was found could not be proved to be infeasible: " +
                      arguments_.iis + " is not written.");
      return endedWith(ExitStatus::numerical);
    }
    writeTextFile(arguments_.iis, iisFileText(lp, found, arguments_.iis));
    result.sections.push_back(iisSection(lp, found, arguments_.iis));
    if (found.irreducible) return;
    bool const stopped = found.ending != Status::infeasible;
    context_.notice(stopped ? "The end came before the subsystem was known to be irreducible."
                            : "For " + std::to_string(found.undecided.size()) +
                                  " member(s) of the subsystem it could not be proved that they "
                                  "are needed, the first one: " +
                                  sideText(lp, found.undecided.front()) + ".");
    endedWith(stopped ? ExitStatus::stopped : ExitStatus::numerical);
  }

  AnalysisArguments const& arguments_;
  AnalysisContext const& context_;
  Callbacks callbacks_;
  ExitStatus status_ = ExitStatus::optimal;
};

}  // namespace

void addAnalysisOptions(CLI::App& app, AnalysisArguments& arguments) {
  CLI::Option* const ranging =
      app.add_option("--ranging", arguments.ranging,
                     "write for each cost, right-hand side and bound the interval in which the "
                     "basis stays optimal: .json, .csv, else text")
          ->type_name("FILE");
  app.add_flag("--one-sided-prices", arguments.oneSidedPrices,
               "with --ranging: at degenerate vertices the prices of both directions, by more "
               "solves")
      ->needs(ranging);
  app.add_option("--iis", arguments.iis,
                 "if infeasible: write an irreducible infeasible subsystem as a problem of its "
                 "own: .mps, .lps (lp_solve), else CPLEX LP")
      ->type_name("FILE");
}

void checkAnalysis(AnalysisArguments const& arguments) {
  for (std::string const& path : {arguments.ranging, arguments.iis})
    if (!path.empty()) checkWritable(path);
}

ExitStatus analyse(AnalysisArguments const& arguments, AnalysisContext const& context) {
  return Analysis(arguments, context).run();
}

}  // namespace osi_cuda::cli
