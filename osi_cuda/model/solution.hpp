// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "osi_cuda/base/solve_phase.hpp"
#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/plan_report.hpp"
#include "osi_cuda/model/relaxed_columns.hpp"

namespace osi_cuda {

enum class Status {
  optimal,
  infeasible,
  unbounded,
  objectiveLimit,  ///< the dual simplex proved the optimum to be beyond the objective limit
  iterationLimit,
  timeLimit,
  interrupted,
  numerical,  ///< no status could be proved; Solution::message says what is wrong
  interior    ///< optimal within tolerances, but a point of the barrier and no vertex
};

/// The status as the command line and JSON print it: "optimal", "iteration_limit", ...
char const* toString(Status status);

enum class Limit;
/// The status of what `limit` ended. Limit::none is none: std::invalid_argument.
Status statusOf(Limit limit);

/// Residuals of the optimality conditions (Karush, Kuhn and Tucker) at a point x with row duals y,
/// in the original, unscaled problem. Each is an upper bound: it includes the rounding of its own
/// sums (Ogita, Rump and Oishi 2005). proof/residuals.hpp says which signs are wrong.
struct Residuals {
  /// Largest violation v of a bound b of a column x_j or a row activity (A x)_i: v / (1 + |b|).
  double primal = 0.0;
  /// Largest wrong-signed reduced cost d = c - A'y: |d_j| / (1 + |c_j|); of a row, dual |y_i|.
  double dual = 0.0;
  /// The gap |primal - dual objective| / (1 + |primal objective|).
  double complementarity = 0.0;

  double largest() const;
};

/// A rigorous enclosure of the exact optimum of the original problem, whose doubles are taken as
/// exact, in the problem's own sense: lower <= optimum <= upper. Multipliers prove one end, rounded
/// to the safe side (Neumaier and Shcherbina 2004; Jansson 2004), a feasible point or rational
/// arithmetic the other. An end that is not proved is infinite.
struct ObjectiveEnclosure {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// The largest distance of a value in the enclosure from `objective`; infinite where a side is.
  double errorOf(double objective) const;
};

/// On what a status rests.
enum class ProofGrade {
  none,       ///< nothing is claimed
  tolerance,  ///< residuals of the returned point within tolerances, or a bound by its multipliers
  extended,   ///< a certificate with zeros to 1e-20 of their terms (proof/tolerances.hpp)
  exact       ///< rational arithmetic, without tolerances (rational/, docs/explanation/exact.md)
};

/// The grade as the command line and JSON print it.
char const* toString(ProofGrade grade);

/// The exact proof that Options::exact requests; see docs/explanation/exact.md.
struct ExactProof {
  bool tried = false;  ///< it was asked for, and the status was one that can be proved
  /// The status is true in rational arithmetic, without any tolerance; with status numerical: the
  /// basis is optimal, but sums of two doubles miss its point by more than the tolerances.
  bool proved = false;
  /// What is proved so; numerical: nothing. Another status than the solution's where a point within
  /// the tolerances is the answer to a problem that has no optimum exactly, or where no doubles
  /// come near its point.
  Status status = Status::numerical;
  std::string objective;  ///< c'x + offset of the basis, "-464753/1000"
  std::string digits;     ///< the same in 30 significant decimal digits
  std::string message;    ///< a message when tried: what is proved, or what fails and by how much
  double seconds = 0.0;   ///< wall time of the proof, part of Solution::seconds

  bool known() const { return status != Status::numerical; }
};

/// What the presolve of a solve did; see docs/explanation/presolve.md.
struct PresolveReport {
  bool used = false;  ///< a smaller problem was solved first, or tried to
  /// Sizes of the given problem and of the smaller one.
  std::int64_t rowsBefore = 0, columnsBefore = 0, nonzerosBefore = 0;
  std::int64_t rows = 0, columns = 0, nonzeros = 0;
  double seconds = 0.0;  ///< wall time of presolve and postsolve, part of Solution::seconds
  /// Pivots in the smaller problem, and those that the given one needed afterwards; together
  /// Solution::iterations.
  std::int64_t iterations = 0, iterationsAfter = 0;
};

/// The result of a solve, in the terms and the sense of the LinearProgram it was made from.
struct Solution {
  Status status = Status::numerical;
  /// A message when status is numerical, or when the exact proof was tried and failed; otherwise
  /// may be empty.
  std::string message;
  double objective = 0.0;  ///< c'x + offset, in the problem's own sense

  std::vector<double> columnValues;  ///< x, length n
  std::vector<double> rowActivity;   ///< A x, length m
  std::vector<double> rowDuals;      ///< y, length m; d(objective)/d(right-hand side)
  std::vector<double> reducedCosts;  ///< c - A'y, length n
  Basis basis;

  /// What rounding took from columnValues and rowDuals, lengths n and m: the point that was
  /// verified is the exact sum of both. Empty where columnValues and rowDuals alone stand up to the
  /// verifier, which is nearly always; numbers of very different sizes in one row can make it
  /// impossible.
  std::vector<double> columnValuesLow, rowDualsLow;

  /// With status infeasible, length m: Farkas multipliers y (Farkas 1902): no x within its bounds
  /// has y'(A x) in [min, max] of y'r over activities r within the row bounds; see verifyFarkas.
  std::vector<double> farkas;
  /// With status unbounded, length n: a ray, along which x stays feasible and the objective
  /// improves without limit; columnValues is a feasible point. See verifyRay.
  std::vector<double> ray;
  /// What rounding took from farkas and ray: a certificate is the exact sum of both, in which what
  /// has to be zero is zero to 1e-20 of its terms. Empty, or of the same length.
  std::vector<double> farkasLow, rayLow;

  RelaxedColumns relaxed;  ///< what the answer leaves out of the problem
  ProofGrade proof = ProofGrade::none;
  /// Infeasible: every point violates some bound b by at least margin (1 + |b|). Unbounded: the
  /// problem stays so while costs c change by less than margin (1 + |c|). A lower bound.
  double margin = 0.0;

  Residuals residuals;
  /// The largest residual of the point before it was rounded to doubles; infinite where that is not
  /// known.
  double unrounded = std::numeric_limits<double>::infinity();
  /// With status optimal or interior, and where the optimum is known exactly; else infinite on both
  /// sides.
  ObjectiveEnclosure objectiveEnclosure;
  ExactProof exact;
  std::int64_t iterations = 0;  ///< pivots and bound flips of the entering variable
  /// Those of them made on the way to a feasible basis: with relaxed bounds, with modified costs,
  /// or in the primal's phase 1.
  std::int64_t phase1Iterations = 0;
  std::int64_t barrierIterations = 0;  ///< of the interior point method, not among `iterations`
  double barrierSeconds = 0.0;         ///< wall time of it, part of `seconds`
  PresolveReport presolve;
  /// What ran one after the other, of all attempts. Of a race: the winner's.
  std::vector<SolvePhase> phases;
  /// Wall time of the solve, from when the engine first had the problem; like iterations, of all
  /// attempts together.
  double seconds = 0.0;

  SolveEngine engine = SolveEngine::none;
  std::string device;  ///< name of the device, e.g. of the GPU
  /// primal, dual or barrier: the one that was started.
  SolveAlgorithm algorithm = SolveAlgorithm::none;
  std::string pricing;      ///< the rule of pricing by its name in pricing.hpp
  bool deviceLost = false;  ///< a device failed while it held the problem; the host took over
  PlanReport plan;          ///< what was chosen and why, and what it took
};

}  // namespace osi_cuda
