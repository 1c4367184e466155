// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include "osi_cuda/model/callbacks.hpp"

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/solve/solver.hpp"

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

/// A problem of an analysis' own that is solved again and again with a few changes, within what is
/// left of one budget. Its objective is no matter of a caller's limit, and of what the solves tell
/// nothing reaches the caller but his wish to stop.
struct Resolves {
  Solver solver;
  Options options;
  Callbacks callbacks;
  Budget& budget;

  Resolves(Options const& asked, Callbacks const& outer, Budget& whole);
  /// A solve from the last basis, settled where `wanted(status)`; `tolerance`: of exact points.
  Solution solveSettled(double proofs, bool (*wanted)(Status),
                        std::optional<double> tolerance = {});
  /// Within the tolerances.
  Solution solve() {
    return solveSettled(0.0, [](Status) { return false; });
  }
  /// Column j, or row i for n + i.
  void setBounds(int variable, double lower, double upper);
};

}  // namespace osi_cuda
