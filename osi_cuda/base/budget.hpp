// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "osi_cuda/base/solve_phase.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda {

/// What ends a computation from outside.
enum class Limit { none, stop, time, iterations };

/// What a call may use: seconds, iterations, and whether its caller wants it to stop. One object is
/// made where the call comes in and is passed down to everything that works for it. Every loop that
/// takes longer than 50 ms polls it, and every iteration is spent from it, so that attempts, stages
/// and solves inside of solves share one allowance without counting what the others took. It keeps
/// the account of who spent it, too.
///
/// For one thread; only seconds(), secondsLeft() and iterationsLeft() may be read by others.
class Budget {
 public:
  static constexpr double unlimitedSeconds = std::numeric_limits<double>::infinity();
  static constexpr std::int64_t unlimitedIterations = std::numeric_limits<std::int64_t>::max();

  /// No limit at all.
  Budget() = default;
  /// The seconds count from now. `stop` (may be empty): the caller's wish to stop, polled several
  /// times a second.
  Budget(double seconds, std::int64_t iterations, std::function<bool()> stop)
      : allowedSeconds_(seconds), allowance_(iterations), stop_(std::move(stop)) {}
  /// At most so many iterations of `whole`, which must outlive the object: what is spent here is
  /// spent there.
  Budget(Budget& whole, std::int64_t iterations) : whole_(&whole), allowance_(iterations) {}
  /// A part of `whole`, until `enough` says that no more is to be spent: asked with reached().
  Budget(Budget& whole, std::function<bool()> enough) : whole_(&whole), stop_(std::move(enough)) {}
  Budget(Budget const&) = delete;  // a copy would spend the same iterations again
  Budget& operator=(Budget const&) = delete;

  /// Since the call came in.
  double seconds() const { return whole_ ? whole_->seconds() : watch_.seconds(); }
  double secondsLeft() const {
    return whole_ ? whole_->secondsLeft() : std::max(0.0, allowedSeconds_ - seconds());
  }
  std::int64_t iterationsLeft() const {
    std::int64_t const own = allowance_ == unlimitedIterations
                                 ? unlimitedIterations
                                 : std::max<std::int64_t>(0, allowance_ - spent_);
    return whole_ ? std::min(own, whole_->iterationsLeft()) : own;
  }
  std::int64_t iterationsSpent() const { return spent_; }
  void spend(std::int64_t iterations) {
    spent_ += iterations;
    if (whole_) return whole_->spend(iterations);
    if (!phases_.empty()) phases_.back().iterations += iterations;
  }

  /// Work is counted in seconds that it takes on some processor, alike in every run.
  void addWork(double seconds) {
    work_ += seconds;
    if (whole_) whole_->addWork(seconds);
  }
  double work() const { return work_; }

  /// What is spent from now on is spent by that algorithm (SolvePhase says which there are).
  void enter(SolveAlgorithm algorithm, int phase = 0) {
    if (whole_) return whole_->enter(algorithm, phase);
    if (!phases_.empty() && phases_.back().phase == phase && phases_.back().algorithm == algorithm)
      return;
    closePhase();
    phases_.push_back({algorithm, phase, 0, 0.0});
  }
  /// What was entered until now.
  std::vector<SolvePhase> const& phases() {
    if (whole_) return whole_->phases();
    closePhase();
    return phases_;
  }
  /// Takes over what a budget beside this one was spent on since the last look at phases().
  void take(Budget& beside) {
    spent_ += beside.spent_;
    if (whole_) return whole_->take(beside);
    for (SolvePhase const& phase : beside.phases()) phases_.push_back(phase);
    phaseBegin_ = seconds();
  }

  /// Limit::stop, Limit::time or Limit::none: what has to end in the middle of its work.
  Limit interruption() const {
    if (whole_) return whole_->interruption();
    if (stop_ && (stopped_ || (stopped_ = stop_()))) return Limit::stop;
    return seconds() > allowedSeconds_ ? Limit::time : Limit::none;
  }
  bool interrupted() const { return interruption() != Limit::none; }
  /// The same, or Limit::iterations where none are left.
  Limit reached() const {
    Limit const limit = interruption();
    if (limit != Limit::none) return limit;
    bool const enough = whole_ && stop_ && stop_();
    return iterationsLeft() > 0 && !enough ? Limit::none : Limit::iterations;
  }

 private:
  void closePhase() {
    double const now = seconds();
    if (!phases_.empty()) phases_.back().seconds += now - phaseBegin_;
    phaseBegin_ = now;
  }

  Budget* whole_ = nullptr;  ///< of which this one is a part
  Stopwatch watch_;
  double allowedSeconds_ = unlimitedSeconds;
  std::int64_t allowance_ = unlimitedIterations;
  std::int64_t spent_ = 0;
  double work_ = 0.0;
  std::vector<SolvePhase> phases_;
  double phaseBegin_ = 0.0;  ///< of the last one, or of the last look at it
  std::function<bool()> stop_;
  mutable bool stopped_ = false;  ///< a wish to stop that was told once holds
};

/// The budget of a call that names its limits in `options` (timeLimit, iterationLimit) and its wish
/// to stop in `callbacks` (interrupted).
template <class Options, class Callbacks>
Budget budgetOf(Options const& options, Callbacks const& callbacks) {
  return {options.timeLimit, options.iterationLimit, callbacks.interrupted};
}

/// Options of a solve inside of a call: the limits are what is left of the budget.
template <class Options>
Options withinBudget(Options options, Budget const& budget) {
  options.timeLimit = budget.secondsLeft();
  options.iterationLimit = budget.iterationsLeft();
  return options;
}

/// Polls a stop request in loops whose steps take microseconds: at most every 20 ms, so that a
/// request that is dear to ask, as one in Python, takes no time, and not before `grace` seconds.
class Poll {
 public:
  explicit Poll(std::function<bool()> const& stop, double grace = 0.02)
      : stop_(stop),
        next_(Clock::now() +
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(grace))) {}

  bool operator()() {
    if (!stop_) return false;
    auto const now = Clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(20);
    return stop_();
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::function<bool()> const& stop_;
  Clock::time_point next_;
};

}  // namespace osi_cuda
