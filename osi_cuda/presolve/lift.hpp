// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/presolve/presolve.hpp"

/// From the proof that a smaller problem is infeasible to one of the given problem.
namespace osi_cuda {

/// Makes an engine of sparse factors; empty: there is none.
using FactorsMaker = std::function<std::unique_ptr<Engine>(EngineOptions const&)>;

/// What `reduced`, the infeasible smaller problem's solution with its Farkas multipliers, proves in
/// the given problem `lp`: multipliers of its rows that stand up to the verifier there, with the
/// basis they belong to; the point is that of the postsolve. Nothing where the multipliers that
/// follow are no proof, or one that hardly more than rounding carries: then the problem has to be
/// solved. Nothing as well where the budget ends. Throws what Presolved::postsolve throws, and
/// std::bad_alloc.
std::optional<Solution> liftInfeasibility(FactorsMaker const& factors, LinearProgram const& lp,
                                          Presolved const& presolved, Solution const& reduced,
                                          Options const& options, Budget& budget);

}  // namespace osi_cuda
