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

/// The lower triangle of the normal matrix, a warp for each column k: the lines that meet line k are
/// added one after the other, each by all lanes, so that no two lanes add to one place and the order
/// is always the same.
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
  forEach(stream, order, [=] __device__(int k) {
    a[k * step] = (a[k * step] + (add ? add[k] : 0.0)) * times;
  });
}

/// Scalars::failed where cuSOLVER found no factor
void noteFailure(cudaStream_t stream, int const* info, barrier::Scalars* s) {
  forEach(stream, 1, [=] __device__(int) {
    if (*info != 0) s->failed = 1.0;
  });
}

}  // namespace

DeviceAlgebra::DeviceAlgebra(StandardForm const& form, cudaStream_t stream, cublasHandle_t blas,
                             cusolverDnHandle_t solver, Uploader& uploader)
    : form_(form),
      stream_(stream),
      blas_(blas),
      solver_(solver),
      workload_(barrierWork(form, scattered)),
      correctors_(barrier::correctorsFor(factorSeconds(), solveSeconds())),
      kinds_(barrier::boundKinds(form)) {
  requireMemory();
  std::size_t const m = at(form.rows()), n = at(form.columns()), order = at(workload_.order);
  if (workload_.dense) {
    dense_.reserve(m * n);
    scaled_.reserve(m * n);
  }
  if (workload_.dense && form.full()) {
    uploader.upload(stream_, dense_.data(), form.matrix().values.data(), m * n);
  } else {
    load(columns_, form.matrix(), uploader);
    if (workload_.dense) {
      check(cudaMemsetAsync(dense_.data(), 0, m * n * sizeof(double), stream_));
      placeRows(stream_, columns_.view(), nullptr, nullptr, dense_.data(), form.rows());
    } else {
      load(rows_, form.transposed(), uploader);
    }
  }
  normal_.reserve(order * order);
  works_.reserve(5 * order);
  int length = 0;
  check(cusolverDnDpotrf_bufferSize(solver_, CUBLAS_FILL_MODE_LOWER, workload_.order,
                                    normal_.data(), std::max(1, workload_.order), &length));
  factorWork_.reserve(at(std::max(1, length)));
  info_.reserve(1);
  kindsOnDevice_.reserve(m + n);
  upload(stream_, kindsOnDevice_.data(), kinds_.data(), m + n);
  problem_.reserve(3 * (m + n));
  upload(stream_, problem_.data(), form.cost.data(), m + n);
  upload(stream_, problem_.data() + (m + n), form.lower.data(), m + n);
  upload(stream_, problem_.data() + 2 * (m + n), form.upper.data(), m + n);
  std::size_t const numbers = barrier::numbersOfView(form.rows(), form.columns());
  numbers_.reserve(numbers);
  check(cudaMemsetAsync(numbers_.data(), 0, numbers * sizeof(double), stream_));
  scalars_.reserve(1);
  clear(stream_, scalars_, 1);
  landed_ = PinnedArray<barrier::Scalars>(1);
  partials_.reserve(partialBytes * mostReduceBlocks);
  arrived_.reserve(1);
  clear(stream_, arrived_, 1);
  view_ = barrier::placeView(form.rows(), form.columns(), numbers_.data());
  view_.cost = problem_.data();
  view_.lower = problem_.data() + (m + n);
  view_.upper = problem_.data() + 2 * (m + n);
  view_.kind = kindsOnDevice_.data();
  view_.s = scalars_.data();
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
  if (needed > available)
    throw NotEnoughMemory("the interior point method needs " + byteCount(needed) +
                          " of device memory, " + byteCount(available) + " are available");
}

void DeviceAlgebra::load(Lines& lines, SparseMatrix const& matrix, Uploader& uploader) {
  auto const entries = static_cast<std::size_t>(matrix.nonzeros());
  lines.count = matrix.columns;
  lines.starts.reserve(at(matrix.columns) + 1);
  lines.indices.reserve(entries);
  lines.values.reserve(entries);
  uploader.upload(stream_, lines.starts.data(), matrix.starts.data(), at(matrix.columns) + 1);
  uploader.upload(stream_, lines.indices.data(), matrix.indices.data(), entries);
  uploader.upload(stream_, lines.values.data(), matrix.values.data(), entries);
}

void DeviceAlgebra::multiply(double const* x, double* out) {
  if (!workload_.dense) return productsOfLines(stream_, rows_.view(), x, out);
  double const one = 1.0, zero = 0.0;
  check(cublasDgemv(blas_, CUBLAS_OP_N, form_.rows(), form_.columns(), &one, dense_.data(),
                    form_.rows(), x, 1, &zero, out, 1));
}

void DeviceAlgebra::multiplyTransposed(double const* y, double* out) {
  if (!workload_.dense) return productsOfLines(stream_, columns_.view(), y, out);
  double const one = 1.0, zero = 0.0;
  check(cublasDgemv(blas_, CUBLAS_OP_T, form_.rows(), form_.columns(), &one, dense_.data(),
                    form_.rows(), y, 1, &zero, out, 1));
}

void DeviceAlgebra::formByRows(double const* weight, double const* diagonal) {
  if (workload_.dense)
    formDense(weight);
  else
    formSparse(rows_, columns_, weight);
  addDiagonal(diagonal);
}

void DeviceAlgebra::formByColumns(double const* weight, double const* diagonal) {
  if (workload_.dense)
    formDense(weight);
  else
    formSparse(columns_, rows_, weight);
  addDiagonal(diagonal);
}

// A times the roots of the weights, and its product with itself.
void DeviceAlgebra::formDense(double const* weight) {
  int const m = form_.rows(), n = form_.columns(), order = workload_.order;
  bool const byColumns = workload_.byColumns;
  double* const to = scaled_.data();
  scale(stream_, m, n, dense_.data(), weight, byColumns, to);
  double const one = 1.0, zero = 0.0;
  check(cublasDsyrk(blas_, CUBLAS_FILL_MODE_LOWER, byColumns ? CUBLAS_OP_T : CUBLAS_OP_N, order,
                    byColumns ? m : n, &one, to, m, &zero, normal_.data(), order));
}

void DeviceAlgebra::formSparse(Lines const& lines, Lines const& across, double const* weight) {
  std::size_t const order = at(workload_.order);
  check(cudaMemsetAsync(normal_.data(), 0, order * order * sizeof(double), stream_));
  addLines(stream_, lines.view(), across.view(), weight, normal_.data());
}

void DeviceAlgebra::addDiagonal(double const* diagonal) {
  changeDiagonal(stream_, workload_.order, normal_.data(), diagonal, 1.0);
}

void DeviceAlgebra::factor(double share) {
  changeDiagonal(stream_, workload_.order, normal_.data(), nullptr, 1.0 + share);
  check(cusolverDnDpotrf(solver_, CUBLAS_FILL_MODE_LOWER, workload_.order, normal_.data(),
                         workload_.order, factorWork_.data(), static_cast<int>(factorWork_.size()),
                         info_.data()));
  noteFailure(stream_, info_.data(), scalars_.data());
}

void DeviceAlgebra::solve(double* x) {
  for (auto const side : {CUBLAS_OP_N, CUBLAS_OP_T})
    check(cublasDtrsv(blas_, CUBLAS_FILL_MODE_LOWER, side, CUBLAS_DIAG_NON_UNIT, workload_.order,
                      normal_.data(), workload_.order, x, 1));
}

void DeviceAlgebra::copy(double const* from, double* to, int count) {
  check(cudaMemcpyAsync(to, from, at(count) * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
}

barrier::Scalars DeviceAlgebra::fetch() {
  check(cudaMemcpyAsync(landed_.data(), scalars_.data(), sizeof(barrier::Scalars),
                        cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  return landed_[0];
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
