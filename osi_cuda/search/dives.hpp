// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {

/// The probes of the next round: dives that go on, new ones in place of those that ended, and
/// points whose continuous columns are to be completed. A dive fixes, in each round, the quarter of
/// its fractional integer columns that is nearest to whole numbers.
void addProbes(SearchState const& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes);

}  // namespace osi_cuda::search
