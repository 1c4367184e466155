// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {

/// The probes of the next round: dives that go on, new ones in place of those that ended, and
/// points whose continuous columns are to be completed. A dive fixes, in each round, a part of its
/// fractional integer columns; a step that leaves no point is made again by half, and a single
/// column goes to the other side.
void addProbes(SearchState& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes);

/// Lets the local search work as long as the round's pivots allow, from the best point of the round
/// when it begins anew. What it finds is offered to the incumbent; where columns are continuous, a
/// probe completes it.
void jumpToPoints(SearchState& search, Round const& round, NodeAnswers const& answers,
                  std::vector<Probe>& probes);

}  // namespace osi_cuda::search
