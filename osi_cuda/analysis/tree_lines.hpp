// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace osi_cuda {

/// A bound of a column, as a line has it.
struct LineChange {
  int column = 0;
  bool upper = false;
  double value = 0.0;
};

struct TreeNode {
  std::int64_t parent = -1;
  LineChange change;
  std::vector<std::int64_t> children;
  std::vector<std::size_t> bounds;           ///< multipliers
  std::optional<std::size_t> contradiction;  ///< multipliers
};

/// What a search wrote (search/tree_file.hpp), by its lines.
struct TreeLines {
  std::vector<std::string_view> multipliers;  ///< see multipliersIn
  std::map<std::int64_t, TreeNode> nodes;
  std::vector<std::pair<LineChange, std::size_t>> fixes;  ///< with multipliers
  std::vector<LineChange> implied;
  std::optional<double> claim;  ///< minimised; none: the search did not end
};

/// Takes apart what is well-formed; the views are of `lines`.
TreeLines readTree(std::string_view lines);
/// Rows and their multipliers.
std::vector<std::pair<int, double>> multipliersIn(std::string_view line);

}  // namespace osi_cuda
