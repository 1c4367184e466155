// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/pivot_weights.hpp"

#include <algorithm>

#include "osi_cuda/engine/cuda/kernels.hpp"

namespace osi_cuda::cuda {
namespace {

constexpr double one = 1.0, zero = 0.0;

}  // namespace

void PivotWeights::compute(Algorithm algorithm, Pricing pricing) {
  if (fit_ == std::pair{algorithm, pricing}) return;
  fit_ = std::pair{algorithm, pricing};
  TableauView const& t = tableau_.view();
  bool const primal = algorithm == Algorithm::primal, empty = t.m == 0 || t.n == 0;
  bool const norms = pricing == Pricing::steepest || pricing == Pricing::sketched;
  if (!norms || empty) {
    if (primal || empty) fill(queue_.stream(), t.n, 1.0, t.columns.weight);
    if (!primal || empty) fill(queue_.stream(), t.m, 1.0, t.rows.weight);
    return;
  }
  tableau_.fold();
  if (pricing == Pricing::steepest)
    return primal ? exactColumnWeights(queue_.stream(), t) : exactRowWeights(queue_.stream(), t);
  sketch(primal);
}

// Z = S D, or W = B^-1 S': T's columns of nonbasic slacks are columns of B^-1
void PivotWeights::sketch(bool primal) {
  TableauView const& t = tableau_.view();
  int const k = t.sketchSize;
  std::size_t const room = at(k) * at(std::max(t.m, t.n));
  work_.reserve(2 * room);
  double *const signs = work_.data(), *const sketch = signs + room;
  if (primal)
    sketchSigns(queue_.stream(), t.m, k, signs);
  else
    slackSigns(queue_.stream(), t.n, k, t.n, t.columns.variable, signs);
  check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, primal ? CUBLAS_OP_T : CUBLAS_OP_N, k,
                    primal ? t.n : t.m, primal ? t.m : t.n, &one, signs, k, t.base, t.n, &zero,
                    sketch, k));
  (primal ? takeColumnSketch : takeRowSketch)(queue_.stream(), t, sketch);
}

}  // namespace osi_cuda::cuda
