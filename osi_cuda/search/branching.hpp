// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/proof/implied_bounds.hpp"
#include "osi_cuda/search/node_proof.hpp"
#include "osi_cuda/search/saved_search.hpp"

namespace osi_cuda::search {

/// Values are whole within this much, for the choice of branches alone.
inline constexpr double wholeTolerance = 1e-6;

/// Where a node is split: x <= value on the one side, x >= value + 1 on the other.
struct Branch {
  int column = -1;  ///< -1: every integer column is fixed
  double value = 0.0;
  double below = 0.0, above = 0.0;  ///< how far the node's value is from either side
  bool isFractional = false;        ///< false: the values are whole to the tolerance
};

/// The mean gain of the objective for each unit that a branch moves a column, as branches showed it
/// (Benichou et al. 1971); those of columns without a branch are means over all columns.
class PseudoCosts {
 public:
  explicit PseudoCosts(LinearProgram const& problem);

  void learn(int column, bool up, double distance, double gain);
  void save(SavedSearch& saved) const;
  void restore(SavedSearch const& saved);
  /// How often both sides of a column were seen, at least.
  int known(int column) const;

  /// The fractional column with the largest product of both gains. Where all are whole to the
  /// tolerance: the one that is off most; or any that the node's bounds do not fix.
  Branch choose(std::span<double const> x, proof::ImpliedBounds const& box) const;
  /// The `count` best fractional columns whose gains were seen less than `enough` times.
  std::vector<int> unknown(std::span<double const> x, std::size_t count, int enough) const;

 private:
  struct Gains {
    double sum = 0.0;
    int count = 0;
  };
  double expected(int column, bool up) const;
  double score(int column, double fraction) const;

  LinearProgram const& problem_;
  std::vector<int> integers_;
  std::vector<Gains> gains_[2];  ///< down, up; by column
  Gains all_[2];
};

/// The branch of a column at a value; whole values are on the side that the bounds leave room for.
Branch branchAt(int column, double x, double lower, double upper);

}  // namespace osi_cuda::search
