// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/engine/engine.hpp"

/// Random perturbations against degeneracy. They are removed before a status is claimed.
namespace osi_cuda {

/// Costs moved away from ties, each by a random share of `size` (1 + |c_j|), in the direction that
/// keeps a dual feasible point dual feasible. Fixed and free variables keep theirs.
/// By variable, like all vectors here.
std::vector<double> perturbCosts(std::vector<double> const& cost, std::vector<double> const& lower,
                                 std::vector<double> const& upper, Snapshot const& point,
                                 double size, std::uint64_t seed);

/// Finite bounds widened, each by a random share of `size` (1 + |bound|), so that a primal feasible
/// point stays feasible. Fixed nonbasic variables keep theirs.
void perturbBounds(std::vector<double>& lower, std::vector<double>& upper, Snapshot const& point,
                   double size, std::uint64_t seed);

}  // namespace osi_cuda
