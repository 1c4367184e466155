// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "osi_cuda/barrier/elimination_order.hpp"
#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda::barrier {

/// What a normal matrix of order p is made of: M = sum of w_k a_k a_k' + a diagonal over lines a_k,
/// sparse vectors of length p. By rows, lines are the columns of A; by columns, its rows.
///
/// The product of a long line with itself would fill M. It is kept as a node of its own instead:
///
///     [ M without it      sqrt(w) a ]
///     [ sqrt(w) a'           -1     ]
///
/// has the same solution. Such a matrix is quasidefinite: whatever the order of elimination, pivots
/// of the first kind are positive and those of kept lines negative (Vanderbei 1995).
struct NormalLines {
  SparseMatrix const& lines;   ///< a_k, order x number of lines
  SparseMatrix const& across;  ///< its transpose
  std::vector<int> kept;       ///< lines that become the nodes order, order + 1, ...
};

/// How a normal matrix is factored: a tree of fronts, small dense matrices whose first nodes are
/// eliminated together, the rest being added to the parent's (Duff and Reid 1983). Found from the
/// pattern alone, so that time and memory are known before a number is computed.
struct FrontTree {
  struct Front {
    int pivots = 0;     ///< nodes that it eliminates
    int size = 0;       ///< of the dense matrix
    int children = 0;   ///< fronts directly before it, each with its subtree, that are added to it
    char negative = 0;  ///< its pivots are kept lines
    std::int64_t rows = 0;   ///< place of its nodes in `rows`
    std::int64_t panel = 0;  ///< place of its columns of the factor
  };
  std::vector<Front> fronts;  ///< children before parents, each subtree in one piece
  std::vector<int> rows;      ///< nodes by their place in the order of elimination, ascending
  std::vector<int> placeOf;   ///< by node
  double operations = 0.0;    ///< of the factor, as seconds of dense products would have it
  std::int64_t entries = 0;   ///< numbers of all panels
  std::int64_t stack = 0;     ///< numbers of the rests that are on the way to their parents
};

/// What any factor of a normal matrix takes at least, whatever its order of elimination: its
/// entries, with the diagonal, and multiplications.
struct FactorBound {
  double entries = 0.0, operations = 0.0;
};
/// Of a matrix of `order` with so many entries below its diagonal, none of which an order saves.
FactorBound factorBound(int order, double entries);

/// How many entries M has below its diagonal, kept lines left out; no more than `enough` are
/// counted. Long lines are united 64 nodes at a time. `pause` is called often; what it throws
/// passes through.
double entriesOf(NormalLines const& normal, double enough, std::function<void()> const& pause);

/// The tree for an order of little fill. Ends early with no fronts where more than `mostWork`
/// operations would be needed. `pause` is called often; what it throws passes through.
FrontTree plantFronts(NormalLines const& normal, double mostWork,
                      std::function<void()> const& pause);

}  // namespace osi_cuda::barrier
