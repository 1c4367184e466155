// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "osi_cuda/search/node_pool.hpp"

namespace osi_cuda::search {

/// Writes the proof of a tree as lines of text, in the order in which the search comes to them; see
/// docs/reference/formats.md. Numbers are decimals that stand for the nearest double.
///
///     osi_cuda tree 1 COLUMNS ROWS         what the model has
///     implied COLUMN lower|upper VALUE     a bound that rows and bounds imply
///     multipliers ROW VALUE ...            of rows; counted from 0, they are named by their number
///     node NAME PARENT COLUMN lower|upper VALUE   a child: its parent with that bound
///     bound NAME MULTIPLIERS               they bound the objective of the node
///     empty NAME [MULTIPLIERS]             they prove that it has no point; or its bounds cross
///     fix COLUMN lower|upper VALUE MULTIPLIERS  they bound the objective of the points beyond
///     point COLUMN VALUE ...               the incumbent's nonzeros
///     claim VALUE                          no point is better; minimised. inf: there is none
class TreeFile {
 public:
  /// Nothing is written where `sink` is empty. `rows`: the number of each row in the model.
  TreeFile(std::function<void(std::string_view)> sink, std::span<int const> rows);

  bool isOpen() const { return static_cast<bool>(sink_); }
  void begin(int columns, int rows);
  void implied(BoundChange const& change);
  /// Returns their number.
  std::int64_t multipliers(std::span<double const> y);
  void node(NodePool::Node const& child, std::int64_t parent);
  void bound(std::int64_t node, std::int64_t multipliers);
  /// `multipliers` < 0: bounds cross.
  void empty(std::int64_t node, std::int64_t multipliers);
  void fix(BoundChange const& change, std::int64_t multipliers);
  void end(std::span<double const> point, double bound);

 private:
  void add(std::string_view word);
  void add(double value);
  void add(std::int64_t value);
  void add(BoundChange const& change);
  void line();

  std::function<void(std::string_view)> const sink_;
  std::span<int const> const rows_;
  std::string text_;
  std::int64_t written_ = 0;  ///< lines of multipliers
};

}  // namespace osi_cuda::search
