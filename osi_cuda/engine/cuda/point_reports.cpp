// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/point_reports.hpp"

#include <algorithm>

namespace osi_cuda::cuda {
PointReports::PointReports(DeviceQueue& queue, DeviceTableau const& tableau,
                           DeviceMatrix const& matrix, VariableVectors const& vectors)
    : queue_(queue),
      tableau_(tableau),
      matrix_(matrix),
      vectors_(vectors),
      measure_(1),
      drift_(2) {}

void PointReports::boundsMoved() {
  measured_.reset();
  driftKnown_ = false;
}

void PointReports::pointMoved() {
  boundsMoved();
  ++age_;
  if (known_ == Known::landed) takeLanded();
  known_ = std::min(known_, Known::basis);
}

void PointReports::basisMoved() {
  boundsMoved();
  ++age_;
  known_ = Known::nothing;
}

void PointReports::pointIs(Snapshot&& point, SnapshotContent content) {
  basisMoved();
  point_ = std::move(point);
  known_ = content == SnapshotContent::basis ? Known::basis : Known::all;
}

void PointReports::queueMeasure(double primalTolerance, double dualTolerance) {
  measurePoint(queue_.stream(), tableau_.view(), primalTolerance, dualTolerance,
               measure_.onDevice());
  measured_ = std::pair{primalTolerance, dualTolerance};
}

// A short point that the host has takes it less time than a launch and a wait.
Measure PointReports::measure(double primalTolerance, double dualTolerance,
                              std::span<double const> lower, std::span<double const> upper) {
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

// Residuals of A x + s and of d - (c - A'y), y = c - d of the slacks, each beside its largest term.
void PointReports::queueDrift() {
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
  check(
      cudaMemcpyAsync(drift_.data(), largest, 2 * sizeof(double), cudaMemcpyDeviceToHost, stream));
  driftKnown_ = true;
}

Drift PointReports::drift() {
  if (!driftKnown_) {
    queueDrift();
    queue_.wait();
  }
  return {drift_[0], drift_[1]};
}

void PointReports::queueSnapshot(bool shifts) {
  TableauView const& t = tableau_.view();
  std::size_t const size = at(t.m) + at(t.n);
  if (landing_.size() < 3 * size) landing_ = PinnedArray<double>(3 * size + 3 * size / 4);
  if (size == 0) return;
  auto* const variables = reinterpret_cast<int*>(vectors_.work);  // follows the other two
  collectPoint(queue_.stream(), t, vectors_.value, vectors_.other, variables, shifts);
  check(cudaMemcpyAsync(landing_.data(), vectors_.value, size * (2 * sizeof(double) + sizeof(int)),
                        cudaMemcpyDeviceToHost, queue_.stream()));
}

void PointReports::takeLanded() {
  std::size_t const m = at(tableau_.m()), size = m + at(tableau_.n());
  double const* const value = landing_.data();
  auto const* const variables = reinterpret_cast<int const*>(value + 2 * size);
  point_.value.assign(value, value + size);
  point_.reducedCost.assign(value + size, value + 2 * size);
  point_.basicVariable.assign(variables, variables + m);
  point_.nonbasicVariable.assign(variables + m, variables + size);
  known_ = Known::all;
}

Snapshot const& PointReports::snapshot(SnapshotContent content) {
  if (!known(content)) {
    queueSnapshot();
    queue_.wait();
    snapshotLanded();
  }
  if (known_ == Known::landed) takeLanded();
  return point_;
}

}  // namespace osi_cuda::cuda
