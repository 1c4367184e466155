// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/analysis.hpp"
#include "cli/command.hpp"
#include "cli/device_opening.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/ranging_file.hpp"
#include "cli/result.hpp"
#include "cli/solve_arguments.hpp"
#include "cli/solve_files.hpp"
#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/search/saved_search.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/basis_file.hpp"
#include "readers/line_source.hpp"
#include "readers/number.hpp"
#include "readers/read.hpp"
#include "readers/solution_file.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

/// One run of the command. Both limits and signals act from the first byte that is read.
class SolveRun {
 public:
  explicit SolveRun(SolveArguments const& arguments)
      : arguments_(arguments),
        options_(solverOptions(arguments.optionTexts)),
        budget_(options_.timeLimit - predecessor().seconds, options_.iterationLimit, interrupted),
        opening_(options_, arguments.file),
        log_(arguments.verbosity()),
        proof_(arguments.proof, arguments.integers, [this](std::string const& s) { notice(s); }),
        solver_(solverWith(opening_.makers())) {
    result_.file = arguments.file;
    std::error_code unknown;
    again_ = beginsAgain(options_, std::filesystem::is_regular_file(arguments.file, unknown));
    result_.certificates = arguments.certificate ? Certificates::show : Certificates::omit;
    if (proof_.isOfProblem()) options_.exact = Toggle::on;
  }

  ExitStatus run() {
    try {
      return solveAndReport();
    } catch (DeviceLost const& lost) {
      log_.endProgress();
      if (again_) beginAgain(lost.what(), watch_.seconds());
      throw;
    }
  }

  /// Whether a device made pivots. Afterwards nothing is left to be written.
  bool usedDevice() const { return result_.solution.engine == SolveEngine::cuda; }

 private:
  ExitStatus solveAndReport() {
    LoopThreads const loops(options_.threads);
    checkArguments(arguments_, options_.search);
    if (!arguments_.checkpoint.empty()) {
      checkpoint_.emplace(arguments_.checkpoint, checkpointInterval(arguments_.checkpointInterval),
                          [this](std::string const& text) { notice(text); });
      catchCheckpointRequests();
    }
    if (!arguments_.trace.empty()) {
      trace_.emplace(arguments_.trace, [this](std::string const& text) { notice(text); });
      trace_->begin(arguments_.file, options_);
    }
    catchInterrupts();
    if (!predecessor().notice.empty()) notice(predecessor().notice);
    if (read()) {
      if (!arguments_.basisIn.empty())
        solver_.setBasis(readers::readBasis(arguments_.basisIn, solver_.problem()));
      if (!arguments_.start.empty() && !arguments_.integers)
        solver_.setStart(readers::readStart(arguments_.start, solver_.problem()));
      readRanks();
      resume();
      solve();
    }
    log_.endProgress();
    writeFiles();
    ExitStatus const proof = writeProof();
    ExitStatus status = analysed();
    if (status == ExitStatus::optimal || status == ExitStatus::noOptimum)
      status = std::max(status, proof);
    result_.seconds.total = watch_.seconds();
    std::cout << (arguments_.json ? toText(toJson(result_)) + "\n" : toSummary(result_));
    return status;
  }

  void notice(std::string const& sentence) {
    log_.notice(sentence);
    keep(sentence);
  }

  /// For the result, once: a search solves the same problem with other bounds.
  void keep(std::string const& sentence) {
    if (std::ranges::find(result_.notices, sentence) == result_.notices.end())
      result_.notices.push_back(sentence);
  }

  /// False when a limit or a signal came first.
  bool read() {
    readers::ReadOptions const readOptions{.infiniteFrom = options_.infiniteFrom,
                                           .threads = options_.threads,
                                           .denseArrays = true,
                                           .interrupted = [this] { return budget_.interrupted(); }};
    bool const exactly =
        options_.exact == Toggle::on && options_.exactNumbers != ExactNumbers::doubles;
    std::optional<readers::KeepsFractions> keeps;
    if (exactly) keeps.emplace(fractions_);
    try {
      readers::ReadResult problem = readers::read(arguments_.file, readOptions);
      for (std::string const& sentence : problem.notices) notice(sentence);
      if (problem.decimals && options_.exact == Toggle::on &&
          options_.exactNumbers == ExactNumbers::automatic)
        options_.exactNumbers = ExactNumbers::decimals;
      solver_.load(std::move(problem.lp));
    } catch (readers::ReadInterrupted const&) {
      result_.solution.status = interrupted() ? Status::interrupted : Status::timeLimit;
      result_.seconds.read = watch_.seconds();
      notice("The end came while the file was read: there is no point to report.");
      return false;
    }
    result_.problem = &solver_.problem();
    result_.seconds.read = watch_.seconds();
    std::string const relaxed = relaxedIn(solver_.problem()).text("--integers");
    if (!relaxed.empty() && !arguments_.integers) notice(concat("Relaxed: ", relaxed, "."));
    log_.detail(concat("Read in ", result_.seconds.read, " s."));
    return true;
  }

  /// The objectives of --objective: one takes the place of the problem's, several make ranks.
  void readRanks() {
    AnalysisArguments const& asked = arguments_.analysis;
    if (asked.objectives.empty()) return;
    ranks_ = readObjectives(asked.objectives, parseLoss(asked.loss, "--loss"), solver_.problem(),
                            [this](std::string const& text) { notice(text); });
    RankedObjective const& first = ranks_.front();
    solver_.setSense(first.sense);
    solver_.setObjective(first.costs);
    solver_.setObjectiveOffset(first.offset);
    if (ranks_.size() == 1) return;
    refuseGiven({{"--ranging", !asked.ranging.empty()},
                 {"--start", !arguments_.start.empty()},
                 {"--proof", !arguments_.proof.empty()},
                 {"--exact on", options_.exact == Toggle::on},
                 {"--checkpoint", !arguments_.checkpoint.empty()},
                 {"--resume", !arguments_.resume.empty()},
                 {"--trace", !arguments_.trace.empty()}},
                concat(" is for one objective, there are ", ranks_.size()));
  }

  /// Takes up what --resume names, and gets the checkpoints going.
  void resume() {
    if (arguments_.integers) return resumeSearch();
    std::optional<readers::SavedSolve> saved;
    if (!arguments_.resume.empty()) {
      saved = readers::readCheckpoint(arguments_.resume, solver_.problem());
      solver_.setBasis(saved->basis);
      if (options_.algorithm == AlgorithmChoice::automatic)
        options_.algorithm = saved->algorithm == SolveAlgorithm::primal ? AlgorithmChoice::primal
                                                                        : AlgorithmChoice::dual;
      result_.before = {saved->iterations, saved->seconds};
      if (saved->status)
        notice(concat("The checkpoint is of a solve that ended with the status ",
                      toString(*saved->status), "; this one starts where it ended."));
    }
    if (checkpoint_) checkpoint_->begin(solver_.problem(), saved ? &*saved : nullptr);
  }

  void resumeSearch() {
    LinearProgram const& lp = solver_.problem();
    if (!arguments_.resume.empty()) {
      try {
        savedSearch_ =
            search::readSavedSearch(readers::LineSource::ofFile(arguments_.resume).takeBytes(), lp);
      } catch (std::invalid_argument const& error) {
        throw Failure(ExitStatus::badInput, arguments_.resume + ": " + error.what());
      }
      result_.before = {savedSearch_->iterations, savedSearch_->seconds};
    }
    if (checkpoint_) checkpoint_->begin(lp, nullptr);
  }

  void solve() {
    IntegerCallbacks callbacks;
    if (checkpoint_ && !arguments_.integers) {
      callbacks.checkpointDue = [this] { return checkpoint_->due(); };
      callbacks.checkpoint = [this](Checkpoint const& state) { checkpoint_->write(state); };
    }
    callbacks.interrupted = [] { return interrupted(); };
    callbacks.progress = [this](Progress progress) {
      if (result_.before) progress.iterations += result_.before->iterations;
      log_.progress(progress);
    };
    callbacks.notice = [this](std::string const& sentence) {
      sentence.starts_with(translationWords) ? log_.notice(sentence) : log_.detail(sentence);
      keep(sentence);
    };
    callbacks.plan = [this](PlanChoice const& choice) { log_.detail(sentenceOf(choice)); };
    if (trace_) callbacks.trace = [this](TraceEvent const& event) { trace_->write(event); };
    Stopwatch const watch;
    if (ranks_.size() > 1) {
      RankedSolution ranked = solveByRank(
          solver_.problem(), ranks_, withinBudget(options_, budget_), callbacks, solver_.basis());
      result_.sections.push_back(ranksSection(ranks_, ranked));
      result_.solution = std::move(ranked.solution);
    } else if (arguments_.integers) {
      searchIntegers(callbacks);
    } else {
      result_.solution =
          solveExactly(solver_, withinBudget(options_, budget_), callbacks, fractions_);
      if (arguments_.json || !arguments_.solution.empty())
        solver_.enclose(result_.solution, [this] { return budget_.interrupted(); });
    }
    if (std::string const fault = machineFault(); !fault.empty()) notice(fault);
    budget_.spend(result_.solution.iterations + result_.solution.barrierIterations);
    result_.seconds.solve = watch.seconds();
    Solution const& solution = result_.solution;
    bool const unknown = hasObjective(result_) &&
                         std::isinf(solution.objectiveEnclosure.errorOf(solution.objective));
    std::string stages;
    for (StageSeconds const& took : solution.plan.stages)
      stages +=
          concat(stages.empty() ? "Stages: " : ", ", took.stage, ' ', brief(took.seconds), " s");
    if (!stages.empty()) log_.detail(stages + '.');
    if (unknown)
      log_.detail(
          "No bound on the error of the objective is known; --enclose on may find one, --exact on "
          "proves the objective.");
  }

  void searchIntegers(IntegerCallbacks& callbacks) {
    callbacks.search = [this](SearchProgress const& at) { log_.progress(at); };
    callbacks.incumbent = [this](SearchProgress const& at, std::span<double const>) {
      log_.detail("Incumbent: " + progressLine(at));
    };
    LinearProgram const& lp = solver_.problem();
    if (checkpoint_) {
      callbacks.saveDue = [this] { return checkpoint_->due(); };
      callbacks.saved = [this, &lp](search::SavedSearch const& now) {
        checkpoint_->write(search::textOf(now, lp));
      };
    }
    std::vector<double> start;
    if (!arguments_.start.empty()) {
      start = readers::readStart(arguments_.start, lp).x;
      if (start.empty() && lp.columns() > 0)
        throw Failure(ExitStatus::badInput, arguments_.start + ": there are no values of columns");
    }
    callbacks.tree = proof_.beginTree();
    IntegerSolution found;
    try {
      found = solveIntegers(lp, withinBudget(options_, budget_), callbacks, start, solver_.basis(),
                            savedSearch_ ? &*savedSearch_ : nullptr);
    } catch (std::invalid_argument const& error) {
      if (!savedSearch_) throw Failure(ExitStatus::usage, error.what());
      throw Failure(ExitStatus::badInput, arguments_.resume + ": " + error.what());
    }
    proof_.endTree();
    result_.sections.push_back(searchSection(found));
    result_.solution = std::move(found.solution);
  }

  void writeFiles() {
    if (!result_.problem) return;
    LinearProgram const& lp = solver_.problem();
    Solution const& solution = result_.solution;
    if (!arguments_.basisOut.empty() && ranks_.size() > 1 && solution.basis.empty()) {
      notice("The point is no vertex of the problem: " + arguments_.basisOut + " is not written.");
    } else if (!arguments_.basisOut.empty()) {
      writeTextFile(arguments_.basisOut, readers::writeBasisText(lp, solution.basis));
    }
    std::optional<std::string> const failing = trace_ ? trace_->basisPath() : std::nullopt;
    if (failing && solution.status == Status::numerical && !solution.basis.empty())
      writeTextFile(*failing, readers::writeBasisText(lp, solution.basis));
    if (std::string const& path = arguments_.solution; !path.empty())
      writeTextFile(path,
                    readers::writeSolutionText(lp, solution, readers::solutionFormatForName(path)));
  }

  ExitStatus writeProof() {
    if (!result_.problem) return ExitStatus::optimal;
    double const limit = solverOptions(arguments_.optionTexts).timeLimit;
    return proof_.write(solver_.problem(), result_.solution, options_.exactNumbers, fractions_,
                        [this, limit] { return interrupted() || watch_.seconds() > limit; });
  }

  ExitStatus analysed() {
    if (!result_.problem) return exitStatusOf(result_.solution.status);
    return analyse(arguments_.analysis,
                   {solver_, options_, budget_, interrupted,
                    [this](std::string const& text) { notice(text); }, result_});
  }

  Stopwatch const watch_;
  SolveArguments const& arguments_;
  Options options_;
  Budget budget_;
  DeviceOpening opening_;
  Log log_;
  ProofFile proof_;
  std::optional<search::SavedSearch> savedSearch_;  ///< of --resume
  std::optional<TraceFile> trace_;
  std::optional<CheckpointFile> checkpoint_;
  Result result_;
  bool again_ = false;  ///< after the loss of a device, as a new process
  Solver solver_;
  rational::Meanings fractions_{true};  ///< of the file, where exact proofs are of its numbers
  std::vector<RankedObjective> ranks_;  ///< of --objective
};

}  // namespace

Run setUpSolve(CLI::App& app) {
  auto const arguments = std::make_shared<SolveArguments>();
  addSolveArguments(app, *arguments);
  return [arguments] {
    auto run = std::make_unique<SolveRun>(*arguments);
    ExitStatus const status = run->run();
    if (run->usedDevice()) {
      static_cast<void>(run.release());  // goes with the process
      endQuickly();
    }
    return status;
  };
}

}  // namespace osi_cuda::cli
