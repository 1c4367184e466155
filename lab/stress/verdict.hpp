// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "lab/stress/claim.hpp"

namespace osi_cuda::stress {

/// What is made of a claim once all claims about its problem are known.
enum class Verdict {
  right,
  wrong,      ///< a false claim
  unsettled,  ///< infeasible or unbounded without a proof, and nothing tells whether it is so
  none        ///< no answer was claimed
};
char const* toString(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::none;
  bool missing = false;  ///< no answer, or an unsettled one, where another one stands up
};

/// What the other claims about the problem make of `claims[which]`. Those of another solver count,
/// and the exact one; our own runs do not speak for each other.
Judgement judge(std::vector<Claim> const& claims, std::size_t which);

/// Whether exact arithmetic is needed to judge these claims: something is claimed that does not
/// show by itself that it is right, or nobody has an answer that does.
bool needsExact(std::vector<Claim> const& claims);

}  // namespace osi_cuda::stress
