// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::stress {

/// Kinds of small problems whose numbers leave doubles no room.
enum class HardNumbers {
  magnitudes,      ///< coefficients 2^50 apart side by side
  nearDuplicates,  ///< rows and columns that differ in the last bits
  farBounds,       ///< bounds of 1e20 to 1e40 beside bounds of 1
  integers,        ///< coefficients, costs and sides near 2^53
  singletons,      ///< rows with one coefficient of 1e-12 beside others of 1
  costs,           ///< costs of 1e30, on all columns or on some
  degenerate       ///< assignments, with ties everywhere
};
inline constexpr int hardNumbersKinds = 7;
char const* toString(HardNumbers kind);

/// The problem of that seed, the same on every machine; some have no optimum.
LinearProgram hardNumbers(HardNumbers kind, std::uint64_t seed);

/// Degenerate vertices and coefficients of different magnitude: 20 to 40 rows on which Dantzig's
/// rule without perturbations cycles now and then.
LinearProgram cyclingProblem(std::uint64_t seed);

}  // namespace osi_cuda::stress
