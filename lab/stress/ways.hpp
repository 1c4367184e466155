// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/stress/claim.hpp"
#include "lab/stress/truth.hpp"

namespace osi_cuda::stress {

// Other ways to the solver than a solve: batches and variants of a problem, and what analyses say
// of it. Whatever they state is held against rational arithmetic.

/// "batch", "variants", "ranging", "iis", "relaxation", "ranks".
std::vector<std::string> const& wayNames();
bool isWay(std::string const& name);

/// What came of a way: the answer is that of the problem as it is, or of the worst of its variants.
struct WayResult {
  Claim claim;  ///< settled: -1 where something is false; 1 where nothing is seen to be
  std::optional<LinearProgram> suspect;  ///< the problem that a false statement is about
};

/// Goes the way with `lp`, each solve within `seconds`; changes are made from `seed`. Nothing where
/// the way is not for such a problem: a subsystem of one that is feasible, a dense batch of a
/// large one. `truth` is that of lp.
std::optional<WayResult> goneWay(std::string const& way, LinearProgram const& lp,
                                 Truth const& truth, double seconds, std::uint64_t seed);

}  // namespace osi_cuda::stress
