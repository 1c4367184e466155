// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// What the host is told of the present point: infeasibilities, the distance from the original
/// data, the point itself. All of it is kept until the point moves, and can be queued behind other
/// work, so that the host waits once for all.
class PointReports {
 public:
  PointReports(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix,
               VariableVectors const& vectors);

  /// What was measured is of another point, of other bounds or of other costs.
  void boundsMoved();
  void pointMoved();
  /// And so are the positions.
  void basisMoved();
  /// Counts up whenever the point moves.
  std::uint64_t age() const { return age_; }
  /// The host knows so much of the present point.
  void pointIs(Snapshot&& point, SnapshotContent content);
  void queueMeasure(double primalTolerance, double dualTolerance);
  /// Whether measure() takes what it measures from the snapshot.
  bool isShort() const { return tableau_.m() + tableau_.n() <= 8000; }
  void queueDrift();
  /// Whether measure(), drift() need not speak to the device.
  bool measured(double primalTolerance, double dualTolerance) const {
    return measured_ == std::pair{primalTolerance, dualTolerance};
  }
  bool driftKnown() const { return driftKnown_; }
  /// `lower` and `upper`: the working bounds, by variable.
  Measure measure(double primalTolerance, double dualTolerance, std::span<double const> lower,
                  std::span<double const> upper);
  Drift drift();
  /// The snapshot comes with what is waited for next; to be called then. `shifts`: those of the
  /// launch before are added to the costs on the way.
  void queueSnapshot(bool shifts = false);
  void snapshotLanded() { known_ = Known::landed; }
  Snapshot const& snapshot(SnapshotContent content);
  /// Whether that need not speak to the device.
  bool known(SnapshotContent content) const {
    return known_ >= Known::landed || (known_ == Known::basis && content == SnapshotContent::basis);
  }

 private:
  void takeLanded();

  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  VariableVectors const& vectors_;
  PinnedArray<Measure> measure_;
  PinnedArray<double> drift_;
  /// What measure_ and drift_ hold is of the present point; of the measure, its tolerances.
  std::optional<std::pair<double, double>> measured_;
  bool driftKnown_ = false;
  /// How much of point_ is that of the present point; landed: landing_ holds it all.
  enum class Known { nothing, basis, landed, all };
  Known known_ = Known::nothing;
  std::uint64_t age_ = 0;
  Snapshot point_;
  PinnedArray<double> landing_;  ///< values, reduced costs, variables by position
};

}  // namespace osi_cuda::cuda
