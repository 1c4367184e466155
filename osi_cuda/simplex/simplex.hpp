// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/algorithms.hpp"
#include "osi_cuda/simplex/kept_point.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/simplex/pivot_runs.hpp"
#include "osi_cuda/simplex/prover.hpp"
#include "osi_cuda/simplex/starting_basis.hpp"
#include "osi_cuda/simplex/task.hpp"
#include "osi_cuda/simplex/watches.hpp"
#include "osi_cuda/simplex/working_problem.hpp"

namespace osi_cuda {

/// The control of the simplex method: rounds of an algorithm, a measure and a proof. It exists once
/// and knows no device; pivots are the engine's. Its parts have a class each: the phases of an
/// algorithm (algorithms.hpp), the runs of pivots in a phase (pivot_runs.hpp), the bounds and costs
/// that they work with (working_problem.hpp), the proofs (prover.hpp).
///
/// A claim of an engine ("optimal", "ray") is never believed. Where a basis is optimal within
/// working tolerances only, the point is refined before a pivot is made; where the refined point is
/// not optimal, tolerances are tightened, or the other algorithm goes on.
class Simplex {
 public:
  /// All references must outlive the object. The engine has `form` loaded; its basis may be any.
  /// The limits are those of `run`, not of `options`, and what the solve takes is booked there.
  Simplex(LinearProgram const& lp, StandardForm const& form, Engine& engine, Options const& options,
          Run& run, Effort effort = Effort::whole);
  Simplex(Simplex const&) = delete;  // the parts refer to each other
  Simplex& operator=(Simplex const&) = delete;

  /// Solves from a basis (empty: the slack basis). An engine that holds that basis already keeps
  /// its tableau. `inside` (or nothing) says where nonbasic variables begin, and with which
  /// multipliers: from there pushes lead to a vertex before anything else.
  Solution solve(Basis const& start, InteriorStart const& inside = {});

  /// Brings the engine to a basis without pivoting towards an optimum: bounds and costs are the
  /// form's, nonbasic variables rest where the basis says. Throws Interrupted where the engine
  /// polls a stop request (EngineWatch) and is told to.
  void place(Basis const& start);

  /// Pivots since the engine's tableau was formed from the data; an engine that goes from solve to
  /// solve takes them along.
  std::int64_t pivotsSinceRefactor() const { return counts_.sinceRefactor; }
  void continueFrom(std::int64_t pivots) { counts_.sinceRefactor = pivots; }

  /// How near the solution is to the optimum that it may have been called.
  Prover::Quality const& quality() const { return prover_.quality(); }
  std::optional<InverseRow>& dualRay() { return prover_.dualRay(); }
  /// Whether the solve was stopped in the middle of an engine's work: the engine needs a new load.
  bool engineLost() const { return engineLost_; }
  /// Whether the basis to start from was reached: else the solve has found nothing out.
  bool startReached() const { return placed_; }
  /// The algorithm that was at work last.
  Algorithm algorithmAtWork() const { return runs_.running(); }

 private:
  Solution solveWatched(Basis const& start, InteriorStart const& inside);
  bool runRounds(Measure present);
  Algorithm chooseAlgorithm(Measure const& measure, bool pushed) const;
  Algorithm nextAlgorithm(Measure const& measure, Algorithm last) const;
  Solution stopHere();
  Solution stopped(Solution solution) const;
  Solution finish(Solution solution) const;

  Task const task_;
  Counts counts_;
  Tracer tracer_;
  Limits limits_;
  Tolerances tolerances_;
  WorkingProblem problem_;
  KeptPoint kept_;
  RoundWatch rounds_;
  SharedParts const parts_;
  PivotRuns runs_;
  Algorithms algorithms_;
  Prover prover_;
  StartingBasis start_;  ///< what is left of a solve that is stopped before it keeps a point
  Algorithm first_ = Algorithm::primal;  ///< the algorithm that was begun with
  bool placed_ = false;                  ///< the engine has reached the basis to start from
  bool engineLost_ = false;
};

}  // namespace osi_cuda
