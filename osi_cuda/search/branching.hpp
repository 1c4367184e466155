// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/proof/implied_bounds.hpp"
#include "osi_cuda/search/node_proof.hpp"
#include "osi_cuda/search/saved_search.hpp"

namespace osi_cuda::search {

/// Values are whole within this much, for the choice of branches alone.
inline constexpr double wholeTolerance = 1e-6;

/// Where a node is split: x <= value on the one side, x >= next on the other. Number n + s instead
/// of a column is set s: the nonzeros of a set of type t are at places <= value or >= next, counted
/// from 0, of which value + 1 - next = t - 1 are on both sides.
struct Branch {
  int column = -1;  ///< -1: nothing is left to be decided
  double value = 0.0, next = 0.0;
  double below = 0.0, above = 0.0;  ///< how far the node's value is from either side
  bool isFractional = false;        ///< false: the values are whole to the tolerance
};

/// The branch of an integer column at a value; whole values are on the side that the bounds leave
/// room for.
Branch branchAt(int column, double x, double lower, double upper);

/// Sets among the changes become bounds of their columns.
void spreadSets(LinearProgram const& problem, std::vector<BoundChange>& changes);

/// The mean gain of the objective for each unit that a branch moves a column, or the columns of a
/// set, as branches showed it (Benichou et al. 1971); those without a branch are means over all.
class PseudoCosts {
 public:
  explicit PseudoCosts(LinearProgram const& problem);

  void learn(int column, bool up, double distance, double gain);
  void save(SavedSearch& saved) const;
  void restore(SavedSearch const& saved);
  /// How often both sides of a column were seen, at least.
  int known(int column) const;

  /// The branch with the largest product of both gains among fractional columns, those in a gap,
  /// and sets of the first priority with a nonzero too many. Without any to the tolerance: the one
  /// that is off most; or any that the node's bounds leave open.
  Branch choose(std::span<double const> x, proof::ImpliedBounds const& box) const;
  /// The `count` best fractional ones whose gains were seen less than `enough` times.
  std::vector<Branch> unknown(std::span<double const> x, proof::ImpliedBounds const& box,
                              std::size_t count, int enough) const;

 private:
  struct Gains {
    double sum = 0.0;
    int count = 0;
  };
  double expected(int column, bool up) const;
  double score(Branch const& branch) const;
  /// Calls take(branch, priority) for every branch that the bounds leave, fractional or not.
  template <class Take>
  void each(std::span<double const> x, proof::ImpliedBounds const& box, Take const& take) const;

  LinearProgram const& problem_;
  std::vector<int> integers_;
  int const firstPriority_;
  std::vector<Gains> gains_[2];  ///< down, up; by column
  Gains all_[2];
};

}  // namespace osi_cuda::search
