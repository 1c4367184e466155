// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::search {

/// What a search needs to go on in another process, and how far it had come. Numbers are those of
/// the problem as it is minimised.
struct SavedSearch {
  struct Change {
    int column = 0;
    bool upper = false;
    double value = 0.0;
  };
  /// Its parent with one bound changed, of a column or a set (Branch). Those without children are
  /// open.
  struct Node {
    std::int64_t name = 0, parent = -1;
    Change change;
    double bound = 0.0, distance = 0.0;
  };
  /// The gains of branches of a column, down or up.
  struct Gains {
    int column = 0;
    bool up = false;
    double sum = 0.0;
    int count = 0;
  };

  std::int64_t nodes = 0, iterations = 0, solves = 0, doubts = 0;
  std::int64_t names = 0;                       ///< of nodes that have been given
  double seconds = 0.0;                         ///< of searching, over all processes
  double closed = 0.0;                          ///< the lowest bound of a leaf
  double absoluteGap = 0.0, relativeGap = 0.0;  ///< by which leaves were closed
  bool trusts = false;                          ///< bounds rest on objectives within tolerances
  std::vector<double> point;                    ///< the incumbent, length n; empty: none
  std::vector<Change> everywhere;               ///< bounds that all better points have
  std::vector<Gains> gains;
  std::vector<Node> tree;  ///< parents before their children
};

/// A line for each item, with what problem `lp` it belongs to and a checksum: at most about 100
/// bytes for each node.
std::string textOf(SavedSearch const& saved, LinearProgram const& lp);

/// Reads the text. Throws std::invalid_argument, with the reason, for what is no such text, a
/// damaged one, or that of another problem.
SavedSearch readSavedSearch(std::string_view text, LinearProgram const& lp);

}  // namespace osi_cuda::search
