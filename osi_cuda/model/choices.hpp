// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda {

/// A special ordered set (Beale and Tomlin 1970): of its columns at most `type` are nonzero, and
/// two only as neighbours in the order of the set.
struct OrderedSet {
  std::string name;             ///< empty: none
  int type = 1;                 ///< 1 or 2
  int priority = 0;             ///< sets of lower numbers are branched on first
  std::vector<int> columns;     ///< distinct, in the order of their weights
  std::vector<double> weights;  ///< of the columns; they do not descend

  bool operator==(OrderedSet const&) const = default;
};

/// A column that is 0 or beyond a threshold, within its bounds: x <= 0 or x >= on where `on` is
/// positive, x >= 0 or x <= on where it is negative; where it is 0 nothing is left out.
struct SemicontinuousColumn {
  int column = 0;
  double on = 0.0;

  double gapBegin() const { return on < 0.0 ? on : 0.0; }  ///< the column is not between these
  double gapEnd() const { return on < 0.0 ? 0.0 : on; }

  bool operator==(SemicontinuousColumn const&) const = default;
};

/// What a linear program leaves out of a problem, besides integer columns.
struct Choices {
  std::vector<OrderedSet> sets;
  std::vector<SemicontinuousColumn> semicontinuous;  ///< ascending by column

  bool empty() const { return sets.empty() && semicontinuous.empty(); }
  /// Makes column j, whose bounds these are and become those of the relaxation, 0 or within them;
  /// columns come in ascending order.
  void addSemicontinuous(int j, double& lower, double& upper);
  /// Sorts the columns of each set by their weights.
  void sortSets();
  /// The columns get these numbers; those with -1 go, from their sets as well.
  void renumber(std::vector<int> const& newNumbers);

  bool operator==(Choices const&) const = default;
};

}  // namespace osi_cuda
