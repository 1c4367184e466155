// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's reports: measures, drift, the point; solves with the basis and products with A.
#include "osi_cuda/engine/cuda/cuda_engine.hpp"

namespace osi_cuda::cuda {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

std::vector<double> CudaEngine::fetch(double const* source, int length) const {
  std::vector<double> target(at(length));
  download(stream_, target.data(), source, target.size());
  return target;
}

void CudaEngine::put(double* target, std::span<double const> source) const {
  upload(stream_, target, source.data(), source.size());
}

Measure CudaEngine::measure(double primalTolerance, double dualTolerance) {
  useDevice();
  measurePoint(stream_, t_, primalTolerance, dualTolerance, measure_.onDevice());
  wait();
  return measure_[0];
}

// Residuals of A x + s and of d - (c - A'y), y = c - d of the slacks, each beside its largest term.
Drift CudaEngine::drift() {
  useDevice();
  collectValues();
  double* const d = other_;
  scatterByVariable(stream_, t_.m, t_.rows.variable, nullptr, d);
  scatterByVariable(stream_, t_.n, t_.columns.variable, t_.columns.reducedCost, d);
  double* const y = work_;              // by constraint
  double* const rest = work_ + t_.m;    // by column: c - d
  double* const largest = rest + t_.n;  // two numbers
  auto const copy = [&](double* target, double const* source, int length) {
    check(cudaMemcpyAsync(target, source, at(length) * sizeof(double), cudaMemcpyDeviceToDevice,
                          stream_));
  };
  copy(y, d + t_.n, t_.m);
  subtractFrom(stream_, t_.m, t_.cost + t_.n, y);
  copy(rest, d, t_.n);
  subtractFrom(stream_, t_.n, t_.cost, rest);
  fill(stream_, 2, 0.0, largest);
  largestResidual(stream_, matrix_.rows(), value_, 1.0, value_ + t_.n, value_ + t_.n, largest);
  largestResidual(stream_, matrix_.columns(), y, -1.0, rest, t_.cost, largest + 1);
  std::vector<double> const result = fetch(largest, 2);
  return {result[0], result[1]};
}

Snapshot CudaEngine::snapshot() {
  useDevice();
  collectValues();
  scatterByVariable(stream_, t_.m, t_.rows.variable, nullptr, other_);
  scatterByVariable(stream_, t_.n, t_.columns.variable, t_.columns.reducedCost, other_);
  Snapshot s;
  s.value = fetch(value_, t_.m + t_.n);
  s.reducedCost = fetch(other_, t_.m + t_.n);
  s.basicVariable.resize(at(t_.m));
  s.nonbasicVariable.resize(at(t_.n));
  download(stream_, s.basicVariable.data(), t_.rows.variable, s.basicVariable.size());
  download(stream_, s.nonbasicVariable.data(), t_.columns.variable, s.nonbasicVariable.size());
  return s;
}

DeviceFactor& CudaEngine::factor() {
  if (!solver_) solver_ = makeSolver(stream_);
  if (!factorFits_) {
    std::vector<int> variables(at(t_.m));
    download(stream_, variables.data(), t_.rows.variable, variables.size());
    std::vector<char> basic(at(t_.m) + at(t_.n), 0);
    for (int v : variables) basic[at(v)] = 1;
    factor_.form(*form_, matrix_, basic, solver_, stream_);
    factorFits_ = true;
    waitWatching();
  }
  return factor_;
}

// Everything by variable: z by row position is only its order at the end.
std::vector<double> CudaEngine::ftran(std::span<double const> b) {
  useDevice();
  DeviceFactor& f = factor();
  int const size = t_.m + t_.n;
  double* const right = work_;
  double* const residual = work_ + size;
  put(right, b);
  f.solve(solver_, stream_, matrix_, right, value_);
  for (int round = 0; round < 2; ++round) {
    lineProducts(stream_, matrix_.rows(), value_, -1.0, right, value_ + t_.n, residual);
    f.solve(solver_, stream_, matrix_, residual, other_);
    add(stream_, size, other_, value_);
  }
  gatherByVariable(stream_, t_.m, t_.rows.variable, value_, residual);
  return fetch(residual, t_.m);
}

std::vector<double> CudaEngine::btran(std::span<double const> c) {
  useDevice();
  DeviceFactor& f = factor();
  int const size = t_.m + t_.n;
  double* const cost = value_;
  double* const residual = other_;
  double* const y = work_;
  double* const correction = work_ + size;
  put(correction, c);
  fill(stream_, size, 0.0, cost);
  scatterByVariable(stream_, t_.m, t_.rows.variable, correction, cost);
  f.solveTransposed(solver_, stream_, matrix_, cost, y);
  for (int round = 0; round < 2; ++round) {
    lineProducts(stream_, matrix_.columns(), y, -1.0, cost, nullptr, residual);
    check(cudaMemcpyAsync(residual + t_.n, y, at(t_.m) * sizeof(double), cudaMemcpyDeviceToDevice,
                          stream_));
    subtractFrom(stream_, t_.m, cost + t_.n, residual + t_.n);
    f.solveTransposed(solver_, stream_, matrix_, residual, correction);
    add(stream_, t_.m, correction, y);
  }
  return fetch(y, t_.m);
}

std::vector<double> CudaEngine::multiply(std::span<double const> x) {
  useDevice();
  put(value_, x);
  lineProducts(stream_, matrix_.rows(), value_, 1.0, nullptr, nullptr, work_);
  return fetch(work_, t_.m);
}

std::vector<double> CudaEngine::multiplyTransposed(std::span<double const> y) {
  useDevice();
  put(value_, y);
  lineProducts(stream_, matrix_.columns(), value_, 1.0, nullptr, nullptr, work_);
  return fetch(work_, t_.n);
}

}  // namespace osi_cuda::cuda
