// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/search/node_answers.hpp"

namespace osi_cuda::search {

/// Nodes of a round that has been looked at: each is closed by a proof, which is written, or split,
/// or open again.
class Settling {
 public:
  Settling(SearchState& search, BatchResults& answers) : search_(search), answers_(answers) {}

  void settle(int node, std::size_t k, Evaluated& found);
  /// One node by the ordinary solver and rational arithmetic, where variants prove nothing.
  void solveAlone(int node, std::size_t k, Evaluated& found);

 private:
  void split(int node, double bound, Evaluated const& found, std::int64_t start);
  /// The number of the multipliers of an answer in the proof.
  std::int64_t written(std::size_t k);

  SearchState& search_;
  BatchResults& answers_;
};

}  // namespace osi_cuda::search
