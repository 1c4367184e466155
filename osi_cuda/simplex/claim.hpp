// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda {

/// What an algorithm says when it stops; nothing of it is believed.
enum class Claim { settled, infeasible, unbounded, cutoff, limit, stuck };

/// What came of a claim: it stands; the engine sees itself that the basis is not what it was taken
/// for, once it measures by tighter tolerances; the basis is not what it was taken for, and pivots
/// go on from a fresh tableau; or nothing that this engine can do brings it closer.
enum class Outcome { proved, seen, refused, hopeless };

}  // namespace osi_cuda
