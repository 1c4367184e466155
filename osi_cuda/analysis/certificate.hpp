// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/exact_certificate.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/rational/meanings.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {

/// The proof of the exact status of `solution`, a solution of `lp`, from its basis, multipliers or
/// ray: ExactProof::status, or else its own.
/// The numbers are computed anew, so that no solve carries them along. A solve with Options::exact
/// ends at a basis that has a proof; without it a basis may be refused that is optimal within
/// tolerances only. `numbers` are those of that solve. `stop` is polled and may be empty.
ExactCertificate certificateOf(LinearProgram const& lp, Solution const& solution,
                               std::function<bool()> stop = {},
                               ExactNumbers numbers = ExactNumbers::automatic,
                               rational::Meanings const* fractions = nullptr);

/// Solver::solve, where exact proofs that are asked for are of `fractions` (proveExactly).
Solution solveExactly(Solver& solver, Options const& options, Callbacks const& callbacks,
                      rational::Meanings const& fractions);

/// Whether rational arithmetic is worth its time for what an analysis states about this basis:
/// `proofs` times the work of a proof is expected to take a second at most and a quarter of the
/// time limit. Options::exact asks for it always or never.
bool worthExact(LinearProgram const& lp, Basis const& basis, Options const& options,
                double proofs = 1.0);

/// Proves a status on which an analysis builds in rational arithmetic where that is worth it, also
/// where the status leaves no doubt by itself: signs of reduced costs and objectives are exact
/// then. True: Solution::exact is a proof. Else the solution stays what it was, but for its basis:
/// that is the proved one where doubles miss the point of a proved basis. `proofs`: of so many of
/// that kind this is one.
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
