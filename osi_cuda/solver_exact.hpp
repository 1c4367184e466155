// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/budget.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/simplex/callbacks.hpp"

namespace osi_cuda {

/// Tries to prove the status of `solution` (optimal, infeasible or unbounded; nothing is done for
/// others) in rational arithmetic from its basis and certificate, within the budget, and fills in
/// Solution::exact. The status stays what it is. A basis that is refused goes back to the simplex
/// method with the exact differences that are left (rational/remainder.hpp), until one is proved.
/// Then the solution is that of this basis, in the doubles nearest to it; until then it stays what
/// it was.
void proveExactly(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
                  Budget& budget, Solution& solution);
/// The same of a solution that others found, within the limits of `options`.
void proveExactly(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
                  Solution& solution);

}  // namespace osi_cuda
