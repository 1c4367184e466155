// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/simplex/working_problem.hpp"

namespace osi_cuda {

/// A point inside, scaled, that the simplex method takes over from an interior point method. Empty
/// vectors: there is none.
struct InteriorStart {
  /// By variable: where the nonbasic ones begin; those strictly between their bounds are pushed to
  /// one. Others are ignored.
  std::vector<double> value;
  std::vector<double> multiplier;  ///< by constraint
};

/// A basis in the terms of the form, by variable.
struct StartingBasis {
  std::vector<char> basic;    ///< as many as there are rows
  std::vector<double> value;  ///< of nonbasic variables: where they rest; of others a bound or 0
};

/// The basis to start from. An empty one is the slack basis; where too few variables are basic,
/// slacks fill up; a bound that is infinite is replaced by the other one.
StartingBasis startingBasis(StandardForm const& form, Basis const& start, BoundsView const& bounds);

}  // namespace osi_cuda
