// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "osi_cuda/solver_state.hpp"

/// What a solver leaves to the engine with more digits.
namespace osi_cuda {

/// Goes on from a solve that ended without a status, with the engine that has more digits. Counts
/// are those of both together.
Solution finishPrecisely(EngineMakers const& makers, LinearProgram const& lp,
                         StandardForm const& form, Solution&& before, double residualBefore,
                         Options const& options, Callbacks const& callbacks, Budget& budget);

/// The solution of a start basis that is optimal as it stands, without a pivot: an engine in double
/// precision may not be able to hold it. Nothing where the basis is that of the slacks or is not
/// optimal.
std::optional<Solution> confirmStart(EngineMakers const& makers, LinearProgram const& lp,
                                     StandardForm const& form, Basis const& start,
                                     Options const& options, Callbacks const& callbacks,
                                     Budget& budget);

}  // namespace osi_cuda
