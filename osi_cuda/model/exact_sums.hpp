// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

/// Sums of products in pairs of doubles, hi + lo (two-sum, Knuth; products by fused multiply-add),
/// several entries at a time. For columns without gaps, where the processor has the instructions;
/// elsewhere callers sum in long double.
namespace osi_cuda::exact {

/// Whether this processor can.
bool available();

/// (hi, lo)[k] += value[k] x, k < length
void addTimes(std::size_t length, double const* value, double x, double* hi, double* lo);

/// (hi, lo)[k] += (otherHi, otherLo)[k], k < length
void add(std::size_t length, double const* otherHi, double const* otherLo, double* hi, double* lo);

/// sum of value[k] y[k], k < length
long double product(std::size_t length, double const* value, double const* y);

}  // namespace osi_cuda::exact
