// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/simplex/starting_basis.hpp"

namespace osi_cuda {

/// Medians of the m smallest stiffnesses and of the others, zeros and infinities apart; 1 where
/// there is no other. At a strictly complementary point they are those of the basic and of the
/// nonbasic variables, whatever the scale of the problem.
struct MiddleStiffness {
  double basic, nonbasic;
};
MiddleStiffness middleStiffness(std::vector<double> stiffness, std::size_t m);

/// Where the simplex method takes over from an interior point.
struct CrossoverStart {
  Basis basis;  ///< in the terms of the problem; its columns may be dependent
  /// Nonbasic variables that the interior point has strictly between their bounds keep their
  /// places, from where they are pushed to a bound; the others rest on one.
  InteriorStart inside;
  int between = 0;  ///< how many of them are strictly between
};

/// The m variables that move most easily (smallest stiffness) are basic, as at a vertex that the
/// interior point is near; the others are nonbasic. Of sparse problems only variables are basic
/// whose columns are well independent; dense ones have no others, mostly, and what there is is for
/// the factorisation to find. `threads`: of BLAS, at most. Where `stop` answers true, more slacks
/// are basic.
CrossoverStart startOf(StandardForm const& form, BarrierPoint const& point, int threads = 1,
                       std::function<bool()> const& stop = {});

}  // namespace osi_cuda
