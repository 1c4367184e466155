// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

/// What variants of a test change.
struct VariantDraw {
  int count = 30;
  bool costs = true, bounds = true, rows = true, coefficients = true;
};

/// Draws variants of a problem, the same on every machine: each changes up to six numbers by
/// multiples of 1/4. Some have no point, some no optimum, some cross bounds.
PackedVariants randomVariants(LinearProgram const& lp, std::uint64_t seed,
                              VariantDraw const& draw = {});

/// A problem with coefficients of 2^40 to 2^60 where `lp` has others, and one variant that has all
/// of them as in `lp` again: the same problem, unless something of the large ones stays behind.
struct Restored {
  LinearProgram large;
  PackedVariants variants;
};
Restored restoredVariant(LinearProgram const& lp, std::uint64_t seed);

/// The problem that variant k is.
LinearProgram variantOf(LinearProgram const& lp, PackedVariants const& variants, std::size_t k);

}  // namespace osi_cuda::testing
