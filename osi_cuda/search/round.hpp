// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <future>
#include <vector>

#include "osi_cuda/search/search_state.hpp"

namespace osi_cuda::search {

/// A dive, or a point whose continuous columns are to be completed.
struct Probe {
  std::vector<BoundChange> bounds;
  std::int64_t start = -1;  ///< where it begins
  bool completes = false;
  DiveRule rule = DiveRule::nearest;
  std::size_t tried = 0;  ///< changes at the end of `bounds` that its last step made
  int retreats = 0;       ///< steps that were taken back so far
  int pauses = 0;         ///< rounds that it has not ended in
};

/// Nodes whose linear programs are solved together, and probes behind them.
struct Round {
  std::vector<int> nodes;
  std::vector<Probe> probes;
  NodeList list;
  NodeCall call;
  BatchResults answers;
  std::future<void> done;  ///< not valid: nothing is under way
};

/// The two rounds of a search, of which one may be under way beside the other.
class Rounds {
 public:
  explicit Rounds(SearchState& search) : search_(search) {}

  /// Takes nodes, and the probes with them; null: there are none, or a limit was reached.
  /// `underWay`: nodes of another round.
  Round* next(std::size_t underWay, std::vector<Probe>& probes);
  /// Solves its linear programs: at once, or on a device behind this thread's back.
  void begin(Round& round);
  void wait(Round& round);
  /// The lowest bound of what is open, under way or closed, but no better than the incumbent.
  double boundOfAll() const;

 private:
  /// How many nodes the next round may have beside those under way; 0: a limit was reached.
  std::size_t roomOf(std::size_t underWay);

  SearchState& search_;
  Round rounds_[2];
  std::atomic<bool> stops_{false};
};

}  // namespace osi_cuda::search
