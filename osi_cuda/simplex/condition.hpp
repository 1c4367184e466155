// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda {

/// A lower bound, mostly within a factor of three, of the condition number ||B|| ||B^-1|| of the
/// engine's basis in the 1-norm, scaled as the form is: Hager 1984, as Higham states it (1988,
/// "FORTRAN codes for estimating the one-norm of a real or complex matrix"). It takes some four to
/// ten solves, and changes nothing. Infinite where solves give numbers that are none; 0 without
/// rows. `row`, if not null, becomes the row i whose B^-1 e_i is the longest that was met, or -1.
double conditionEstimate(StandardForm const& form, Engine& engine, int* row = nullptr);

}  // namespace osi_cuda
