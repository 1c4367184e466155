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
  return primal ? sketchColumns() : sketchRows();
}

/// Room for k signs of each of `count` lines, and as much behind it for the sketch.
double* PivotWeights::signs(int count) {
  work_.reserve(2 * index(tableau_.view().sketchSize) * index(count));
  return work_.data();
}

// Z = S D
void PivotWeights::sketchColumns() {
  TableauView const& t = tableau_.view();
  int const k = t.sketchSize, lines = std::max(t.m, t.n);
  double *const signs = this->signs(lines), *const sketch = signs + index(k) * index(lines);
  sketchSigns(queue_.stream(), t.m, k, signs);
  check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_T, k, t.n, t.m, &one, signs, k, t.base,
                    t.n, &zero, sketch, k));
  takeColumnSketch(queue_.stream(), t, sketch);
}

// W = B^-1 S': T's columns of nonbasic slacks are columns of B^-1
void PivotWeights::sketchRows() {
  TableauView const& t = tableau_.view();
  int const k = t.sketchSize, lines = std::max(t.m, t.n);
  double *const signs = this->signs(lines), *const sketch = signs + index(k) * index(lines);
  slackSigns(queue_.stream(), t.n, k, t.n, t.columns.variable, signs);
  check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, k, t.m, t.n, &one, signs, k, t.base,
                    t.n, &zero, sketch, k));
  takeRowSketch(queue_.stream(), t, sketch);
}

}  // namespace osi_cuda::cuda
