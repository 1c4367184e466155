// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "osi_cuda/model/basis.hpp"

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

/// How far a point is from satisfying the optimality conditions of the original, unscaled problem.
struct Residuals {
  double primal = 0.0;  ///< largest bound violation b of a row or column, b / (1 + |bound|)
  double dual = 0.0;    ///< largest wrong-signed reduced cost d_j, |d_j| / (1 + |c_j|)
  double complementarity = 0.0;  ///< |primal - dual objective| / (1 + |objective|)

  double largest() const;
};

/// A rigorous enclosure of the exact optimal value of the problem as it was given (its doubles
/// taken at their word), in the problem's own sense: lower <= optimum <= upper whatever was rounded
/// on the way. A side that nothing proves is infinite.
struct ObjectiveEnclosure {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// The largest distance of a value in the enclosure from `objective`; infinite where a side is.
  double errorOf(double objective) const;
};

/// On what a status rests.
enum class ProofGrade {
  none,       ///< nothing is claimed
  tolerance,  ///< the residuals of the point that is returned, or a bound by its multipliers
  extended,   ///< a certificate in which all that has to be zero is zero to 1e-20 of its terms
  exact       ///< rational arithmetic
};

/// The grade as the command line and JSON print it.
char const* toString(ProofGrade grade);

/// What became of the exact proof that Options::exact asks for; see docs/explanation/exact.md.
struct ExactProof {
  bool tried = false;     ///< it was asked for, and the status was one that can be proved
  /// The status is true in rational arithmetic, without any tolerance; with status numerical: the
  /// basis is optimal, but sums of two doubles miss its point by more than the tolerances.
  bool proved = false;
  std::string objective;  ///< c'x + offset of the basis, "-464753/1000"
  std::string digits;     ///< the same in 30 significant decimal digits
  std::string message;   ///< one sentence when tried: what is proved, or what fails and by how much
  double seconds = 0.0;  ///< wall time of the proof, part of Solution::seconds
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
  /// One sentence when status is numerical, or when the exact proof was tried and failed; otherwise
  /// may be empty.
  std::string message;
  double objective = 0.0;  ///< c'x + offset, in the problem's own sense

  std::vector<double> columnValues;  ///< x, length n
  std::vector<double> rowActivity;   ///< A x, length m
  std::vector<double> rowDuals;      ///< y, length m; d(objective)/d(right-hand side)
  std::vector<double> reducedCosts;  ///< c - A'y, length n
  Basis basis;

  /// What rounding took from columnValues and rowDuals, lengths n and m: the point that was judged
  /// is the exact sum of both. Empty where columnValues and rowDuals alone stand up to the judge,
  /// which is nearly always; numbers of very different sizes in one row can make it impossible.
  std::vector<double> columnValuesLow, rowDualsLow;

  /// With status infeasible, length m: multipliers y for which no x within its bounds can satisfy
  /// y'(A x) in [min, max] of y'(row activity); see verifyFarkas. Empty otherwise.
  std::vector<double> farkas;
  /// With status unbounded, length n: a direction along which x stays feasible and the objective
  /// improves without limit; columnValues is a feasible point. Empty otherwise.
  std::vector<double> ray;
  /// What rounding took from farkas and ray: a certificate is the exact sum of both, in which what
  /// has to be zero is zero to 1e-20 of its terms. Empty, or of the same length.
  std::vector<double> farkasLow, rayLow;

  ProofGrade proof = ProofGrade::none;
  /// With status infeasible: every point violates some bound b by at least margin (1 + |b|). With
  /// status unbounded: so it stays after costs c changed by less than margin (1 + |c|).
  double margin = 0.0;

  Residuals residuals;
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
  /// Wall time of the solve, from when the engine first had the problem; like iterations, of all
  /// attempts together.
  double seconds = 0.0;

  std::string engine;       ///< "host" or "cuda"
  std::string device;       ///< name of the device, e.g. of the GPU
  std::string algorithm;    ///< "primal", "dual" or "barrier": the one that was started
  std::string pricing;      ///< the rule of pricing by its name in pricing.hpp
  bool deviceLost = false;  ///< a device failed while it held the problem; the host took over
};

}  // namespace osi_cuda
