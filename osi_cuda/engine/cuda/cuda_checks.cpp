// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's reports: measures, drift, the point; products with A.
#include "osi_cuda/engine/cuda/cuda_engine.hpp"

namespace osi_cuda::cuda {
std::vector<double> CudaEngine::fetch(double const* source, int length) const {
  queueFetch(source, at(length), 0);
  wait();
  return {landing_.data(), landing_.data() + length};
}

/// landing_[place, place + length) <- source, once the stream has come to it
void CudaEngine::queueFetch(double const* source, std::size_t length, std::size_t place) const {
  if (length > 0)
    check(cudaMemcpyAsync(landing_.data() + place, source, length * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_));
}

void CudaEngine::put(double* target, std::span<double const> source) {
  uploader_.upload(stream_, target, source.data(), source.size());
}

void CudaEngine::queueMeasure(double primalTolerance, double dualTolerance) {
  measurePoint(stream_, t_, primalTolerance, dualTolerance, measure_.onDevice());
  measured_ = std::pair{primalTolerance, dualTolerance};
}

Measure CudaEngine::measure(double primalTolerance, double dualTolerance) {
  if (measured_ != std::pair{primalTolerance, dualTolerance}) {
    DeviceScope const scope = useDevice();
    queueMeasure(primalTolerance, dualTolerance);
    wait();
  }
  return measure_[0];
}

// Residuals of A x + s and of d - (c - A'y), y = c - d of the slacks, each beside its largest term.
void CudaEngine::queueDrift() {
  double* const rest = work_;  // by variable: c - d; of the slacks, y
  double* const largest = rest + t_.m + t_.n;
  collectPoint(stream_, t_, value_, other_);
  subtract(stream_, t_.m + t_.n, t_.cost, other_, rest);
  check(cudaMemsetAsync(largest, 0, 2 * sizeof(double), stream_));
  largestResidual(stream_, matrix_.rows(), value_, 1.0, value_ + t_.n, value_ + t_.n, largest);
  largestResidual(stream_, matrix_.columns(), rest + t_.n, -1.0, rest, t_.cost, largest + 1);
  check(
      cudaMemcpyAsync(drift_.data(), largest, 2 * sizeof(double), cudaMemcpyDeviceToHost, stream_));
  driftKnown_ = true;
}

Drift CudaEngine::drift() {
  if (!driftKnown_) {
    DeviceScope const scope = useDevice();
    queueDrift();
    wait();
  }
  return {drift_[0], drift_[1]};
}

Snapshot CudaEngine::snapshot() {
  DeviceScope const scope = useDevice();
  auto const m = at(t_.m), size = m + at(t_.n);
  collectPoint(stream_, t_, value_, other_);
  queueFetch(value_, 2 * size, 0);  // and other_, which follows
  auto* const variables = reinterpret_cast<int*>(landing_.data() + 2 * size);
  if (size > 0)
    check(cudaMemcpyAsync(variables, variables_.data(), size * sizeof(int), cudaMemcpyDeviceToHost,
                          stream_));
  wait();
  double const* const value = landing_.data();
  Snapshot s;
  s.value.assign(value, value + size);
  s.reducedCost.assign(value + size, value + 2 * size);
  s.basicVariable.assign(variables, variables + m);
  s.nonbasicVariable.assign(variables + m, variables + size);
  return s;
}

std::vector<double> CudaEngine::multiply(std::span<double const> x) {
  DeviceScope const scope = useDevice();
  put(value_, x);
  lineProducts(stream_, matrix_.rows(), value_, 1.0, nullptr, nullptr, work_);
  return fetch(work_, t_.m);
}

std::vector<double> CudaEngine::multiplyTransposed(std::span<double const> y) {
  DeviceScope const scope = useDevice();
  put(value_, y);
  lineProducts(stream_, matrix_.columns(), value_, 1.0, nullptr, nullptr, work_);
  return fetch(work_, t_.n);
}

}  // namespace osi_cuda::cuda
