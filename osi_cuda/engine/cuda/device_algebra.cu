// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_algebra.cuh"

#include <algorithm>
#include <cmath>

#include "osi_cuda/barrier/arrays.hpp"
#include "osi_cuda/barrier/problem.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/barrier/entries.cuh"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"

namespace osi_cuda::cuda {
namespace {

void takeRoots(cudaStream_t stream, int count, double const* weight, double* root) {
  forEach(stream, count, [=] __device__(int k) { root[k] = sqrt(weight[k]); });
}

/// The lower triangle of the normal matrix, a warp for each column k: the lines that meet line k
/// are added one after the other, each by all lanes, so that no two lanes add to one place and the
/// order is always the same.
void addLines(cudaStream_t stream, LinesView const& a, LinesView const& b, double const* weight,
              double* normal, std::int64_t stride) {
  forWarps(stream, a.lines, [=] __device__(int k, int lane) {
    double* const column = normal + k * stride;
    for (std::int64_t e = a.starts[k]; e < a.starts[k + 1]; ++e) {
      int const line = a.indices[e];
      double const factor = a.values[e] * weight[line];
      if (factor != 0.0)
        for (std::int64_t o = b.starts[line] + lane; o < b.starts[line + 1]; o += 32)
          if (b.indices[o] >= k) column[b.indices[o]] += factor * b.values[o];
      __syncwarp();
    }
  });
}

/// Scalars::failed where cuSOLVER found no factor of a block
void noteFailure(cudaStream_t stream, int blocks, int const* info, barrier::Scalars* s) {
  forEach(stream, blocks, [=] __device__(int k) {
    if (info[k] != 0) s->failed = 1.0;
  });
}

}  // namespace

std::uint64_t BarrierMemory::bytes() const {
  return sizeof(double) * (dense.size() + numbers.size()) + cholesky.held();
}

DeviceAlgebra::DeviceAlgebra(StandardForm const& form, CudaEngine& lender, SplitMatrix& split,
                             cusolverDnHandle_t solver, BarrierMemory& memory)
    : form_(form),
      split_(split),
      stream_(split.stream()),
      workload_(barrierWork(form, scatteredOnDevice(machine()))),
      shares_(workload_.dense ? split.sharesOf(workload_.byColumns ? form.rows() : form.columns())
                              : 1),
      correctors_(barrier::correctorsFor(factorSeconds(machine(), costs()) + formSeconds(),
                                         normalSolveSeconds(machine(), costs()))),
      columns_(lender.matrix().columns()),
      rows_(lender.matrix().rows()),
      dense_(lender.matrix().fullColumns()),
      stride_(normalStride(workload_.order)),
      kinds_(barrier::boundKinds(form)),
      memory_(memory) {
  requireMemory(lender);
  std::size_t const m = at(form.rows()), n = at(form.columns()), order = at(workload_.order);
  normal_ = lender.lendFactors(order * at(stride_));
  check(cudaDeviceSynchronize());  // the lender's work is in another stream's order
  if (workload_.dense && !dense_) {
    zeros(stream_, memory_.dense, m * n);
    placeRows(stream_, columns_, nullptr, nullptr, memory_.dense.data(), form.rows());
    dense_ = memory_.dense.data();
  }
  memory_.roots.reserve(std::max(m, n));
  if (order > 0)  // also what follows the columns
    check(cudaMemsetAsync(normal_, 0, order * at(stride_) * sizeof(double), stream_));
  memory_.works.reserve(5 * order);
  memory_.cholesky.prepare(workload_.order, stream_, split.blas(), solver);
  if (workload_.dense)
    split.load(form.rows(), form.columns(), workload_.byColumns, dense_, lender.lendTableau(),
               normal_);
  zeros(stream_, memory_.info, at(panels()));
  uploadAll(stream_, memory_.kinds, kinds_);
  memory_.problem.reserve(3 * (m + n));
  upload(stream_, memory_.problem.data(), form.cost.data(), m + n);
  upload(stream_, memory_.problem.data() + (m + n), form.lower.data(), m + n);
  upload(stream_, memory_.problem.data() + 2 * (m + n), form.upper.data(), m + n);
  zeros(stream_, memory_.numbers, barrier::numbersOfView(form.rows(), form.columns()));
  zeros(stream_, memory_.scalars, 1);
  if (memory_.landed.size() == 0) memory_.landed = PinnedArray<barrier::Scalars>(1);
  memory_.partials.reserve(partialBytes * mostReduceBlocks);
  zeros(stream_, memory_.arrived, 1);
  view_ = barrier::placeView(form.rows(), form.columns(), memory_.numbers.data());
  view_.cost = memory_.problem.data();
  view_.lower = memory_.problem.data() + (m + n);
  view_.upper = memory_.problem.data() + 2 * (m + n);
  view_.kind = memory_.kinds.data();
  view_.s = memory_.scalars.data();
}

DeviceWork DeviceAlgebra::costs() const {
  return {.rows = static_cast<double>(form_.rows()),
          .columns = static_cast<double>(form_.columns()),
          .order = static_cast<double>(workload_.order),
          .product = workload_.product,
          .factor = workload_.factor,
          .solve = workload_.solve,
          .shares = static_cast<double>(shares_),
          .sharesFactor = sharesFactor(),
          .width = static_cast<double>(width()),
          .panels = static_cast<double>(panels()),
          .inverse = static_cast<double>(inverseOrder(workload_.order))};
}

double DeviceAlgebra::formSeconds() const {
  return offersRough() ? roughProductSeconds(machine(), costs())
                       : productSeconds(machine(), costs());
}

// The bytes have to fit where the scaled matrix would be.
bool DeviceAlgebra::offersRough() const {
  return workload_.dense && split_.fitsBytes(form_.rows(), form_.columns(), workload_.byColumns) &&
         roughProductSeconds(machine(), costs()) < productSeconds(machine(), costs());
}

double DeviceAlgebra::roughSteps() const {
  if (!offersRough()) return -1.0;
  DeviceWork const work = costs();
  return (productSeconds(machine(), work) - roughProductSeconds(machine(), work)) /
         gradientSeconds(machine(), work);
}

double DeviceAlgebra::iterationSeconds() const {
  DeviceWork const work = costs();
  return formSeconds() + factorSeconds(machine(), work) +
         (2.0 + correctors_) * normalSolveSeconds(machine(), work);
}

void DeviceAlgebra::requireMemory(CudaEngine const& lender) const {
  std::size_t const normal = at(workload_.order) * at(stride_), factors = lender.roomOfFactors(),
                    own = workload_.dense && !dense_ ? at(form_.rows()) * at(form_.columns()) : 0;
  std::uint64_t const needed = sizeof(double) * (own + std::max(normal, factors) - factors) +
                               choleskyBytes(workload_.order) +
                               barrierBytes(form_, workload_, false);
  std::size_t const available = availableBytes();
  if (needed > available + memory_.bytes())
    throw NotEnoughMemory("the interior point method needs " + byteCount(needed) +
                          " of device memory, " + byteCount(available) + " are available");
}

void DeviceAlgebra::multiply(double const* x, double* out) {
  if (!workload_.dense) return lineProducts(stream_, rows_, x, 1.0, nullptr, nullptr, out);
  split_.multiply(false, x, out);
}

void DeviceAlgebra::multiplyTransposed(double const* y, double* out) {
  if (!workload_.dense) return lineProducts(stream_, columns_, y, 1.0, nullptr, nullptr, out);
  split_.multiply(true, y, out);
}

// Of a dense A: A times the roots of the weights, and its product with itself.
void DeviceAlgebra::form(double const* weight, double const* diagonal, barrier::Digits digits) {
  LinesView const &lines = byColumns() ? columns_ : rows_, &across = byColumns() ? rows_ : columns_;
  if (workload_.dense) {
    takeRoots(stream_, across.lines, weight, memory_.roots.data());
    split_.form(memory_.roots.data(), digits == barrier::Digits::few);
  } else {
    check(cudaMemsetAsync(normal_, 0, at(workload_.order) * at(stride_) * sizeof(double), stream_));
    addLines(stream_, lines, across, weight, normal_, stride_);
  }
  changeDiagonal(stream_, workload_.order, stride_, normal_, diagonal, 1.0);
}

void DeviceAlgebra::factor(double share) {
  int* const info = memory_.info.data();
  if (workload_.dense)
    split_.sum(1.0 + share);
  else
    changeDiagonal(stream_, workload_.order, stride_, normal_, nullptr, 1.0 + share);
  if (sharesFactor()) {
    split_.factor(info);
    memory_.cholesky.invertDiagonal(normal_);
  } else {
    memory_.cholesky.factor(normal_, info);
  }
  noteFailure(stream_, panels(), info, memory_.scalars.data());
}

void DeviceAlgebra::solve(double* x) {
  memory_.cholesky.solve(normal_, x);
}

void DeviceAlgebra::copy(double const* from, double* to, int count) {
  check(cudaMemcpyAsync(to, from, at(count) * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
}

barrier::Scalars DeviceAlgebra::fetch() {
  check(cudaMemcpyAsync(memory_.landed.data(), memory_.scalars.data(), sizeof(barrier::Scalars),
                        cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  return memory_.landed[0];
}

BarrierPoint DeviceAlgebra::point() {
  std::size_t const all = kinds_.size();
  std::vector<double> parts[6];
  double const* const from[6] = {view_.x, view_.y, view_.wl, view_.wu, view_.zl, view_.zu};
  for (int i = 0; i < 6; ++i) {
    parts[i].resize(i == 1 ? at(form_.rows()) : all);
    download(stream_, parts[i].data(), from[i], parts[i].size());
  }
  return barrier::pointOf(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], kinds_);
}

}  // namespace osi_cuda::cuda
