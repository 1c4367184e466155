// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/rational/watch.hpp"

namespace osi_cuda::rational {

// The tableau of a basis, solved in rationals. Variable j < n is column j, n + i the activity of
// row i. Every number is the double nearest to the exact one: 0 only where that is 0, or below all
// doubles.

/// The vertex of a basis; all of length n + m.
struct Vertex {
  std::vector<double> value;
  std::vector<double> roomUp, roomDown;  ///< distances to the bounds; infinite without one
  std::vector<double> price;  ///< of a column its reduced cost, of a row its dual; 0 of basic ones
};

/// Calls begin(vertex, nonbasic variables) and then, for each basic variable, row(variable, rates):
/// by how much it moves when a nonbasic one moves by 1, in the order of the nonbasic ones. One
/// solve in rationals for each row. False: the basis is none, or the limits ended it.
bool visitTableau(LinearProgram const& lp, Basis const& basis, Limits limits,
                  std::function<void(Vertex const&, std::span<int const>)> const& begin,
                  std::function<void(int, std::span<double const>)> const& row);

}  // namespace osi_cuda::rational
