// SPDX-License-Identifier: EPL-2.0
#include "cli/regress.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>

#include "cli/answer_lines.hpp"
#include "cli/command.hpp"
#include "cli/compare.hpp"
#include "cli/interrupt.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "readers/read.hpp"
#include "shell/output_file.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {

using namespace shell;

namespace {

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::optional<double> finiteOnly(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// `run`: what is known before the solve.
RunRecord recordOf(Answer const& answer, RunRecord run) {
  Solution const& solution = answer.solution;
  run.solver = answer.solver;
  run.version = answer.version;
  run.algorithm = answer.algorithm;
  run.engine = toString(solution.engine);
  run.device = solution.device;
  run.status = answer.verdict == Verdict::skipped ? "skipped" : toString(solution.status);
  run.verdict = toString(answer.verdict);
  run.proved = answer.proved;
  run.iterations = solution.iterations;
  run.seconds = solution.seconds;
  run.message = answer.reason;
  if (solution.status == Status::optimal && answer.verdict != Verdict::skipped) {
    run.objective = finiteOnly(solution.objective);
    run.primal = finiteOnly(solution.residuals.primal);
    run.dual = finiteOnly(solution.residuals.dual);
    run.complementarity = finiteOnly(solution.residuals.complementarity);
  }
  return run;
}

/// Instances spread over threads; what they find goes through one mutex into the database and onto
/// the streams.
struct Regression {
  ExitStatus run() {
    for (Contestant const& contestant : contestants_) contestant.bridge->open(contestant.algorithm);
    batch::runWorkers(request_.jobs, instances_.size(), [this](std::size_t k, int) {
      if (!stopping()) work(instances_[k]);
    });
    return summary();
  }

  static std::vector<Instance> instancesOf(RegressRequest const& request) {
    Part const part = parsePart(request.part);
    std::vector<Instance> chosen = readInstanceList(request.list);
    std::size_t k = 0;
    std::erase_if(chosen, [&](Instance const&) { return !part.has(k++); });
    return chosen;
  }

  std::int64_t batchOf(RegressRequest const& request) {
    std::string const command = request.list + " --with " + request.with +
                                (request.part.empty() ? "" : " --part " + request.part);
    std::int64_t const last = request.carryOn ? database_.lastBatch(command) : 0;
    return last > 0 ? last : database_.beginBatch(command);
  }

  /// Whether the batch has the runs of all contestants already.
  bool isFinished(RunRecord run) {
    return std::ranges::all_of(contestants_, [&](Contestant const& contestant) {
      run.solver = contestant.bridge->name();
      run.algorithm = contestant.algorithm;
      return database_.has(run);
    });
  }

  bool stopping() const { return request_.options.interrupted && request_.options.interrupted(); }

  /// A file that can't be read does not end the others; anything else does.
  void work(Instance const& instance) {
    try {
      solve(instance);
    } catch (readers::ReadInterrupted const&) {
      return;
    } catch (...) {
      FailureReport const failure = report(std::current_exception());
      if (failure.status != ExitStatus::badInput && failure.status != ExitStatus::noInput) throw;
      std::lock_guard const lock(mutex_);
      log_ << instance.name << ": " << failure.line << '\n';
      ++unreadable_;
    }
  }

  void solve(Instance const& instance) {
    RunRecord known;
    known.batch = batch_;
    known.host = host_;
    known.options = request_.optionText;
    known.instance = instance.name;
    known.checksum = checksumOf(instance.file);
    if (request_.carryOn) {
      std::lock_guard const lock(mutex_);
      if (isFinished(known)) {
        started_ += contestants_.size();
        return;
      }
    }
    auto const& stop = request_.options.interrupted;
    LinearProgram const lp = readers::read(instance.file.string(), {.interrupted = stop}).lp;
    double const cells = static_cast<double>(lp.rows()) * lp.columns();
    if (cells < request_.minCells || cells > request_.maxCells) {
      std::lock_guard const lock(mutex_);
      started_ += contestants_.size();
      return;
    }
    std::string const relaxed = relaxedIn(lp).text("solve --integers");
    ComparisonOptions options = request_.options;
    options.finished = [&](Answer const& answer) { progress(instance, answer); };
    Comparison const comparison = compareSolvers(lp, contestants_, options);
    std::lock_guard const lock(mutex_);
    if (!relaxed.empty()) ++relaxed_;
    for (auto const& answer : comparison.answers) {
      if (answer.solution.status == Status::interrupted && answer.verdict == Verdict::stopped)
        continue;
      RunRecord run = recordOf(answer, known);
      if (request_.carryOn && database_.has(run)) continue;
      if (!relaxed.empty())
        run.message += (run.message.empty() ? "relaxed: " : "; relaxed: ") + relaxed;
      run.rows = lp.rows();
      run.columns = lp.columns();
      run.nonzeros = lp.matrix.nonzeros();
      settle(run, instance);
    }
  }

  void progress(Instance const& instance, Answer const& answer) {
    std::lock_guard const lock(mutex_);
    std::size_t const total = instances_.size() * contestants_.size();
    bool const skipped = answer.verdict == Verdict::skipped;
    log_ << '[' << ++started_ << '/' << total << "] " << instance.name << ' ' << answer.label()
         << ": " << (skipped ? "skipped" : toString(answer.solution.status)) << ", "
         << answer.solution.iterations << " iterations, " << shortNumber(answer.solution.seconds, 3)
         << " s" << std::endl;
  }

  void settle(RunRecord const& run, Instance const& instance) {
    auto changes = faultsOf(run, instance, request_.limits);
    if (auto const before = database_.previous(run)) {
      auto const since = changesSince(*before, run, request_.limits);
      changes.insert(changes.end(), since.begin(), since.end());
    } else {
      ++fresh_;
    }
    database_.store(run);
    ++stored_;
    for (auto const& change : changes) {
      out_ << (change.regression ? "REGRESSION " : "change     ") << run.instance << ' '
           << run.label() << ": " << change.text << std::endl;
      ++(change.regression ? regressions_ : improvements_);
    }
  }

  ExitStatus summary() {
    bool const stopped = stopping();
    out_ << stored_ << " runs stored in " << request_.database << ", " << fresh_
         << " without an earlier one, " << regressions_ << " regressions, " << improvements_
         << " other changes";
    if (relaxed_ > 0) out_ << ", " << relaxed_ << " files relaxed to continuous columns";
    if (unreadable_ > 0) out_ << ", " << unreadable_ << " files not read";
    out_ << (stopped ? ", interrupted\n" : "\n");
    if (regressions_ > 0) return ExitStatus::disagreement;
    if (unreadable_ > 0) return ExitStatus::badInput;
    return stopped ? ExitStatus::stopped : ExitStatus::optimal;
  }

  RegressRequest const& request_;
  std::vector<BridgePointer> const& solvers_;
  std::ostream& out_;
  std::ostream& log_;
  std::vector<Contestant> contestants_ = parseContestants(request_.with, solvers_);
  std::vector<Instance> instances_ = instancesOf(request_);
  RunDatabase database_{request_.database, RunDatabase::Mode::write};
  std::int64_t batch_ = batchOf(request_);
  std::string host_ = hostName();

  std::mutex mutex_ = {};  ///< guards everything below, the database and the streams
  std::size_t started_ = 0;
  int stored_ = 0, fresh_ = 0, regressions_ = 0, improvements_ = 0, unreadable_ = 0, relaxed_ = 0;
};

void addLimits(CLI::App& app, RegressionLimits& limits) {
  addValue(app, "--objective-tolerance", limits.objectiveTolerance, "NUMBER",
           CLI::NonNegativeNumber, "relative difference of objectives that counts [1e-6]");
  addValue(app, "--iteration-factor", limits.iterationFactor, "1 to 1e6", CLI::Range(1.0, 1e6),
           "times as many iterations that count as a regression [1.5]");
  addValue(app, "--time-factor", limits.timeFactor, "1 to 1e6", CLI::Range(1.0, 1e6),
           "times as many seconds, on one host, that count as a regression [2]");
  addValue(app, "--seconds-more", limits.secondsMore, "NUMBER", CLI::NonNegativeNumber,
           "seconds below which a slowdown does not count [0.1]");
}

/// This solver comes first, by both algorithms, unless the list names it itself, as in compare.
std::string withOwn(std::string const& with) {
  if ((',' + with).find(",osi_cuda") != with.npos) return with;
  RegressRequest const standard;
  return with.empty() ? standard.with : standard.with + ',' + with;
}

/// The solver options that differ from their defaults, as they were given.
std::string givenOptions(CLI::App const& app) {
  std::string text;
  for (CLI::Option const* option : app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    std::string const& name = option->get_lnames().front();
    if (!findOption(name) && name != "peer-presolve") continue;
    text += (text.empty() ? "--" : " --") + name + ' ' + option->as<std::string>();
  }
  return text;
}

bool agree(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

std::string fromTo(std::string const& what, std::string const& before, std::string const& now) {
  return what + ' ' + before + " -> " + now;
}

/// A quantity of which less is better; nothing when the limits call it equal.
void compareAmount(std::vector<Change>& changes, std::string const& what, double before, double now,
                   double factor, double more) {
  bool const worse = now > factor * before && now >= before + more;
  bool const better = before > factor * now && before >= now + more;
  constexpr int digits = 4;
  if (worse || better)
    changes.push_back({worse, fromTo(what, shortNumber(before, digits), shortNumber(now, digits))});
}

void compareStatus(std::vector<Change>& changes, RunRecord const& before, RunRecord const& now) {
  if (before.status == now.status) return;
  // A run that found nothing and now does has improved; everything else has to be looked at.
  bool const improved = !isClaim(before.status) && isClaim(now.status);
  changes.push_back({!improved, fromTo("status", before.status, now.status)});
}

}  // namespace

ExitStatus regress(RegressRequest const& request, std::vector<BridgePointer> const& solvers,
                   std::ostream& out, std::ostream& log) {
  return Regression{request, solvers, out, log}.run();
}

Run setUpMerge(CLI::App& app) {
  struct Request {
    std::string database;
    std::vector<std::string> parts;
  };
  auto const request = std::make_shared<Request>();
  addArgument(app, "DATABASE", request->database, "SQLite file, made if it is missing");
  addArgument(app, "PART", request->parts, "SQLite files of osi-cuda regress");
  return [request] {
    RunDatabase database(request->database, RunDatabase::Mode::write);
    for (std::string const& part : request->parts) {
      std::error_code unknown;
      if (std::filesystem::equivalent(part, request->database, unknown))
        throw Failure(ExitStatus::usage, "merge: a database can't take its own runs");
      database.add(part);
    }
    return ExitStatus::optimal;
  };
}

Run setUpRegress(CLI::App& app) {
  auto const request = std::make_shared<RegressRequest>();
  auto const texts = std::make_shared<std::vector<std::string>>();
  addArgument(app, "LIST", request->list, "CSV list of instances");
  addValue(app, "--database", request->database, "FILE", "SQLite file, made if it is missing")
      ->required();
  addValue(app, "--with", request->with, "LIST",
           "solvers, as osi_cuda@host/dual,osi_cuda@cuda/all,clp; this one comes first "
           "where it is not named [osi_cuda/primal,osi_cuda/dual]");
  addValue(app, "--part", request->part, "I/N",
           "I/N: every N-th instance from the I-th on, for one of N machines");
  app.add_flag("--continue", request->carryOn,
               "finish the last run of the same command: instances that have all their runs are "
               "not solved again");
  addValue(app, "--min-cells", request->minCells, "NUMBER",
           "instances of that many rows x columns [0]");
  addValue(app, "--max-cells", request->maxCells, "NUMBER",
           "instances of no more than that many [inf]");
  app.add_flag("--peer-presolve", request->options.presolve,
               "clp and highs may use their presolve");
  addValue(app, "--jobs", request->jobs, "1 to 4096", CLI::Range(1, 4096),
           "instances solved at the same time [1]");
  addLimits(app, request->limits);
  addSolverOptions(app, *texts, ListedIn::helpOfSolve);
  return [request, texts, &app] {
    Options own = solverOptions(*texts);
    if (own.deviceLoss == DeviceLoss::automatic) own.deviceLoss = DeviceLoss::stop;
    request->options.timeLimit = own.timeLimit;
    request->options.threads = own.threads;
    request->options.objectiveTolerance = request->limits.objectiveTolerance;
    request->options.interrupted = interrupted;
    request->optionText = givenOptions(app);
    request->with = withOwn(request->with);
    checkDistinct({{"LIST", request->list}}, {{"--database", request->database}});
    catchInterrupts();
    try {
      return askingOthers([&] { return regress(*request, allSolvers(own), std::cout, std::cerr); });
    } catch (DeviceLost const& lost) {
      throw Failure(ExitStatus::unavailable,
                    std::string(lost.what()) + "; what is left can be solved with --continue");
    }
  };
}

std::vector<Change> changesSince(RunRecord const& before, RunRecord const& now,
                                 RegressionLimits const& limits) {
  std::vector<Change> changes;
  if (now.status == "skipped" && before.status == "skipped") return changes;
  compareStatus(changes, before, now);
  if (before.status != now.status) return changes;
  constexpr int digits = 12;
  if (before.objective && now.objective &&
      !agree(*now.objective, *before.objective, limits.objectiveTolerance))
    changes.push_back({true, fromTo("objective", shortNumber(*before.objective, digits),
                                    shortNumber(*now.objective, digits))});
  if (before.proved && !now.proved) changes.push_back({true, "no longer proved"});
  if (!before.proved && now.proved) changes.push_back({false, "now proved"});
  if (!isClaim(now.status)) return changes;  // stopped by a limit: amounts say nothing
  compareAmount(changes, "iterations", static_cast<double>(before.iterations),
                static_cast<double>(now.iterations), limits.iterationFactor,
                static_cast<double>(limits.iterationsMore));
  if (before.host == now.host && before.device == now.device)
    compareAmount(changes, "seconds", before.seconds, now.seconds, limits.timeFactor,
                  limits.secondsMore);
  return changes;
}

std::vector<Change> faultsOf(RunRecord const& now, Instance const& expected,
                             RegressionLimits const& limits) {
  std::vector<Change> faults;
  if (now.verdict == "wrong" || now.verdict == "disputed")
    faults.push_back({true, now.verdict + ": " + now.message});
  if (!isClaim(now.status)) return faults;
  if (!expected.status.empty() && expected.status != now.status) {
    faults.push_back({true, "status " + now.status + ", the list states " + expected.status});
  } else if (expected.objective && now.objective &&
             !agree(*now.objective, *expected.objective, limits.objectiveTolerance)) {
    constexpr int digits = 12;
    faults.push_back({true, "objective " + shortNumber(*now.objective, digits) +
                                ", the list states " + shortNumber(*expected.objective, digits)});
  }
  return faults;
}

}  // namespace osi_cuda::cli
