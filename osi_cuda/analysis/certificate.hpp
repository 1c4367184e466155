// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>

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

}  // namespace osi_cuda
