// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/model/pricing.hpp"

namespace osi_cuda {

enum class Algorithm { primal, dual };
enum class Phase { one, two };

constexpr char const* toString(Algorithm algorithm) {
  return algorithm == Algorithm::primal ? "primal" : "dual";
}

/// Why pivots ended.
enum class Stop {
  optimal,     ///< nothing left to improve: no entering (primal) or leaving (dual) candidate
  ray,         ///< no ratio limits the step: an unbounded direction, primal or dual
  unstable,    ///< the pivot found is too small to be trusted
  full,        ///< K rows of U and V are in use (greatest: a pivot was made): block update next
  budget,      ///< the pivots asked for have been made
  cutoff,      ///< dual: the objective passed the limit
  interrupted  ///< the control found a limit reached between two runs; no loop says so
};

constexpr char const* toString(Stop stop) {
  constexpr char const* names[] = {"optimal", "ray",    "unstable",   "full",
                                   "budget",  "cutoff", "interrupted"};
  return names[static_cast<int>(stop)];
}

/// What a pivot loop is asked to do: the rules' numbers and the limits of one run.
struct PivotRequest {
  Algorithm algorithm = Algorithm::primal;
  Phase phase = Phase::two;             ///< of the primal; the dual has no other
  Pricing pricing = Pricing::steepest;  ///< a rule of that algorithm and phase, not automatic
  double primalTolerance = 1e-7;        ///< a bound violated by less counts as satisfied
  double dualTolerance = 1e-7;          ///< a reduced cost wrong by less counts as zero
  double harris = 1e-8;          ///< by how much the ratio test relaxes bounds (reduced costs)
  double pivotTolerance = 1e-9;  ///< smaller tableau entries count as zero in a ratio test
  double relativePivot = 1e-7;   ///< |alpha| below this times max |u| (max |v|) is unstable
  double cutoff = 0.0;           ///< dual objective limit; used when useCutoff
  bool useCutoff = false;
  bool longSteps = true;        ///< dual: after one that passed breakpoints, begin with another
  bool passing = false;         ///< dual: begin with such a step always
  std::uint64_t seed = 1;       ///< of the random ties of Dantzig's rule
  std::int64_t firstPivot = 0;  ///< number of pivots before this run: part of that hash
  int budget = 0;               ///< at most so many iterations
  bool checkDrift = false;      ///< the caller means to ask for drift() next: form it on the way
};

/// What a pivot loop did.
struct PivotReport {
  Stop stop = Stop::budget;
  int iterations = 0;       ///< pivots and bound flips of entering variables
  int flips = 0;            ///< of those, the bound flips
  int degenerate = 0;       ///< iterations with a step of (nearly) zero
  int position = -1;        ///< ray, unstable: column position (primal) or row position (dual)
  int direction = 0;        ///< ray: +1 when that variable increases (primal); dual: is above (+1)
  double objective = 0.0;   ///< sum of c'x over the run's start plus all its steps
  double worstPivot = 1.0;  ///< smallest |alpha| / max |u| accepted
};

}  // namespace osi_cuda
