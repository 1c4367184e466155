// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/engine/engine.hpp"

/// Bounds and costs other than the problem's: random perturbations against degeneracy, and what
/// makes a start feasible. They are removed before a status is claimed.
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

/// Bounds that `point` violates by more than the tolerance move beyond it, by half of the violation
/// up to all of it again (at random): then the point is primal feasible, and no two ties are alike.
void relaxBounds(std::vector<double>& lower, std::vector<double>& upper, Snapshot const& point,
                 double tolerance, std::uint64_t seed);

/// Costs with which `point` is dual feasible: reduced costs of the wrong sign, beyond the
/// tolerance, of variables that have no other bound to go to, become between half and all of their
/// negatives (at random); those of free variables zero.
std::vector<double> modifyCosts(std::vector<double> const& cost, std::vector<double> const& lower,
                                std::vector<double> const& upper, Snapshot const& point,
                                double tolerance, std::uint64_t seed);

}  // namespace osi_cuda
