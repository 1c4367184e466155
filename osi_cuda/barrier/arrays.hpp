// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/view.hpp"

/// The arrays behind a View, in one piece of memory, and the point that they end with.
namespace osi_cuda::barrier {

/// Doubles that the arrays of the iterate and of directions take together.
std::size_t numbersOfView(int m, int n);

/// A view whose arrays of doubles lie in `numbers`; what it reads of the problem, sides and scalars
/// are left to the caller.
View placeView(int m, int n, double* numbers);

/// The point in the terms of others.
BarrierPoint pointOf(std::span<double const> x, std::span<double const> y,
                     std::span<double const> wl, std::span<double const> wu,
                     std::span<double const> zl, std::span<double const> zu,
                     std::vector<unsigned char> const& kinds);

}  // namespace osi_cuda::barrier
