// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// Whether rational arithmetic is worth its time for what an analysis states about this basis:
/// `proofs` times the work of a proof is expected to take a second at most and a quarter of the
/// time limit. Options::exact asks for it always or never.
bool worthExact(LinearProgram const& lp, Basis const& basis, Options const& options,
                double proofs = 1.0);

/// Proves a status on which an analysis builds in rational arithmetic where that is worth it, also
/// where the status leaves no doubt by itself: signs of reduced costs and objectives are exact
/// then. True: Solution::exact is a proof. Else the solution stays what it was. `proofs`: of so
/// many of that kind this is one.
bool settle(LinearProgram const& lp, Options options, Callbacks const& callbacks,
            Solution& solution, double proofs = 1.0);

}  // namespace osi_cuda
