// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/linear_program.hpp"

/// What callers hear of the interior point method.
namespace osi_cuda {

/// The interior point as a solution of the problem.
Solution solutionOf(LinearProgram const& lp, StandardForm const& form, BarrierPoint const& point);
/// The fields of a trace event.
std::vector<TraceField> fieldsOf(BarrierState const& state);
/// Of an iteration, without its seconds.
Progress progressOf(BarrierState const& state, LinearProgram const& lp, StandardForm const& form);
/// Whether there are equations, and bounds that do not cross: those are a proof by themselves.
bool hasInterior(StandardForm const& form);

}  // namespace osi_cuda
