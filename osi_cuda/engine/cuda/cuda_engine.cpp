// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's life, bounds and costs, products with the tableau.
#include "osi_cuda/engine/cuda/cuda_engine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "osi_cuda/engine/cuda/pivot_kernel.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::cuda {
namespace {

/// `options`, if their device is there: to be asked before any member takes something from it.
EngineOptions const& usable(EngineOptions const& options) {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    cudaGetLastError();
    throw EngineUnavailable(std::string("engine cuda: no usable CUDA device (") +
                            cudaGetErrorString(status) + ")");
  }
  if (options.device < 0 || options.device >= devices)
    throw EngineUnavailable("engine cuda: there is no device " + std::to_string(options.device) +
                            ", only " + std::to_string(devices));
  check(cudaSetDevice(options.device));
  return options;
}

}  // namespace

CudaEngine::CudaEngine(EngineOptions const& options) : options_(usable(options)) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, options.device));
  deviceName_ = properties.name;
  if (!properties.cooperativeLaunch)
    throw EngineUnavailable("engine cuda: " + deviceName_ + " has no cooperative launches");
  multiprocessors_ = properties.multiProcessorCount;
  sharedPerBlock_ = properties.sharedMemPerBlockOptin - 1024;  // static pieces of the kernels
  allowShared(sharedPerBlock_);
  stream_ = makeStream();
  finished_ = makeEvent();
  blas_ = makeBlas(stream_);
  report_ = PinnedArray<LaunchReport>(1);
  measure_ = PinnedArray<Measure>(1);
  drift_ = PinnedArray<double>(2);
  caller_.reset();
}

CudaEngine::~CudaEngine() {
  caller_.emplace();
  cudaSetDevice(options_.device);  // arrays and handles go with the device they belong to
}

void CudaEngine::wait() const {
  check(cudaStreamSynchronize(stream_));
}

// Work that runs on the device can't be called off: it is waited for, and the rest is not begun.
void CudaEngine::waitWatching() const {
  if (!stop_) return;
  check(cudaEventRecord(finished_, stream_));
  bool stopped = stop_();
  for (auto asked = std::chrono::steady_clock::now();;) {
    cudaError_t const status = cudaEventQuery(finished_);
    if (status == cudaSuccess) break;
    if (status != cudaErrorNotReady) check(status);
    auto const now = std::chrono::steady_clock::now();
    if (now - asked < std::chrono::milliseconds(50)) continue;
    asked = now;
    stopped = stopped || stop_();
  }
  if (stopped) throw Interrupted{};
}

// ---- bounds, costs, values ---------------------------------------------------------------------

void CudaEngine::setBounds(std::span<double const> lower, std::span<double const> upper) {
  bool const same = std::equal(lower.begin(), lower.end(), bounds_[0].begin()) &&
                    std::equal(upper.begin(), upper.end(), bounds_[1].begin());
  if (same) return;  // often: bounds that were never perturbed come back
  DeviceScope const scope = useDevice();
  takeBounds(lower, upper);
}

void CudaEngine::takeBounds(std::span<double const> lower, std::span<double const> upper) {
  bounds_[0].assign(lower.begin(), lower.end());
  bounds_[1].assign(upper.begin(), upper.end());
  put(lower_, lower);
  put(upper_, upper);
  placeBounds();
}

void CudaEngine::placeBounds() {
  gatherBounds(stream_, t_, lower_, upper_);
  pointMoved();
}

/// What was measured is of another point, of other bounds or of other costs.
void CudaEngine::pointMoved() {
  measured_.reset();
  driftKnown_ = false;
}

void CudaEngine::setCosts(std::span<double const> cost) {
  DeviceScope const scope = useDevice();
  put(t_.cost, cost);
  computeReducedCosts();
}

std::vector<double> CudaEngine::costs() const {
  DeviceScope const scope = useDevice();
  return fetch(t_.cost, t_.m + t_.n);
}

void CudaEngine::setValues(std::span<double const> value) {
  DeviceScope const scope = useDevice();
  put(value_, value);
  gatherByVariable(stream_, t_.n, t_.columns.variable, value_, t_.columns.value);
  computeBasicValues();
}

// x_B = -T x_N
void CudaEngine::computeBasicValues() {
  combineColumns(t_.columns.value, t_.rows.value);
  negate(stream_, t_.m, t_.rows.value);
  pointMoved();
}

// d_N = c_N - T'c_B
void CudaEngine::computeReducedCosts() {
  gatherByVariable(stream_, t_.m, t_.rows.variable, t_.cost, t_.rows.change);
  combineRows(t_.rows.change, t_.columns.reducedCost);
  gatherByVariable(stream_, t_.n, t_.columns.variable, t_.cost, t_.columns.change);
  subtractFrom(stream_, t_.n, t_.columns.change, t_.columns.reducedCost);
  pointMoved();
}

void CudaEngine::computePhase1Costs(double tolerance) {
  DeviceScope const scope = useDevice();
  phase1Costs(stream_, t_.m, t_.rows, tolerance, t_.rows.change);
  combineRows(t_.rows.change, t_.columns.reducedCost);
  negate(stream_, t_.n, t_.columns.reducedCost);
  pointMoved();
}

// ---- products with the tableau -----------------------------------------------------------------
// cuBLAS counts by columns: D' is n x m with leading dimension n, U and V are K x m and K x n.

// out = T'g = D'g - V'(U g)
void CudaEngine::combineRows(double const* g, double* out) {
  if (t_.n == 0) return;
  if (t_.m == 0) return fill(stream_, t_.n, 0.0, out);
  double const one = 1.0, zero = 0.0, minus = -1.0;
  check(cublasDgemv(blas_, CUBLAS_OP_N, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out, 1));
  if (used_ == 0) return;
  check(cublasDgemv(blas_, CUBLAS_OP_N, used_, t_.m, &one, t_.u, t_.stride, g, 1, &zero,
                    folded_.data(), 1));
  check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.n, &minus, t_.v, t_.stride, folded_.data(), 1,
                    &one, out, 1));
}

// out = T g = D g - U'(V g)
void CudaEngine::combineColumns(double const* g, double* out) {
  if (t_.m == 0) return;
  if (t_.n == 0) return fill(stream_, t_.m, 0.0, out);
  double const one = 1.0, zero = 0.0, minus = -1.0;
  check(cublasDgemv(blas_, CUBLAS_OP_T, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out, 1));
  if (used_ == 0) return;
  check(cublasDgemv(blas_, CUBLAS_OP_N, used_, t_.n, &one, t_.v, t_.stride, g, 1, &zero,
                    folded_.data(), 1));
  check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.m, &minus, t_.u, t_.stride, folded_.data(), 1,
                    &one, out, 1));
}

// D <- D - U'V, k <- 0
void CudaEngine::fold() {
  if (used_ > 0) shadowFits_ = false;
  double const one = 1.0, minus = -1.0;
  if (used_ == 1)
    check(cublasDger(blas_, t_.n, t_.m, &minus, t_.v, t_.stride, t_.u, t_.stride, t_.base, t_.n));
  else if (used_ > 0)
    check(cublasDgemm(blas_, CUBLAS_OP_T, CUBLAS_OP_N, t_.n, t_.m, used_, &minus, t_.v, t_.stride,
                      t_.u, t_.stride, &one, t_.base, t_.n));
  used_ = 0;
}

std::vector<double> CudaEngine::row(int i) {
  DeviceScope const scope = useDevice();
  double const one = 1.0, minus = -1.0;
  check(cublasDcopy(blas_, t_.n, t_.base + at(i) * at(t_.n), 1, work_, 1));
  if (used_ > 0)
    check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.n, &minus, t_.v, t_.stride,
                      t_.u + at(i) * at(t_.stride), 1, &one, work_, 1));
  return fetch(work_, t_.n);
}

std::vector<double> CudaEngine::column(int j) {
  DeviceScope const scope = useDevice();
  double const one = 1.0, minus = -1.0;
  check(cublasDcopy(blas_, t_.m, t_.base + j, t_.n, work_, 1));
  if (used_ > 0)
    check(cublasDgemv(blas_, CUBLAS_OP_T, used_, t_.m, &minus, t_.u, t_.stride,
                      t_.v + at(j) * at(t_.stride), 1, &one, work_, 1));
  return fetch(work_, t_.m);
}

}  // namespace osi_cuda::cuda
