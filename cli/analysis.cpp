// SPDX-License-Identifier: EPL-2.0
#include "cli/analysis.hpp"

#include <chrono>

#include "cli/ranging_file.hpp"
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
}

void checkAnalysis(AnalysisArguments const& arguments) {
  if (!arguments.ranging.empty()) checkWritable(arguments.ranging);
}

ExitStatus analyse(AnalysisArguments const& arguments, AnalysisContext const& context) {
  return Analysis(arguments, context).run();
}

}  // namespace osi_cuda::cli
