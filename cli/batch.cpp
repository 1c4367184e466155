// SPDX-License-Identifier: EPL-2.0
// Many problems in one call: the files of a list, or variants of one model.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>

#include "cli/answer_lines.hpp"
#include "cli/command.hpp"
#include "cli/instance_list.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "cli/result.hpp"
#include "cli/variants.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

struct Arguments {
  std::string file;
  std::string changes, results, part, output;
  std::vector<std::string> known;
  std::vector<std::string> optionTexts;
  double totalTimeLimit = std::numeric_limits<double>::infinity();
  int jobs = 0;
  bool values = false;
  bool quiet = false;
};

/// Of two exit statuses of problems the one that the whole batch has: a fault of a file, then no
/// proof, then a limit, then no optimum.
ExitStatus worse(ExitStatus a, ExitStatus b) {
  auto const rank = [](ExitStatus status) {
    int const value = static_cast<int>(status);
    constexpr int faults = static_cast<int>(ExitStatus::usage);
    return value < faults ? value : faults;
  };
  return rank(b) > rank(a) ? b : a;
}

class BatchCommand {
 public:
  explicit BatchCommand(Arguments const& arguments)
      : arguments_(arguments),
        options_(solverOptions(arguments.optionTexts)),
        log_(arguments.quiet ? Verbosity::quiet : Verbosity::normal),
        part_(parsePart(arguments.part)) {
    bool const whole =
        arguments.part.empty() && arguments.output.empty() && arguments.known.empty();
    if (!whole && !arguments.results.empty())
      throw Failure(ExitStatus::usage,
                    "--results takes a whole batch: not with --part, --output or --known");
    again_ = beginsAgain(options_, !arguments.output.empty());  // what it has is not solved again
    if (options_.engine == EngineChoice::automatic) options_.engine = EngineChoice::host;
    bool const onHost = options_.engine == EngineChoice::host;
    if (onHost && !options_.devices.empty())
      throw Failure(ExitStatus::usage, "--devices goes with --engine cuda");
    if (!onHost) devices_ = devicesOf(options_);
    int const all = onHost ? batch::allThreads() : static_cast<int>(devices_.size());
    jobs_ = arguments.jobs > 0 ? arguments.jobs : all;
    if (options_.threads == 0 && onHost) options_.threads = 1;
  }

  ExitStatus run() {
    try {
      return solveAndReport();
    } catch (DeviceLost const& lost) {
      if (again_) beginAgain(lost.what(), watch_.seconds());
      throw;
    }
  }

 private:
  ExitStatus solveAndReport() {
    catchInterrupts();
    if (!predecessor().notice.empty()) log_.notice(predecessor().notice);
    if (!devices_.empty())
      if (std::string const text = translationNotice(devices_.front()); !text.empty())
        log_.notice(text);
    std::vector<Instance> instances;
    if (arguments_.changes.empty()) instances = readInstanceList(arguments_.file);
    checkFiles(instances);
    if (!arguments_.output.empty()) output_ = std::make_unique<AnswerFile>(arguments_.output);
    for (std::string const& file : arguments_.known) known_.read(file);
    if (arguments_.changes.empty()) {
      openArrays(instances.size(), 0, 0);
      begin(instances.size(),
            [&](std::size_t k) { return std::pair("file", instances[k].file.string()); });
      return solveAll([&](std::size_t k, int worker) { return solveFile(instances[k], worker); });
    }
    return solveVariants();
  }

  void checkFiles(std::vector<Instance> const& instances) const {
    std::vector<NamedFile> inputs{{"LIST", arguments_.file}, {"--changes", arguments_.changes}};
    for (Instance const& one : instances) inputs.push_back({"a file of LIST", one.file.string()});
    for (std::string const& file : arguments_.known)
      inputs.push_back({"--known", file, arguments_.output});
    checkDistinct(inputs, {{"--output", arguments_.output}, {"--results", arguments_.results}});
    if (!arguments_.results.empty()) checkWritable(arguments_.results);
  }

  using Label = std::function<std::pair<char const*, std::string>(std::size_t k)>;
  double secondsLeft() const {
    return arguments_.totalTimeLimit - watch_.seconds() - predecessor().seconds;
  }
  bool outOfTime() const { return secondsLeft() < 0.0; }
  readers::ReadOptions reading() const {
    return {.infiniteFrom = options_.infiniteFrom,
            .interrupted = [this] { return interrupted() || outOfTime(); }};
  }

  ExitStatus solveVariants() {
    LinearProgram lp;
    try {
      readers::ReadResult problem = readers::read(arguments_.file, reading());
      for (std::string const& sentence : problem.notices) log_.notice(sentence);
      lp = std::move(problem.lp);
    } catch (readers::ReadInterrupted const&) {
      log_.notice("The end came while the model was read: there is nothing to report.");
      return ExitStatus::stopped;
    }
    LargeBounds large(options_.infiniteFrom);
    Variants const variants = readVariants(arguments_.changes, lp, large);
    if (std::string const text = large.notice(); !text.empty()) log_.notice(text);
    openArrays(variants.names.size(), at(lp.columns()), at(lp.rows()));
    begin(variants.names.size(),
          [&](std::size_t k) { return std::pair("name", variants.names[k]); });
    Solver root(lp);
    Solution const solution = root.solve(limited(), watched());
    log_.notice(concat("the model itself: ", toString(solution.status), ", ", solution.iterations,
                       " iterations"));
    Basis const basis = root.basis();
    if (honoured()) return solveTogether(variants, lp, basis);
    // Each from the model's basis by itself: what others did before leaves no trace.
    auto const solve = [&](std::size_t k, int worker) {
      Solver solver(applied(lp, changesOf(variants.changes.view(), k)));
      solver.setBasis(basis);
      return answerOf(solver, worker);
    };
    return solveAll(solve);
  }

  /// Which of `count` problems are to be solved; label(k) is a key and a text that tell which k is.
  /// Answers that are known already are put out.
  void begin(std::size_t count, Label label) {
    label_ = std::move(label);
    lines_ = std::make_unique<OrderedLines>((count + part_.of - part_.number) / part_.of);
    for (std::size_t k = part_.number - 1; k < count; k += part_.of) {
      std::string const name = label_(k).second;
      FinishedAnswers::Answer const* const written =
          output_ ? output_->finished().find(k, name) : nullptr;
      FinishedAnswers::Answer const* const answer = written ? written : known_.find(k, name);
      if (!answer) {
        left_.push_back(k);
        continue;
      }
      all_ = worse(all_, exitStatusOf(answer->status));
      if (!written) putLine(k, answer->line);
    }
    log_.notice(concat(left_.size(), " problems, up to ", jobs_, " at a time"));
  }

  /// Any thread may call.
  void putLine(std::size_t k, std::string const& line) {
    if (output_)
      output_->add(line);
    else
      lines_->put(k / part_.of, line);
  }
  void put(std::size_t k, BatchAnswer const& answer) {
    auto const& status = answer.json.at("status");
    bool const cut =
        status == toString(Status::timeLimit) || status == toString(Status::interrupted);
    auto const [key, label] = label_(k);
    if (!output_ || !cut) putLine(k, answer.line(k, key, label));
    if (arrays_) arrays_->put(k, label, answer);
    std::lock_guard const lock(mutex_);
    all_ = worse(all_, answer.status);
  }

  /// The file of results, if one is wanted.
  void openArrays(std::size_t count, std::size_t columns, std::size_t rows) {
    bool const points = arguments_.values;
    if (!arguments_.results.empty())
      arrays_ = std::make_unique<ResultArrays>(arguments_.results, count, points ? columns : 0,
                                               points ? rows : 0);
  }

  /// Whether batches honour all options that were chosen; else each variant is for the ordinary
  /// solver.
  bool honoured() const {
    BatchOptions options;
    static_cast<Options&>(options) = options_;
    return findFault(options).empty();
  }

  /// All variants on the common tableau of that basis, some thousands at a time.
  ExitStatus solveTogether(Variants const& variants, LinearProgram const& lp, Basis const& basis) {
    constexpr std::size_t together = 4096;
    std::size_t const count = left_.size();
    VariantSolver solver(lp, basis);
    VariantOptions options(options_);
    options.threads = jobs_;
    options.problemTimeLimit = options_.timeLimit;
    options.points = arguments_.values;
    BatchCallbacks callbacks;
    callbacks.interrupted = [] { return interrupted(); };
    BatchResults results;
    Stopwatch shown;
    for (std::size_t first = 0; first < count; first += together) {
      std::span<std::size_t const> const chosen(left_.data() + first,
                                                std::min(together, count - first));
      PackedVariants part;
      for (std::size_t const k : chosen) part.add(changesOf(variants.changes.view(), k));
      callbacks.progress = [&](std::size_t done, std::size_t) { show(first + done, count, shown); };
      options.timeLimit = std::max(0.0, secondsLeft());
      solver.solve(part.view(), options, results, callbacks);
      for (std::size_t place = 0; place < chosen.size(); ++place)
        put(chosen[place], BatchAnswer::ofVariant(lp, results, place, arguments_.values));
      lines_->write(std::cout);
    }
    return end();
  }
  ExitStatus end() {
    lines_->write(std::cout);
    if (arrays_) arrays_->write();
    return all_;
  }

  /// Tells of progress every five seconds.
  void show(std::size_t done, std::size_t count, Stopwatch& shown) {
    constexpr double interval = 5.0;
    if (shown.seconds() < interval) return;
    shown = {};
    log_.notice(concat(done, " of ", count, " problems solved"));
  }

  Options limited() const {
    Options options = options_;
    options.timeLimit = std::max(0.0, std::min(options.timeLimit, secondsLeft()));
    return options;
  }
  static Callbacks watched() {
    Callbacks callbacks;
    callbacks.interrupted = [] { return interrupted(); };
    return callbacks;
  }

  BatchAnswer solveFile(Instance const& instance, int worker) {
    Solver solver(readers::read(instance.file.string(), reading()).lp);
    return answerOf(solver, worker);
  }

  BatchAnswer answerOf(Solver& solver, int worker) {
    Stopwatch const watch;
    Options options = limited();
    options.devices.clear();
    if (!devices_.empty()) options.device = devices_[at(worker) % devices_.size()];
    if (lost_) options.engine = EngineChoice::host;
    Solution s;
    try {
      s = solver.solve(options, watched());
    } catch (EngineUnavailable const&) {
      if (!served_) throw;  // where there was a device, another solve has lost it
      options.engine = EngineChoice::host;
      s = solver.solve(options, watched());
      s.deviceLost = true;
    }
    if (isDevice(options.engine)) served_ = true;
    if (s.deviceLost && !lost_.exchange(true))
      log_.notice("a device was lost; continuing with engine host");
    double const seconds = watch.seconds();
    bool const point = s.status != Status::infeasible && s.status != Status::unbounded;
    return BatchAnswer::of(solver.problem(), std::move(s), point, point, arguments_.values,
                           seconds);
  }

  /// solve(k, worker) answers problem k or throws.
  template <class Solve>
  ExitStatus solveAll(Solve solve) {
    std::size_t const count = left_.size();
    std::vector<char> answered(count, 0);
    auto const work = [&](std::size_t item, int worker) {
      std::size_t const k = left_[item];
      try {
        BatchAnswer const answer = solve(k, worker);
        answered[item] = 1;
        put(k, answer);
      } catch (readers::ReadInterrupted const&) {
        // Its line is written below, with those of the problems that nobody came to.
      } catch (DeviceLost const&) {
        throw;
      } catch (...) {
        if (answered[item]) throw;  // the answer could not be put out
        FailureReport const failure = report(std::current_exception());
        answered[item] = 1;
        put(k, BatchAnswer::failed(failure.line, failure.status));
      }
    };
    Stopwatch shown;
    batch::runWorkers(jobs_, count, work, [&](std::size_t done) {
      lines_->write(std::cout);
      show(done, count, shown);
      return interrupted() || outOfTime();
    });
    nlohmann::ordered_json const cut{
        {"status", toString(interrupted() ? Status::interrupted : Status::timeLimit)},
        {"iterations", 0}};
    for (std::size_t item = 0; item < count; ++item)
      if (!answered[item]) put(left_[item], {cut, ExitStatus::stopped});
    return end();
  }

  Stopwatch const watch_;
  Arguments const& arguments_;
  Options options_;
  Log log_;
  Part const part_;
  std::vector<int> devices_;  ///< that workers take in turn
  int jobs_ = 1;
  std::atomic<bool> served_ = false, lost_ = false;  ///< a device, in this process
  bool again_ = false;  ///< after the loss of a device, as a new process
  std::unique_ptr<ResultArrays> arrays_;
  std::unique_ptr<AnswerFile> output_;  ///< in place of standard output
  FinishedAnswers known_;
  Label label_;
  std::vector<std::size_t> left_;        ///< to be solved, ascending
  std::unique_ptr<OrderedLines> lines_;  ///< of the part
  ExitStatus all_ = ExitStatus::optimal;
  std::mutex mutex_;  ///< of all_
};

}  // namespace

Run setUpBatch(CLI::App& app) {
  auto const arguments = std::make_shared<Arguments>();
  addArgument(app, "LIST", arguments->file,
              "CSV list of files, as for regress; with --changes the model");
  addValue(app, "--changes", arguments->changes, "FILE",
           "CSV file with a variant of the model, or a change, in each line; or arrays "
           "(.npz) with a leading dimension of variants");
  addValue(app, "--results", arguments->results, "FILE",
           "write the answers as arrays (.npz) to this file, too; x and y with --values");
  addValue(app, "--part", arguments->part, "I/N",
           "I/N: every N-th problem from the I-th on, for one of N machines");
  addValue(app, "--output", arguments->output, "FILE",
           "append each answer to this file as soon as it is there, in any order; what it "
           "has from earlier calls is not solved again");
  addValue(app, "--known", arguments->known, "FILE...",
           "files of answers that other calls printed, as those of parts: what they have is "
           "printed, not solved");
  addValue(app, "--jobs", arguments->jobs, "1 to 4096", CLI::Range(1, 4096),
           "problems solved at the same time [all cores; with --engine cuda one a device]");
  addValue(app, "--total-time-limit", arguments->totalTimeLimit, "SECONDS", CLI::NonNegativeNumber,
           "seconds for the whole batch; --time-limit is for each problem");
  app.add_flag("--values", arguments->values,
               "report values of columns and duals of rows that are not zero");
  app.add_flag("--quiet", arguments->quiet, "nothing on standard error");
  addSolverOptions(app, arguments->optionTexts, ListedIn::helpOfSolve);
  return [arguments] { return BatchCommand(*arguments).run(); };
}

}  // namespace osi_cuda::cli
