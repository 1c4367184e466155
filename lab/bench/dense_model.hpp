// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::bench {

/// The finalizer of SplitMix64.
std::uint64_t mix(std::uint64_t z);

/// Number k of the stream of that seed.
std::uint64_t random(std::uint64_t seed, std::uint64_t k);

/// Dense linear programs max c'x, A x <= b, x >= 0 with entries of A uniform in [-1, 1) in steps of
/// 1e-6, from counters through SplitMix64, so that a problem is the same everywhere:
///
///     signed   b = A x0 + s and c = A'y0 - z with x0, y0, s, z > 0: the slack basis is neither
///              primal nor dual feasible
///     origin   the same with x0 = 0: the slack basis is primal feasible
///     uniform  entries of A in [0, 1), c within 5 % of 1 and b within 5 % of n / 4: the slack
///              basis is primal feasible, and all columns and all rows are alike
///     free     nothing is planted: c uniform in [-1, 1), b in [-1, 1) sqrt(n): optimal,
///              infeasible or unbounded as it comes
enum class DenseFamily { origin, mixed, uniform, free };

/// "origin", "signed", "uniform", "free", in the order of DenseFamily.
std::vector<std::string> const& familyNames();

/// The family of that name; nothing: there is none.
std::optional<DenseFamily> familyOf(std::string const& name);

std::string nameOf(DenseFamily family);
/// "origin 1000 x 500"
std::string problemName(DenseFamily family, int rows, int columns);

/// b and c carry 7 decimals, exactly rounded. Filled by all threads. `asArray`: the matrix stands
/// on an array, which copies share; else it has indices, too, as free ones always have. Theirs are
/// filled by one thread, all numbers in steps of 1e-6 but b's factor.
LinearProgram denseModel(DenseFamily family, int rows, int columns, std::uint64_t seed,
                         bool asArray = false);

/// Sum over all elements of A of (1 + (j m + i) mod 1000003) K_ij mod 2^64, K = 1e6 A, and the same
/// of b and c with 1e7: what another implementation of the generator compares.
struct CheckSums {
  std::uint64_t a = 0, b = 0, c = 0;
};
CheckSums checkSums(LinearProgram const& lp);

}  // namespace osi_cuda::bench
