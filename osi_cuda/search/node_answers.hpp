// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/search/round.hpp"

namespace osi_cuda::search {

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
