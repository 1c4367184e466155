// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <utility>

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/variable_vectors.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// What the host is told of the present point: infeasibilities, the distance from the original
/// data, the point itself. The first two are kept until the point moves, and can be queued behind
/// other work, so that the host waits once for all.
class PointReports {
 public:
  PointReports(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix,
               VariableVectors const& vectors);

  /// What was measured is of another point, of other bounds or of other costs.
  void pointMoved();
  void queueMeasure(double primalTolerance, double dualTolerance);
  void queueDrift();
  /// Whether measure(), drift() need not speak to the device.
  bool measured(double primalTolerance, double dualTolerance) const {
    return measured_ == std::pair{primalTolerance, dualTolerance};
  }
  bool driftKnown() const { return driftKnown_; }
  Measure measure(double primalTolerance, double dualTolerance);
  Drift drift();
  Snapshot snapshot() const;

 private:
  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  VariableVectors const& vectors_;
  PinnedArray<Measure> measure_;
  PinnedArray<double> drift_;
  /// What measure_ and drift_ hold is of the present point; of the measure, its tolerances.
  std::optional<std::pair<double, double>> measured_;
  bool driftKnown_ = false;
};

}  // namespace osi_cuda::cuda
