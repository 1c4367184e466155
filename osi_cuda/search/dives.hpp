// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {

/// The probes of the next round: dives that go on, new ones in place of those that ended, and
/// points whose continuous columns are to be completed. A dive decides, in each round, the
/// quarter of its open choices that is nearest to being kept: columns to whole numbers or out of
/// gaps, columns of sets beside the largest neighbours to 0.
void addProbes(SearchState const& search, Round const& round, NodeAnswers const& answers,
               std::vector<Probe>& probes);

}  // namespace osi_cuda::search
