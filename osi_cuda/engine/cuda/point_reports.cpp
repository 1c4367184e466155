// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/point_reports.hpp"

namespace osi_cuda::cuda {

PointReports::PointReports(DeviceQueue& queue, DeviceTableau const& tableau,
                           DeviceMatrix const& matrix, VariableVectors const& vectors)
    : queue_(queue),
      tableau_(tableau),
      matrix_(matrix),
      vectors_(vectors),
      measure_(1),
      drift_(2) {}

void PointReports::pointMoved() {
  measured_.reset();
  driftKnown_ = false;
}

void PointReports::queueMeasure(double primalTolerance, double dualTolerance) {
  measurePoint(queue_.stream(), tableau_.view(), primalTolerance, dualTolerance,
               measure_.onDevice());
  measured_ = std::pair{primalTolerance, dualTolerance};
}

Measure PointReports::measure(double primalTolerance, double dualTolerance) {
  if (!measured(primalTolerance, dualTolerance)) {
    queueMeasure(primalTolerance, dualTolerance);
    queue_.wait();
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

Snapshot PointReports::snapshot() const {
  TableauView const& t = tableau_.view();
  std::size_t const m = index(t.m), size = m + index(t.n);
  collectPoint(queue_.stream(), t, vectors_.value, vectors_.other);
  queue_.queueFetch(vectors_.value, 2 * size, 0);  // and `other`, which follows
  auto* const variables = reinterpret_cast<int*>(queue_.landing() + 2 * size);
  if (size > 0)
    check(cudaMemcpyAsync(variables, t.rows.variable, size * sizeof(int), cudaMemcpyDeviceToHost,
                          queue_.stream()));
  queue_.wait();
  double const* const value = queue_.landing();
  Snapshot s;
  s.value.assign(value, value + size);
  s.reducedCost.assign(value + size, value + 2 * size);
  s.basicVariable.assign(variables, variables + m);
  s.nonbasicVariable.assign(variables + m, variables + size);
  return s;
}

}  // namespace osi_cuda::cuda
