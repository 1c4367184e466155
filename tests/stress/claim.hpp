// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tests/stress/judge.hpp"

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
  double seconds = 0.0;
  std::int64_t iterations = 0;
  std::string message;

  bool answered() const { return answer <= Answer::unbounded; }
  /// The claim shows by itself that it is right, within the tolerance that counts as false.
  bool standsUp() const;
};

/// Residuals from which on a claim is false.
inline constexpr double falseResidual = 1e-6;

/// One line without its end, and back; fields between tabs.
std::string lineOf(Claim const& claim);
Claim claimFrom(std::string const& line);

}  // namespace osi_cuda::stress
