// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <utility>

#include "osi_cuda/engine/cuda/device_tableau.hpp"

namespace osi_cuda::cuda {

/// The pricing weights and sketches that pivots begin with.
class PivotWeights {
 public:
  PivotWeights(DeviceQueue& queue, DeviceTableau& tableau) : queue_(queue), tableau_(tableau) {}

  /// Makes them fit the present basis for a coming run; nothing to do where they do already.
  void compute(Algorithm algorithm, Pricing pricing);
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
  void sketch(bool primal);

  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  Fit fit_;
  DeviceArray<double> work_;  ///< signs, then the sketch in double precision
};

}  // namespace osi_cuda::cuda
