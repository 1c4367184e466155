// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_algebra.cuh"

#include <algorithm>

#include "osi_cuda/barrier/arrays.hpp"
#include "osi_cuda/barrier/problem.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/memory.hpp"

namespace osi_cuda::cuda {
namespace {

/// How many times as long a scattered addition takes as one of a dense product.
constexpr double scattered = 300.0;

/// out_i = line i times x, a warp each
void productsOfLines(cudaStream_t stream, SparseView const& a, double const* x, double* out) {
  forWarps(stream, a.lines, [=] __device__(int line, int lane) {
    double sum = 0.0;
    for (std::int64_t e = a.starts[line] + lane; e < a.starts[line + 1]; e += 32)
      sum += a.values[e] * x[a.indices[e]];
    sum = warpSum(sum);
    if (lane == 0) out[line] = sum;
  });
}

/// to = from (m x n by columns) times the roots of the weights of rows or of columns
void scale(cudaStream_t stream, int m, int n, double const* from, double const* weight,
           bool weighsRows, double* to) {
  forWarps(stream, n, [=] __device__(int j, int lane) {
    std::int64_t const first = static_cast<std::int64_t>(j) * m;
    double const own = weighsRows ? 0.0 : sqrt(weight[j]);
    for (int i = lane; i < m; i += 32)
      to[first + i] = from[first + i] * (weighsRows ? sqrt(weight[i]) : own);
  });
}

/// The lower triangle of the normal matrix, a warp for each column k: the lines that meet line k
/// are added one after the other, each by all lanes, so that no two lanes add to one place and the
/// order is always the same.
void addLines(cudaStream_t stream, SparseView const& a, SparseView const& b, double const* weight,
              double* normal) {
  std::int64_t const order = a.lines;
  forWarps(stream, a.lines, [=] __device__(int k, int lane) {
    double* const column = normal + k * order;
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

/// diagonal of a = (that + add) times; null adds nothing
void changeDiagonal(cudaStream_t stream, int order, double* a, double const* add, double times) {
  std::int64_t const step = static_cast<std::int64_t>(order) + 1;
  forEach(stream, order,
          [=] __device__(int k) { a[k * step] = (a[k * step] + (add ? add[k] : 0.0)) * times; });
}

/// Scalars::failed where cuSOLVER found no factor
void noteFailure(cudaStream_t stream, int const* info, barrier::Scalars* s) {
  forEach(stream, 1, [=] __device__(int) {
    if (*info != 0) s->failed = 1.0;
  });
}

}  // namespace

std::uint64_t BarrierMemory::bytes() const {
  std::uint64_t const entries = columns.values.size() + rows.values.size();
  return sizeof(double) * (dense.size() + scaled.size() + normal.size() + numbers.size()) +
         entries * (sizeof(double) + sizeof(int));
}

DeviceAlgebra::DeviceAlgebra(StandardForm const& form, cudaStream_t stream, cublasHandle_t blas,
                             cusolverDnHandle_t solver, Uploader& uploader, BarrierMemory& memory)
    : form_(form),
      stream_(stream),
      blas_(blas),
      solver_(solver),
      workload_(barrierWork(form, scattered)),
      correctors_(barrier::correctorsFor(factorSeconds(), solveSeconds())),
      kinds_(barrier::boundKinds(form)),
      memory_(memory) {
  requireMemory();
  std::size_t const m = index(form.rows()), n = index(form.columns()),
                    order = index(workload_.order);
  if (workload_.dense) {
    memory_.dense.reserve(m * n);
    memory_.scaled.reserve(m * n);
  }
  if (workload_.dense && form.full()) {
    uploader.upload(stream_, memory_.dense.data(), form.matrix().values.data(), m * n);
  } else {
    load(memory_.columns, form.matrix(), uploader);
    if (workload_.dense) {
      check(cudaMemsetAsync(memory_.dense.data(), 0, m * n * sizeof(double), stream_));
      placeRows(stream_, memory_.columns.view(), nullptr, nullptr, memory_.dense.data(),
                form.rows());
    } else {
      load(memory_.rows, form.transposed(), uploader);
    }
  }
  memory_.normal.reserve(order * order);
  memory_.works.reserve(5 * order);
  int length = 0;
  check(cusolverDnDpotrf_bufferSize(solver_, CUBLAS_FILL_MODE_LOWER, workload_.order,
                                    memory_.normal.data(), std::max(1, workload_.order), &length));
  memory_.factorWork.reserve(index(std::max(1, length)));
  memory_.info.reserve(1);
  memory_.kinds.reserve(m + n);
  upload(stream_, memory_.kinds.data(), kinds_.data(), m + n);
  memory_.problem.reserve(3 * (m + n));
  upload(stream_, memory_.problem.data(), form.cost.data(), m + n);
  upload(stream_, memory_.problem.data() + (m + n), form.lower.data(), m + n);
  upload(stream_, memory_.problem.data() + 2 * (m + n), form.upper.data(), m + n);
  std::size_t const numbers = barrier::numbersOfView(form.rows(), form.columns());
  memory_.numbers.reserve(numbers);
  check(cudaMemsetAsync(memory_.numbers.data(), 0, numbers * sizeof(double), stream_));
  memory_.scalars.reserve(1);
  clear(stream_, memory_.scalars, 1);
  if (memory_.landed.size() == 0) memory_.landed = PinnedArray<barrier::Scalars>(1);
  memory_.partials.reserve(partialBytes * mostReduceBlocks);
  memory_.arrived.reserve(1);
  clear(stream_, memory_.arrived, 1);
  view_ = barrier::placeView(form.rows(), form.columns(), memory_.numbers.data());
  view_.cost = memory_.problem.data();
  view_.lower = memory_.problem.data() + (m + n);
  view_.upper = memory_.problem.data() + 2 * (m + n);
  view_.kind = memory_.kinds.data();
  view_.s = memory_.scalars.data();
}

// Measured on one H200 (docs/performance.md): products reach 48, large factors 45 Tflop/s; a factor
// takes 0.4 us for each column however few they are, a solve 0.17 us.
double DeviceAlgebra::factorSeconds() const {
  return workload_.product / 4.8e13 + workload_.factor / 4.5e13 + 4e-7 * workload_.order;
}

double DeviceAlgebra::solveSeconds() const {
  constexpr double launches = 1e-4, bytesPerSecond = 4e12;
  return launches + 1.7e-7 * workload_.order + 4.0 * workload_.solve / bytesPerSecond;
}

double DeviceAlgebra::iterationSeconds() const {
  return factorSeconds() + (2.0 + correctors_) * solveSeconds();
}

void DeviceAlgebra::requireMemory() const {
  std::uint64_t const needed = barrierBytes(form_, workload_);
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total));
  if (needed > available + memory_.bytes())
    throw NotEnoughMemory("the interior point method needs " + byteCount(needed) +
                          " of device memory, " + byteCount(available) + " are available");
}

void DeviceAlgebra::load(Lines& lines, SparseMatrix const& matrix, Uploader& uploader) {
  std::size_t const entries = index(matrix.nonzeros());
  lines.count = matrix.columns;
  lines.starts.reserve(index(matrix.columns) + 1);
  lines.indices.reserve(entries);
  lines.values.reserve(entries);
  uploader.upload(stream_, lines.starts.data(), matrix.starts.data(), index(matrix.columns) + 1);
  uploader.upload(stream_, lines.indices.data(), matrix.indices.data(), entries);
  uploader.upload(stream_, lines.values.data(), matrix.values.data(), entries);
}

void DeviceAlgebra::multiply(double const* x, double* out) {
  if (!workload_.dense) return productsOfLines(stream_, memory_.rows.view(), x, out);
  double const one = 1.0, zero = 0.0;
  check(cublasDgemv(blas_, CUBLAS_OP_N, form_.rows(), form_.columns(), &one, memory_.dense.data(),
                    form_.rows(), x, 1, &zero, out, 1));
}

void DeviceAlgebra::multiplyTransposed(double const* y, double* out) {
  if (!workload_.dense) return productsOfLines(stream_, memory_.columns.view(), y, out);
  double const one = 1.0, zero = 0.0;
  check(cublasDgemv(blas_, CUBLAS_OP_T, form_.rows(), form_.columns(), &one, memory_.dense.data(),
                    form_.rows(), y, 1, &zero, out, 1));
}

void DeviceAlgebra::formByRows(double const* weight, double const* diagonal) {
  if (workload_.dense)
    formDense(weight);
  else
    formSparse(memory_.rows, memory_.columns, weight);
  addDiagonal(diagonal);
}

void DeviceAlgebra::formByColumns(double const* weight, double const* diagonal) {
  if (workload_.dense)
    formDense(weight);
  else
    formSparse(memory_.columns, memory_.rows, weight);
  addDiagonal(diagonal);
}

// A times the roots of the weights, and its product with itself.
void DeviceAlgebra::formDense(double const* weight) {
  int const m = form_.rows(), n = form_.columns(), order = workload_.order;
  bool const byColumns = workload_.byColumns;
  double* const to = memory_.scaled.data();
  scale(stream_, m, n, memory_.dense.data(), weight, byColumns, to);
  double const one = 1.0, zero = 0.0;
  check(cublasDsyrk(blas_, CUBLAS_FILL_MODE_LOWER, byColumns ? CUBLAS_OP_T : CUBLAS_OP_N, order,
                    byColumns ? m : n, &one, to, m, &zero, memory_.normal.data(), order));
}

void DeviceAlgebra::formSparse(Lines const& lines, Lines const& across, double const* weight) {
  std::size_t const order = index(workload_.order);
  check(cudaMemsetAsync(memory_.normal.data(), 0, order * order * sizeof(double), stream_));
  addLines(stream_, lines.view(), across.view(), weight, memory_.normal.data());
}

void DeviceAlgebra::addDiagonal(double const* diagonal) {
  changeDiagonal(stream_, workload_.order, memory_.normal.data(), diagonal, 1.0);
}

void DeviceAlgebra::factor(double share) {
  changeDiagonal(stream_, workload_.order, memory_.normal.data(), nullptr, 1.0 + share);
  check(cusolverDnDpotrf(solver_, CUBLAS_FILL_MODE_LOWER, workload_.order, memory_.normal.data(),
                         workload_.order, memory_.factorWork.data(),
                         static_cast<int>(memory_.factorWork.size()), memory_.info.data()));
  noteFailure(stream_, memory_.info.data(), memory_.scalars.data());
}

void DeviceAlgebra::solve(double* x) {
  for (auto const side : {CUBLAS_OP_N, CUBLAS_OP_T})
    check(cublasDtrsv(blas_, CUBLAS_FILL_MODE_LOWER, side, CUBLAS_DIAG_NON_UNIT, workload_.order,
                      memory_.normal.data(), workload_.order, x, 1));
}

void DeviceAlgebra::copy(double const* from, double* to, int count) {
  check(
      cudaMemcpyAsync(to, from, index(count) * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
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
    parts[i].resize(i == 1 ? index(form_.rows()) : all);
    download(stream_, parts[i].data(), from[i], parts[i].size());
  }
  return barrier::pointOf(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], kinds_);
}

}  // namespace osi_cuda::cuda
