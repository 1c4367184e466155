// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {

/// Pseudo-costs learn the gains of the branches that made the nodes of a round.
void learn(SearchState& search, Round const& round, NodeAnswers const& answers);

/// Strong branching where rounds have room for it: some pivots of both sides of the columns that
/// are not known yet. The branches of the answers become the ones that are best after it.
void tryBranches(SearchState& search, Round const& round, NodeAnswers& answers);

}  // namespace osi_cuda::search
