// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "osi_cuda/search/jumps.hpp"

namespace osi_cuda::search {

class NodeAnswers;
struct Probe;
struct Round;
struct SearchState;

/// The jumps of a search: some work between rounds, as much as the pivots of the rounds allow.
class LocalSearch {
 public:
  /// Works on, or begins at the best point of the round. What is found is offered to the incumbent;
  /// where columns are continuous, a probe completes it. Nothing where the problem has sets or
  /// semicontinuous columns: jumps know whole numbers alone.
  void afterRound(SearchState& search, Round const& round, NodeAnswers const& answers,
                  std::vector<Probe>& probes);

 private:
  void beginAt(SearchState& search, Round const& round, NodeAnswers const& answers);
  /// Entries that may be looked at after these pivots more.
  double earned(SearchState const& search);

  std::optional<Jumps> jumps_;
  double credit_ = 0.0;  ///< entries that may be looked at
  double share_ = 1.0 / 128.0;
  std::int64_t pivots_ = 0;  ///< for which there was credit
};

}  // namespace osi_cuda::search
