// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
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
               VariableVectors const& vectors)
      : queue_(queue),
        tableau_(tableau),
        matrix_(matrix),
        vectors_(vectors),
        measure_(1),
        drift_(2) {}

  /// What was measured is of another point, of other bounds or of other costs.
  void boundsMoved() {
    measured_.reset();
    driftKnown_ = false;
  }
  void pointMoved() {
    boundsMoved();
    ++age_;
    if (known_ == Known::landed) takeLanded();
    known_ = std::min(known_, Known::basis);
  }
  /// And so are the positions.
  void basisMoved() {
    boundsMoved();
    ++age_;
    known_ = Known::nothing;
  }
  /// Counts up whenever the point moves.
  std::uint64_t age() const { return age_; }
  /// The host knows so much of the present point.
  void pointIs(Snapshot&& point, SnapshotContent content) {
    basisMoved();
    point_ = std::move(point);
    known_ = content == SnapshotContent::basis ? Known::basis : Known::all;
  }
  void queueMeasure(double primalTolerance, double dualTolerance) {
    measurePoint(queue_.stream(), tableau_.view(), primalTolerance, dualTolerance,
                 measure_.onDevice());
    measured_ = std::pair{primalTolerance, dualTolerance};
  }
  /// Whether measure() takes what it measures from the snapshot.
  bool isShort() const { return tableau_.m() + tableau_.n() <= 8000; }
  // Residuals of A x + s and of d - (c - A'y), y = c - d of the slacks, each beside its largest
  // term.
  void queueDrift() {
    cudaStream_t const stream = queue_.stream();
    TableauView const& t = tableau_.view();
    double const* const value = vectors_.value;
    double* const rest = vectors_.work;  // by variable: c - d; of the slacks, y
    double* const largest = rest + t.m + t.n;
    collectPoint(stream, t, vectors_.value, vectors_.other);
    subtract(stream, t.m + t.n, t.cost, vectors_.other, rest);
    check(cudaMemsetAsync(largest, 0, 2 * sizeof(double), stream));
    largestResidual(stream, matrix_.rows(), value, 1.0, value + t.n, value + t.n, largest);
    largestResidual(stream, matrix_.columns(), rest + t.n, -1.0, rest, t.cost, largest + 1);
    check(cudaMemcpyAsync(drift_.data(), largest, 2 * sizeof(double), cudaMemcpyDeviceToHost,
                          stream));
    driftKnown_ = true;
  }
  /// Whether measure(), drift() need not speak to the device.
  bool measured(double primalTolerance, double dualTolerance) const {
    return measured_ == std::pair{primalTolerance, dualTolerance};
  }
  bool driftKnown() const { return driftKnown_; }
  /// `lower` and `upper`: the working bounds, by variable.
  // A short point that the host has takes it less time than a launch and a wait.
  Measure measure(double primalTolerance, double dualTolerance, std::span<double const> lower,
                  std::span<double const> upper) {
    if (measured(primalTolerance, dualTolerance)) return measure_[0];
    if (isShort() && known(SnapshotContent::all)) {
      Snapshot const& point = snapshot(SnapshotContent::all);
      Measure measure;
      double const *const x = point.value.data(), *const d = point.reducedCost.data();
      for (int const v : point.basicVariable)
        measure.addBasic(x[v], lower[at(v)], upper[at(v)], primalTolerance);
      for (int const v : point.nonbasicVariable)
        measure.addNonbasic(d[v], x[v], lower[at(v)], upper[at(v)], dualTolerance);
      measure_[0] = measure;
      measured_ = std::pair{primalTolerance, dualTolerance};
    } else {
      queueMeasure(primalTolerance, dualTolerance);
      queueSnapshot();  // what is measured is looked at next
      queue_.wait();
      snapshotLanded();
    }
    return measure_[0];
  }
  Drift drift() {
    if (!driftKnown_) {
      queueDrift();
      queue_.wait();
    }
    return {drift_[0], drift_[1]};
  }
  /// The snapshot comes with what is waited for next; to be called then. `shifts`: those of the
  /// launch before are added to the costs on the way.
  void queueSnapshot(bool shifts = false) {
    TableauView const& t = tableau_.view();
    std::size_t const size = at(t.m) + at(t.n);
    if (landing_.size() < 3 * size) landing_ = PinnedArray<double>(3 * size + 3 * size / 4);
    if (size == 0) return;
    auto* const variables = reinterpret_cast<int*>(vectors_.work);  // follows the other two
    collectPoint(queue_.stream(), t, vectors_.value, vectors_.other, variables, shifts);
    check(cudaMemcpyAsync(landing_.data(), vectors_.value,
                          size * (2 * sizeof(double) + sizeof(int)), cudaMemcpyDeviceToHost,
                          queue_.stream()));
  }
  void snapshotLanded() { known_ = Known::landed; }
  Snapshot const& snapshot(SnapshotContent content) {
    if (!known(content)) {
      queueSnapshot();
      queue_.wait();
      snapshotLanded();
    }
    if (known_ == Known::landed) takeLanded();
    return point_;
  }
  /// Whether that need not speak to the device.
  bool known(SnapshotContent content) const {
    return known_ >= Known::landed || (known_ == Known::basis && content == SnapshotContent::basis);
  }

 private:
  void takeLanded() {
    std::size_t const m = at(tableau_.m()), size = m + at(tableau_.n());
    double const* const value = landing_.data();
    auto const* const variables = reinterpret_cast<int const*>(value + 2 * size);
    point_.value.assign(value, value + size);
    point_.reducedCost.assign(value + size, value + 2 * size);
    point_.basicVariable.assign(variables, variables + m);
    point_.nonbasicVariable.assign(variables + m, variables + size);
    known_ = Known::all;
  }

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
