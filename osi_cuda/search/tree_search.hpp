// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/search/request.hpp"

namespace osi_cuda::search {

/// Branch and bound in rounds: K nodes at a time, as variants of one linear program, on a device or
/// on threads of the processor (batch/variants.hpp). Half of a round are children of the last one,
/// half the open nodes of the lowest bounds. Branches are chosen by pseudo-costs, which strong
/// branching begins; roundings and dives are further variants of a round. An incumbent fixes
/// columns by reduced costs of the root.
///
/// Every bound in the answer is proved: a leaf counts as closed by row multipliers that bound its
/// objective or show that it has no point, all rounding outward, or by rational arithmetic
/// (SearchOutcome::proved). What no proof closes is split further. Where columns without bounds
/// leave even the root without one, statuses of linear programs within tolerances count, and the
/// outcome is not `proved`.
///
/// The same nodes come in every run for one seed, one K (Options::searchBatch) and one engine,
/// whatever the number of threads; limits of time aside. Throws as VariantSolver::solve does, and
/// what callbacks throw.
SearchOutcome searchTree(SearchRequest const& request);

}  // namespace osi_cuda::search
