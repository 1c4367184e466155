// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/rational/watch.hpp"

namespace osi_cuda::rational {

/// Where exact pivots ended.
enum class PivotsEnd {
  optimal,     ///< no variable improves the objective
  infeasible,  ///< none reduces the sum of the infeasibilities
  unbounded,   ///< a variable improves the objective, and nothing limits it
  stopped,     ///< Limits::stop said so, or no pivots were left
  tooLarge     ///< more memory would have been needed than Limits::memory
};

/// What exactPivots() found. It claims nothing: checkBasis, proveInfeasible and proveUnbounded do.
struct ExactPivots {
  PivotsEnd end = PivotsEnd::stopped;
  Basis basis;              ///< the last one
  std::int64_t pivots = 0;  ///< and bound flips
  /// infeasible: of each variable -1 where it is below its bounds, +1 above them, else 0; all 0
  /// where bounds cross
  std::vector<int> weights;
  int variable = -1;  ///< unbounded: the entering variable
  int direction = 0;  ///< unbounded: +1 where it increases
};

/// The bounded primal simplex method with every number a rational: phase 1 on the sum of
/// infeasibilities, then phase 2, each basis solved anew by Lifting. Nothing is a matter of
/// tolerances, so that it ends with every problem whose bounds do not cross: the entering variable
/// is that of the largest reduced cost, and by Bland's rule (1977) after a few pivots of length 0
/// in a row. Meant for the last few pivots of small problems: each costs some solves in rationals.
///
/// A basis that is singular is repaired by rows in place of dependent columns; one that is none is
/// replaced by that of all rows.
ExactPivots exactPivots(LinearProgram const& lp, Basis start, Limits limits = {},
                        std::int64_t mostPivots = std::numeric_limits<std::int64_t>::max());

/// A basis with rows in place of columns, as BasisCheck::dependent names both.
Basis repaired(Basis basis, std::vector<int> const& dependent);

}  // namespace osi_cuda::rational
