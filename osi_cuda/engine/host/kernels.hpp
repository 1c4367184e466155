// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

/// The host engine's inner loops, compiled for several instruction sets and chosen at start-up.
namespace osi_cuda::host {

/// y += a x
void axpy(std::size_t length, double a, double const* x, double* y);
/// y += a x in single precision
void axpy(std::size_t length, float a, float const* x, float* y);
/// sum of x_i y_i
double dot(std::size_t length, double const* x, double const* y);
/// y[i] += x[i]^2
void addSquares(std::size_t length, float const* x, double* y);

}  // namespace osi_cuda::host
