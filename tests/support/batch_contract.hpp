// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/model/solution.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::testing {

// What batches and variants have to do on every engine. tests/batch has these as cases on the
// processor, tests/cuda on a device; the options say which.

/// The problems of `count` seeds from `first` on; problem k has at most sizes[k % length] rows and
/// columns.
std::vector<RandomLp> randomLps(std::uint64_t first, int count, std::vector<int> const& sizes,
                                bool emptyDimensions = true);
std::vector<LinearProgram> problemsOf(std::vector<RandomLp> const& made);

/// The problem by itself on the processor, one thread.
Solution solvedAlone(LinearProgram const& lp);
/// Status and objective of answer k are those of the problem by itself, and its proof stands.
void checkAsAlone(LinearProgram const& lp, BatchResults const& results, std::size_t k);

/// The known answers and their proofs, by every rule of pricing; the ordinary solver has few.
void checkKnownAnswers(std::vector<RandomLp> const& made, BatchOptions options);
void checkAsAlone(std::vector<LinearProgram> const& problems, BatchOptions const& options);
/// By `one` and by `other`, again and in another order, by one solver.
void checkSameBits(std::vector<LinearProgram> const& problems, BatchOptions const& one,
                   BatchOptions const& other);
/// What a problem that is no problem leaves of the others, and what becomes of it.
void checkBadProblems(std::vector<LinearProgram> const& problems, BatchOptions const& options);

/// Each variant is as the problem that it is by itself; the second solves them, returns the
/// results.
void checkVariants(LinearProgram const& lp, PackedVariants const& variants,
                   BatchResults const& results);
BatchResults checkVariants(LinearProgram const& lp, Basis const& basis,
                           PackedVariants const& variants, VariantOptions const& options);
/// The same of random variants of each problem from its optimal basis; the ordinary solver has few.
void checkRandomVariants(std::vector<RandomLp> const& made, VariantOptions const& options);
/// Random variants of each problem from the bases where they, and others, have ended.
void checkStarts(std::vector<RandomLp> const& made, VariantOptions options);
/// Those with other bounds, until the dual objective passes one of their optima: what ends there is
/// beyond it, as its multipliers prove.
void checkCutoffs(std::vector<RandomLp> const& made, VariantOptions options);
/// By `one` and by `other`, again and in another order, alone and without points.
void checkSameBits(LinearProgram const& lp, PackedVariants const& variants,
                   VariantOptions const& one, VariantOptions const& other);

}  // namespace osi_cuda::testing
