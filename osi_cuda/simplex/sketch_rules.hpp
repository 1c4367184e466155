// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/rules.hpp"

/// How a sketch follows a pivot at (r, q), entry by entry, and what weights follow from it: the
/// formulas of the section on pricing of docs/explanation/simplex.md, for every engine. Z = S T is
/// the sketch of the primal, W = B^-1 S' that of the dual, and their entries are of single
/// precision.
///
/// W takes no function of its own: W_r <- W_r / alpha, W_i <- W_i - u_i W_r with the new W_r.
namespace osi_cuda::rules {

/// Z_j <- Z_j + step v_j / alpha for the other columns j: the entry of S_r less that of S u, which
/// is Z_q before the pivot (`entering`).
OSI_CUDA_HD inline float columnSketchStep(float entering, float sign) {
  return sign - entering;
}
/// alpha times the new entry of Z_q: -(Z_q - (alpha + 1) S_r).
OSI_CUDA_HD inline float enteringSketch(float entering, float sign, float alpha) {
  return -(entering - (alpha + 1.0f) * sign);
}
/// 1 + ||T_j||^2, estimated from the mean square of the entries of Z_j.
template <class Real>
OSI_CUDA_HD inline Real sketchedColumnWeight(Real meanSquare) {
  return Real(1) + meanSquare;
}
/// ||e_i'B^-1||^2, estimated from the mean square of the entries of W_i.
template <class Real>
OSI_CUDA_HD inline Real sketchedRowWeight(Real meanSquare) {
  constexpr auto least = static_cast<Real>(leastRowWeight);
  return meanSquare > least ? meanSquare : least;
}

}  // namespace osi_cuda::rules
