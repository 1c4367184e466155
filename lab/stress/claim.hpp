// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "lab/stress/truth.hpp"

namespace osi_cuda::stress {

/// What came of a solve.
enum class Answer {
  optimal,
  infeasible,
  unbounded,
  numerical,  ///< the solver says that it has none
  timeLimit,
  crash,  ///< the process ended
  hang    ///< it did not end within several times its limit
};
char const* toString(Answer answer);

/// What a solver says of a problem, and what the judge makes of it.
struct Claim {
  std::string solver;   ///< "own", "clp", "highs", "exact"
  std::string variant;  ///< of our own: "ENGINE/ALGORITHM/PRICING"
  Answer answer = Answer::numerical;
  double objective = 0.0;
  Residuals reported;         ///< the solver's own residuals
  JudgedResiduals judged;     ///< of the point
  Proof proof = Proof::none;  ///< of the certificate, for infeasible and unbounded
  bool improvingRay = false;  ///< of the exact answer
  /// What rational arithmetic makes of the claim in the worker: right (1), wrong (-1), or 0 where
  /// that is decided by the residuals and by the other claims.
  int settled = 0;
  /// |objective - exact optimum| / (1 + |exact optimum|); NaN where that is not known.
  double miss = std::numeric_limits<double>::quiet_NaN();
  /// The width of the enclosure of the optimum over 1 + |exact optimum|; NaN as above.
  double width = std::numeric_limits<double>::quiet_NaN();
  bool understated = false;  ///< the reported primal residual is less than the exact one
  double seconds = 0.0;
  std::int64_t iterations = 0;
  std::string message;

  bool answered() const { return answer <= Answer::unbounded; }
  /// The claim shows by itself that it is right, within the tolerance that counts as false.
  bool standsUp() const;
};

/// Residuals from which on a claim is false.
inline constexpr double falseResidual = 1e-6;

Answer answerOf(Status status);

/// Fills in what a solution of `lp` claims, and what the verifier makes of its numbers.
void describe(LinearProgram const& lp, Solution const& solution, Claim& claim);

/// Holds a described claim against the truth, if that is known: a certificate that is none, and the
/// enclosure of the optimum.
void settle(Truth const& truth, LinearProgram const& lp, Solution const& solution, Claim& claim);

/// |objective - optimum| / (1 + |optimum|)
mpq_class relativeMiss(double objective, mpq_class const& optimum);

/// In 17 digits.
std::string digitsOf(double value);

/// One line without its end, and back; fields between tabs.
std::string lineOf(Claim const& claim);
Claim claimFrom(std::string const& line);

}  // namespace osi_cuda::stress
