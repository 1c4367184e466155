// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"

namespace osi_cuda::cuda {

/// The pricing weights and sketches that pivots begin with.
class PivotWeights {
 public:
  PivotWeights(DeviceQueue& queue, DeviceTableau& tableau) : queue_(queue), tableau_(tableau) {}

  /// Makes them fit the present basis for a coming run; nothing to do where they do already.
  void compute(Algorithm algorithm, Pricing pricing) {
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
  /// A run has made pivots: it has kept its own weights up, and no others.
  void followed(Algorithm algorithm, Pricing pricing) {
    if (fit_ != std::pair{algorithm, pricing}) outdate();
  }
  void outdate() { fit_.reset(); }
  /// The run that they fit; nothing after a refactorisation.
  using Fit = std::optional<std::pair<Algorithm, Pricing>>;
  Fit const& fit() const { return fit_; }
  /// What was kept beside them is back in place.
  void restore(Fit const& fit) { fit_ = fit; }
  void giveBack() { work_ = {}; }

 private:
  // Z = S D, or W = B^-1 S': T's columns of nonbasic slacks are columns of B^-1
  void sketch(bool primal) {
    TableauView const& t = tableau_.view();
    constexpr double one = 1.0, zero = 0.0;
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

  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  Fit fit_;
  DeviceArray<double> work_;  ///< signs, then the sketch in double precision
};

}  // namespace osi_cuda::cuda
