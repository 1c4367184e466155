// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {

/// Tries to close an end of the enclosure of an optimum that its own multipliers leave infinite: by
/// finite bounds that rows imply, then by multipliers of slightly changed costs, which give the
/// basic variables reduced costs of the right sign instead of rounding. `engine` holds the basis of
/// `solution`; null: only the first. Some dozens of passes over the matrix and a few solves with
/// the basis: not for solves of a few pivots. It ends early with the budget, and where there is no
/// memory.
void closeEnclosure(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                    Budget const& budget, Solution& solution);

/// Whether that takes at most some hundredths of the time of the solve on any engine.
bool enclosingIsQuick(LinearProgram const& lp, std::int64_t iterations);

}  // namespace osi_cuda
