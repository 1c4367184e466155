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

/// What became of a node in a round.
struct Evaluated {
  enum class End { stopped, paused, open, empty, unknown };
  End end = End::unknown;
  double bound = -infinity;      ///< proved
  double objective = -infinity;  ///< of its linear program
  Branch branch;
  std::vector<int> missing;   ///< columns that its linear program lacks
  std::vector<double> point;  ///< an integer point, where one was found
  double value = infinity;    ///< its objective
};

/// The answers of a round, looked at over threads: what is proved of each node, its branch, and
/// the points that come of it.
class NodeAnswers {
 public:
  NodeAnswers(SearchState& search, Round const& round);

  std::vector<Evaluated> found;  ///< by nodes and probes
  /// Of nodes with the lowest objectives: points are made of them.
  std::vector<char> promising;

  /// The proved bound of an answer, where the prover or trust gives one.
  void bound(std::size_t k, NodeProver& prover);

 private:
  struct Scratch {
    std::vector<double> x, rounded;
  };
  void choosePromising();
  /// On any thread.
  void evaluate(std::size_t k, NodeProver& prover, Scratch& own);
  int pausesOf(std::size_t k) const;
  void lookForMissing(std::size_t k, Evaluated& one) const;
  /// Keeps the point that rounding makes of own.x, where it is one and better than the one before.
  /// `moves`: rows that it misses, and better points beside it are looked for.
  void keepBest(Scratch& own, Evaluated& one, bool nearest, bool moves) const;

  SearchState& search_;
  Round const& round_;
};

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
