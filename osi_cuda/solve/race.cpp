// SPDX-License-Identifier: EPL-2.0
// Several algorithms at once, each in a session of its own that shares problem and form; the first
// to prove a status hands over its session. Each has a thread of its own, and the caller is spoken
// to from his. One leads: another begins when it has worked for some time, the rest when it has
// worked for more, so that a small problem has no race. Where counted work decides, the plan's
// choice leads on the caller's thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/base/abandoned.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/device_opening.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {
namespace {

bool byWork(Options const& options) {
  return options.race == RaceChoice::work;
}

/// Bytes that a contestant takes beside the problem and its form.
std::uint64_t bytesOf(Session const& s, Options const& options, Placement const& placement) {
  if (options.engine != EngineChoice::host && placement.device) return 0;  // its engine looks
  ProblemSize size{at(s.lp.rows()), at(s.lp.columns()), 0};
  constexpr std::uint64_t ofFactors = 200;  // by row, column and nonzero: LU, vectors, weights
  std::uint64_t bytes = placement.factors
                            ? ofFactors * (size.rows + size.columns +
                                           static_cast<std::uint64_t>(s.lp.matrix.nonzeros()))
                            : bytesNeeded(size);
  if (options.algorithm == AlgorithmChoice::barrier)  // it counts its sparse factor itself
    bytes += barrierBytes(*s.form, barrierWork(*s.form, 1.0), s.form->full());
  return bytes;
}

/// The contestants, the plan's choice first: as many as there are threads, with their share of
/// those, and as fit into memory. The device makes its choice if the processor can race beside it;
/// where columns are like those of networks it has the interior point method, which needs about as
/// many iterations however degenerate the vertices are.
/// Counted work lets the interior point method alone challenge the plan's choice, unless all are
/// asked for; the primal comes without being asked where there are threads enough.
std::vector<Options> contestants(Attempt const& now) {
  using A = AlgorithmChoice;
  constexpr int manyThreads = 8;
  Options const& asked = now.options;
  int const threads = asked.threads > 0 ? asked.threads : now.placement.known.cores;
  bool const device = now.placement.device,
             both = device && asked.engine == EngineChoice::automatic,
             all = asked.algorithm == A::race || (!byWork(asked) && threads >= manyThreads);
  std::vector<Options> list;
  auto const add = [&](A algorithm, EngineChoice engine) {
    list.push_back(asked);
    list.back().algorithm = algorithm;
    list.back().engine = engine;
    list.back().race = RaceChoice::off;
  };
  bool const degenerate = both && !byWork(asked) && !nearlyDense(shapeOf(now.session.lp)) &&
                          likeNetwork(now.session.lp.matrix);
  if (both) add(degenerate ? A::barrier : A::automatic, EngineChoice::automatic);
  EngineChoice const engine = device && !both ? asked.engine : EngineChoice::host;
  for (A const algorithm : {A::dual, A::barrier, A::primal})
    if (all || algorithm != A::primal) add(algorithm, engine);
  if (asked.threads > 0) list.resize(std::min(list.size(), at(asked.threads)));
  std::optional<std::uint64_t> const available = availableMemory();
  std::uint64_t needed = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    needed += bytesOf(now.session, list[k], now.placement);
    if (k == 0 || !available || needed <= *available) continue;
    now.run.notice("race: " + std::to_string(list.size() - k) + " of " +
                   std::to_string(list.size()) + " algorithms stay out: together they need " +
                   byteCount(needed) + ", " + memoryLeft());
    list.resize(k);
  }
  // Pivots by factors use one thread; the interior point method has the others. By counted work all
  // have the same number, and one where none is named: sums in BLAS may depend on it.
  auto const count = static_cast<int>(list.size());
  for (Options& one : list) {
    if (device && one.engine != EngineChoice::host && asked.threads == 0) continue;
    if (byWork(asked))
      one.threads = asked.threads == 0 ? 1 : std::max(1, threads / count);
    else if (one.algorithm == A::barrier)
      one.threads = std::max(1, threads - count + 1);
    else
      one.threads = now.placement.factors ? 1 : std::max(1, threads / count);
  }
  return list;
}

/// Seconds that a race by time has its first pivots on the processor run alone, and then with the
/// interior point method beside them: often the faster one, while the rest is worth its threads
/// where these two take long.
constexpr double secondsAlone = 0.002, secondsOfTwo = 0.01;

bool isProof(Status status) {
  return status == Status::optimal || status == Status::infeasible || status == Status::unbounded ||
         status == Status::objectiveLimit || status == Status::interior;
}

class Race {
 public:
  explicit Race(Attempt const& now)
      : now_(now), s_(now.session), run_(now.run), byWork_(byWork(now.options)) {
    Shape const shape = shapeOf(s_.lp);
    if (byWork_ && now.options.algorithm != AlgorithmChoice::race)
      lead_ =
          quarterOfBarrierSeconds(machineFor(shape.cells()), static_cast<double>(shape.nonzeros));
  }
  Race(Race const&) = delete;  // threads refer to it
  Race& operator=(Race const&) = delete;
  ~Race() { end(); }

  Solution run() {
    s_.form->formMatrices();
    run_.budget().phases();  // what follows is the winner's account
    for (Options const& options : contestants(now_)) enter(options);
    leader_ = &contestants_.front();
    if (!byWork_)
      for (Contestant& one : contestants_)
        if (one.options.algorithm == AlgorithmChoice::dual) leader_ = &one;
    Session& first = contestants_.front().session;
    first.engine = std::move(s_.engine);
    first.idleDevice = std::move(s_.idleDevice);
    first.idleOptions = s_.idleOptions;
    first.loaded = s_.loaded;
    first.pivotsSinceRefactor = s_.pivotsSinceRefactor;
    s_.forgetEngine();
    if (byWork_)
      solve(*leader_);
    else
      start(*leader_);
    for (bool more = true; more;) {
      serve();
      std::unique_lock lock(mutex_);
      bool const all = begun_ + 1 == contestants_.size();
      changed_.wait_for(lock, std::chrono::milliseconds(all ? 10 : 1),
                        [this] { return running_ == 0; });
      more = running_ > 0 || (!byWork_ && !all && !stop_);
    }
    end();
    serve();
    if (callersError_) std::rethrow_exception(callersError_);
    return decide();
  }

 private:
  struct Contestant {
    Contestant(Session const& s, Options const& asked, Run const& whole,
               std::function<bool(Contestant const&)> const& stop)
        : options(asked),
          session(Session::beside(s)),
          budget(whole.budget().secondsLeft(), whole.budget().iterationsLeft(),
                 [this, stop] { return stop(*this); }) {
      run.goOnFrom(whole);
    }

    Options const options;
    Session session;
    Budget budget;
    Callbacks callbacks;
    Run run{callbacks, budget};
    std::optional<Progress> progress;      ///< not told yet
    std::optional<Checkpoint> checkpoint;  ///< of its end
    std::optional<Solution> solution;
    std::exception_ptr error;
    double work = 0.0;  ///< at its end
    int place = 0;      ///< among those who proved a status, from 1
    bool begun = false;
    std::atomic<bool> ended = false;
    std::thread thread;
  };

  static char const* nameOf(Contestant const& one) {
    if (one.options.engine == EngineChoice::automatic) return "device";
    switch (one.options.algorithm) {
      case AlgorithmChoice::primal:
        return "primal";
      case AlgorithmChoice::dual:
        return "dual";
      default:
        return "barrier";
    }
  }

  void enter(Options const& options) {
    bool const first = contestants_.empty();
    Contestant& one = contestants_.emplace_back(
        s_, options, run_, [this](Contestant const& self) { return hasToStop(self); });
    Callbacks const& told = run_.callbacks();
    std::string const name = std::string("race, ") + nameOf(one) + ": ";
    if (told.notice)
      one.callbacks.notice = [this, name](std::string const& text) {
        post([this, text = name + text] { run_.notice(text); });
      };
    if (told.trace)
      one.callbacks.trace = [this, &one](TraceEvent event) {
        event.fields.emplace_back("contestant", nameOf(one));
        post([this, event = std::move(event)] { run_.callbacks().trace(event); });
      };
    if (told.progress)
      one.callbacks.progress = [this, &one](Progress const& progress) {
        std::lock_guard const lock(mutex_);
        one.progress = progress;
      };
    if (!told.checkpoint) return;
    if (first && told.checkpointDue)
      one.callbacks.checkpointDue = [this] { return checkpointDue_.exchange(false); };
    one.callbacks.checkpoint = [this, &one](Checkpoint const& checkpoint) {
      if (checkpoint.status)
        one.checkpoint = checkpoint;
      else
        post([this, checkpoint] { run_.tell(checkpoint); });
    };
  }

  /// On the contestant's thread, when it polls its budget.
  bool hasToStop(Contestant const& one) {
    if (byWork_ && &one == leader_) serve();
    return stop_.load(std::memory_order_relaxed) ||
           workOf(one) > leastWork_.load(std::memory_order_relaxed);
  }

  /// The challengers' includes what the leader did before they began.
  double workOf(Contestant const& one) const {
    return one.budget.work() + (byWork_ && &one != leader_ ? lead_ : 0.0);
  }

  void solve(Contestant& one) {
    LoopThreads const loops(one.options.threads);
    Abandoned const abandoned(won_);
    try {
      Placement placement = one.session.placement(one.options, one.run);
      if (!byWork_ && placement.device && !openDevice(one)) return;
      one.solution = one.session.withEngine(one.options, placement, one.run, [&] {
        Run::Scope const scope(one.run, SolveStage::pivots);
        return attempt({one.session, one.options, one.run, placement,
                        one.session.method(one.options, one.run), now_.cold});
      });
    } catch (...) {
      if (!won_) one.error = std::current_exception();
    }
    one.work = workOf(one);
    std::lock_guard const lock(mutex_);
    if (!one.solution || !isProof(one.solution->status)) return;
    one.place = ++proofs_;
    if (byWork_)
      leastWork_ = std::min(leastWork_.load(), one.work);
    else
      won_ = stop_ = true;
  }

  /// Waits for the device of a contestant that pivots on one. False: the race is over before.
  bool openDevice(Contestant& one) {
    Session& s = one.session;
    if (s.engine || s.idleDevice) return true;
    EngineOptions wanted = engineOptionsOf(one.options);
    if (!s.devicesLeft.empty()) wanted.device = s.devicesLeft.front();
    s.idleOptions = wanted;
    s.idleDevice = openUnless(
        s.makers.translation, s.makers.device, wanted, [this] { return stop_.load(); },
        [this](std::string const& text) { post([this, text] { run_.notice(text); }); });
    return s.idleDevice != nullptr;
  }

  /// Seconds, or work, of the leader before that one begins.
  double leadOver(Contestant const& one) const {
    if (byWork_ || now_.options.algorithm == AlgorithmChoice::race) return lead_;
    if (one.options.engine != EngineChoice::host && !now_.placement.known.deviceOpen)
      return leadOverClosed();
    return one.options.algorithm == AlgorithmChoice::barrier ? secondsAlone : secondsOfTwo;
  }

  /// Opening a device holds up page faults of all threads, and the end of the process. It begins at
  /// once where the device is expected to be done before the processor's interior point method, and
  /// else when the leader has worked longer than both: a wrong guess about doubles the seconds.
  double leadOverClosed() const {
    constexpr double usual = 2.0;   // times the estimate, which counts iterations of dense problems
    constexpr double longer = 1.5;  // than expected
    Shape const shape = shapeOf(s_.lp);
    double const device =
        usual * estimatedSeconds(machineFor(shape.cells()), Way::deviceBarrier, shape, {}).value();
    double processor = 0.0;
    for (Contestant const& one : contestants_)
      if (one.options.engine == EngineChoice::host)
        processor = std::max(processor, one.run.expected());
    return device < processor ? 0.0 : std::max(device, longer * processor);
  }

  /// Begins with the challengers whose turn it is, if the leader had to work so long.
  void beginOthers() {
    double const led = byWork_ ? leader_->budget.work() : leader_->budget.seconds();
    for (Contestant& one : contestants_) {
      bool const due = led >= leadOver(one) || (!byWork_ && leader_->ended);
      if (&one == leader_ || one.begun || stop_ || !due) continue;
      one.begun = true;
      ++begun_;
      start(one);
    }
  }

  void start(Contestant& one) {
    {
      std::lock_guard const lock(mutex_);
      ++running_;
    }
    auto const ended = [this, &one] {
      std::lock_guard const lock(mutex_);
      one.ended = true;
      --running_;
      changed_.notify_one();
    };
    try {
      one.thread = std::thread([this, &one, ended] {
        solve(one);
        ended();
      });
    } catch (std::system_error const&) {  // the system has no thread to give
      one.error = std::current_exception();
      ended();
    }
  }

  void post(std::function<void()> message) {
    std::lock_guard const lock(mutex_);
    messages_.push_back(std::move(message));
  }

  /// On the caller's thread: tells him what the contestants have to say, and them of his wish to
  /// stop. What his functions throw is for him, whoever wins.
  void serve() {
    if (callersError_) return;
    try {
      beginOthers();
      deliver();
      if (run_.checkpointDue()) checkpointDue_ = true;
      if (run_.budget().interruption() == Limit::stop) stop_ = true;
    } catch (...) {
      callersError_ = std::current_exception();
      stop_ = true;
    }
  }

  void deliver() {
    std::vector<std::function<void()>> messages;
    std::optional<Progress> progress;
    {
      std::lock_guard const lock(mutex_);
      messages.swap(messages_);
      for (std::size_t k = 0; k <= shown_ && k < contestants_.size() && !progress; ++k) {
        progress = std::exchange(contestants_[k].progress, std::nullopt);
        if (progress) shown_ = k;
      }
    }
    for (auto const& message : messages) message();
    if (progress) run_.callbacks().progress(*progress);
  }

  void end() {
    stop_ = true;
    for (Contestant& one : contestants_)
      if (one.thread.joinable()) one.thread.join();
  }

  /// The winner; without a proof, the best of what limits left, or else of what cannot be proved.
  Solution decide() {
    auto const better = [this](Contestant const& a, Contestant const& b) {
      if (!b.solution || !a.solution) return a.solution.has_value();
      if ((a.place > 0) != (b.place > 0)) return a.place > 0;
      if (a.place > 0) return byWork_ ? a.work < b.work : a.place < b.place;
      bool const aLimit = a.solution->status != Status::numerical,
                 bLimit = b.solution->status != Status::numerical;
      if (aLimit != bLimit) return aLimit;
      return a.solution->residuals.largest() < b.solution->residuals.largest();
    };
    Contestant& winner = *std::ranges::min_element(contestants_, better);
    tell(winner);
    if (!winner.solution) std::rethrow_exception(leader_->error);
    run_.take(winner.run);
    s_.takeOver(winner.session);
    for (Contestant& one : contestants_)
      if (&one != &winner) one.session.lendDevice(s_);  // open for a solve to come
    if (s_.kind == EngineKind::factors) s_.engineOptions.threads = now_.options.threads;
    if (winner.checkpoint) run_.tell(*winner.checkpoint);
    return std::move(*winner.solution);
  }

  void tell(Contestant const& winner) {
    std::string work;
    for (Contestant const& one : contestants_) {
      work += std::string(work.empty() ? "" : ", ") + nameOf(one) + " " + brief(one.work);
      if (!one.error) continue;
      try {
        std::rethrow_exception(one.error);
      } catch (EngineUnavailable const& e) {
        s_.noDevice = true;
        run_.notice(std::string("engine host: ") + e.what());
      } catch (std::exception const& e) {
        run_.notice(std::string("race: ") + nameOf(one) + " gave up: " + e.what());
      }
    }
    if (winner.place > 0 && begun_ > 0)
      run_.notice(std::string("race: ") + nameOf(winner) + " was first; work by count: " + work);
  }

  Attempt const now_;
  Session& s_;
  Run& run_;
  bool const byWork_;
  Contestant* leader_ = nullptr;
  double lead_ = 0.0;      ///< work of the leader before the others begin
  std::size_t begun_ = 0;  ///< challengers
  std::size_t shown_ = static_cast<std::size_t>(-1);  ///< whose progress is told: from here on down
  std::exception_ptr callersError_;
  std::deque<Contestant> contestants_;  // which stay where they are
  std::atomic<bool> stop_ = false, won_ = false, checkpointDue_ = false;
  std::atomic<double> leastWork_ = infinity;  ///< of a proof; who did more cannot win any more
  std::mutex mutex_;                          // of what follows, and of the contestants' progress
  std::condition_variable changed_;
  std::vector<std::function<void()>> messages_;
  int running_ = 0;  ///< threads
  int proofs_ = 0;
};

}  // namespace

Solution race(Attempt const& now) {
  return Race(now).run();
}

}  // namespace osi_cuda
