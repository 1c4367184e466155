// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// The stages of a solve, under which its seconds are booked.
enum class SolveStage {
  presolve,   ///< the way to a smaller problem and back
  load,       ///< an engine is made, or takes the problem over
  start,      ///< from a caller's point to a basis
  barrier,    ///< the interior point method
  pivots,     ///< the simplex method
  digits,     ///< the same in double-double arithmetic
  enclosure,  ///< an open end of the enclosure of the objective
  exact       ///< the proof in rational arithmetic
};
char const* toString(SolveStage stage);

/// One call to the solver: what it may use, how it speaks to its caller, and the one account of
/// what it came to. Every stage books here, so that a later one need not know the earlier ones: its
/// messages count seconds and iterations from the beginning of the call.
///
/// For one thread.
class Run {
 public:
  /// Both must outlive the object.
  Run(Callbacks const& callbacks, Budget& budget)
      : callbacks_(callbacks), whole_(&budget), budget_(&budget) {}
  Run(Run const&) = delete;  // it would book twice
  Run& operator=(Run const&) = delete;

  Budget& budget() const { return *budget_; }
  /// That of the call, whatever part of it a stage has.
  Budget& whole() const { return *whole_; }
  Callbacks const& callbacks() const { return callbacks_; }

  /// Books the seconds of its life under a stage, without those of stages inside of it.
  /// Solution::seconds has all of them but `load` and `enclosure`, unless these lie inside.
  class Scope {
   public:
    Scope(Run& run, SolveStage stage);
    ~Scope();
    Scope(Scope const&) = delete;
    Scope& operator=(Scope const&) = delete;

   private:
    Run& run_;
    std::optional<SolveStage> outer_;
    bool counts_;
  };

  /// As long as it lives, the budget is `part`, which is a part of the run's.
  class Within {
   public:
    Within(Run& run, Budget& part) : run_(run), outer_(std::exchange(run.budget_, &part)) {}
    ~Within() { run_.budget_ = outer_; }
    Within(Within const&) = delete;
    Within& operator=(Within const&) = delete;

   private:
    Run& run_;
    Budget* const outer_;
  };

  /// As long as it lives, another problem is solved: checkpoints are told with its bases as those
  /// of the given problem, and none of them is the last.
  class Elsewhere {
   public:
    Elsewhere(Run& run, std::function<Basis(Basis const&)> given)
        : run_(run), outer_(std::exchange(run.given_, std::move(given))) {
      if (outer_)
        run_.given_ = [outer = outer_, inner = std::move(run_.given_)](Basis const& basis) {
          return outer(inner(basis));
        };
    }
    ~Elsewhere() { run_.given_ = std::move(outer_); }
    Elsewhere(Elsewhere const&) = delete;
    Elsewhere& operator=(Elsewhere const&) = delete;

   private:
    Run& run_;
    std::function<Basis(Basis const&)> outer_;
  };

  /// Pivots and bound flips; `first`: on the way to a feasible basis.
  void spend(std::int64_t iterations, bool first = false);
  /// Iterations of the interior point method, which are no pivots.
  void spendBarrier(int iterations);

  std::int64_t iterations() const { return account_.iterations; }
  std::int64_t firstIterations() const { return account_.phase1; }
  /// Of all stages that Solution::seconds counts, until now.
  double seconds() const;
  /// Of that stage alone.
  double seconds(SolveStage stage) const;

  // To the caller. Where nobody listens, each returns at once; seconds and iterations are filled
  // in.
  bool reports() const { return static_cast<bool>(callbacks_.progress); }
  void progress(Progress progress) const;
  bool traces() const { return static_cast<bool>(callbacks_.trace); }
  void trace(char const* kind, std::vector<TraceField> fields) const;
  void notice(std::string const& sentence) const {
    if (callbacks_.notice) callbacks_.notice(sentence);
  }
  void plan(PlanChoice choice);
  /// Seconds that a method which begins is expected to take; others may ask, on any thread. 0: not
  /// known.
  void expect(double seconds) { expected_.store(seconds, std::memory_order_relaxed); }
  double expected() const { return expected_.load(std::memory_order_relaxed); }
  bool checkpointDue() const;
  /// `status`: of a solve that ends there. It goes on from a limit of iterations that a part of the
  /// budget alone has reached.
  void checkpoint(Basis const& basis, SolveAlgorithm algorithm,
                  std::optional<Status> status = {}) const;
  /// Tells what another run has filled in.
  void tell(Checkpoint checkpoint) const;

  /// For a run beside this one, as on another thread: it counts on from what `run` has come to.
  void goOnFrom(Run const& run) {
    account_ = run.account_;
    account_.seconds = run.seconds();
  }
  /// Goes on with the account of one that did so.
  void take(Run const& beside);
  /// Writes into the solution what the run has come to.
  void conclude(Solution& solution);

 private:
  static constexpr std::size_t stageCount = static_cast<std::size_t>(SolveStage::exact) + 1;
  struct Account {
    std::int64_t iterations = 0, phase1 = 0, barrier = 0;
    double seconds = 0.0;
    std::array<double, stageCount> byStage{};
    std::uint32_t entered = 0;  ///< stages, bit by bit
  };

  /// Books the time since the last call.
  void book();

  Callbacks const& callbacks_;
  Budget* const whole_;
  Budget* budget_;
  Account account_;
  std::optional<SolveStage> stage_;
  int counting_ = 0;    ///< scopes that Solution::seconds counts
  double since_ = 0.0;  ///< what was booked last, by the clock of the budget
  std::atomic<double> expected_ = 0.0;
  std::vector<PlanChoice> choices_;
  std::function<Basis(Basis const&)> given_;
};

}  // namespace osi_cuda
