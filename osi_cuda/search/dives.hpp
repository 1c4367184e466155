// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {

/// The probes of the next round: dives that go on, new ones in place of those that ended, and
/// points whose continuous columns are to be completed. A dive decides, in each round, a part of
/// its open choices: columns to whole numbers or out of gaps, columns of sets beside the largest
/// neighbours to 0. A step that leaves no point is made again by half, and a single integer column
/// goes to the other side.
void addProbes(SearchState& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes);

/// All choices made as `x` makes them, or nearly; integers rounded to the nearest or by locks.
/// `start`: where it begins.
Probe completion(SearchState const& search, std::vector<double> x, bool byLocks,
                 std::int64_t start);

/// Pseudo-costs learn the gains of the branches that made the nodes of a round.
void learn(SearchState& search, Round const& round, NodeAnswers const& answers);

/// Strong branching where rounds have room for it: some pivots of both sides of the columns that
/// are not known yet. The branches of the answers become the ones that are best after it.
void tryBranches(SearchState& search, Round const& round, NodeAnswers& answers);

}  // namespace osi_cuda::search
