// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/verdict.hpp"

#include <algorithm>

namespace osi_cuda::stress {
namespace {

/// A point of that primal residual contradicts a claim of infeasibility that has no exact proof,
/// and an optimal one of that residual in all three a claim of unboundedness.
constexpr double contradiction = 1e-9;

Claim const* exactOf(std::vector<Claim> const& claims) {
  for (Claim const& claim : claims)
    if (claim.solver == "exact" && claim.answered()) return &claim;
  return nullptr;
}

/// infeasible or unbounded, without a proof of its own: what exact arithmetic says of it.
Verdict bySettled(Claim const& claim, Claim const& exact) {
  if (claim.answer == exact.answer) return Verdict::right;
  // Infeasible by a rounding: within the tolerance there is a point, and the ray is one.
  if (claim.answer == Answer::unbounded && exact.improvingRay &&
      claim.judged.primal <= falseResidual)
    return Verdict::right;
  return Verdict::wrong;
}

/// The same from what other solvers say.
Verdict byOthers(std::vector<Claim> const& claims, Claim const& claim) {
  for (Claim const& other : claims) {
    if (&other == &claim) continue;
    if (other.answer == claim.answer && other.standsUp()) return Verdict::right;
  }
  for (Claim const& other : claims) {
    if (&other == &claim || !other.standsUp() || other.answer == claim.answer) continue;
    bool const contradicts =
        claim.answer == Answer::infeasible
            ? other.judged.primal <= contradiction
            : other.judged.largest() <= contradiction || other.answer == Answer::infeasible;
    if (contradicts) return Verdict::wrong;
  }
  return Verdict::unsettled;
}

bool anotherStandsUp(std::vector<Claim> const& claims, Claim const& claim) {
  return std::any_of(claims.begin(), claims.end(), [&](Claim const& other) {
    return other.solver != claim.solver && other.standsUp();
  });
}

}  // namespace

char const* toString(Verdict verdict) {
  switch (verdict) {
    case Verdict::right:
      return "right";
    case Verdict::wrong:
      return "false";
    case Verdict::unsettled:
      return "unsettled";
    default:
      return "none";
  }
}

Judgement judge(std::vector<Claim> const& claims, std::size_t which) {
  Claim const& claim = claims[which];
  if (!claim.answered()) return {Verdict::none, anotherStandsUp(claims, claim)};
  if (claim.standsUp()) return {Verdict::right, false};
  if (claim.answer == Answer::optimal || claim.settled < 0) return {Verdict::wrong, false};
  if (Claim const* const exact = exactOf(claims)) return {bySettled(claim, *exact), false};
  Verdict const verdict = byOthers(claims, claim);
  return {verdict, verdict == Verdict::unsettled && anotherStandsUp(claims, claim)};
}

bool needsExact(std::vector<Claim> const& claims) {
  bool const unproved = std::any_of(claims.begin(), claims.end(), [](Claim const& claim) {
    return claim.answered() && claim.answer != Answer::optimal && !claim.standsUp();
  });
  bool const nobody = std::none_of(claims.begin(), claims.end(),
                                   [](Claim const& claim) { return claim.standsUp(); });
  return unproved || nobody;
}

}  // namespace osi_cuda::stress
