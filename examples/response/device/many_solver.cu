// SPDX-License-Identifier: EPL-2.0
// Conjugate gradients for many right-hand sides: vectors lie row by row, a warp's lanes are
// neighbouring columns, so that a row of the matrix is read once for all of them.
#include <algorithm>
#include <cmath>

#include "examples/common/device_array.cuh"
#include "examples/response/device_module.hpp"
#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;

constexpr int lanes = 32, warps = 8;  // of a block
constexpr int pieces = 264;           // blocks that form partial sums: two for each of 132 cores

struct MatrixView {
  int rows;
  int const* start;
  int const* column;
  double const* value;
};

/// Y = A X. Owner: a warp owns 32 columns of a row of Y.
__global__ void multiplyMany(MatrixView a, double const* x, int width, double* y) {
  int const i = int(blockIdx.x) * warps + int(threadIdx.y);
  int const c = int(blockIdx.y) * lanes + int(threadIdx.x);
  if (i >= a.rows || c >= width) return;
  double sum = 0.0;
  for (int k = a.start[i]; k < a.start[i + 1]; ++k)
    sum += a.value[k] * x[std::size_t(a.column[k]) * width + c];
  y[std::size_t(i) * width + c] = sum;
}

/// Block b's share of sum_i f(i, c) for each column c of its 32, in an order that depends on sizes
/// only. Owner: block (b, k) owns part[b * width + c] of its columns c.
template <class Term>
__device__ void partialSum(int rows, int width, double* part, Term const& term) {
  int const c = int(blockIdx.y) * lanes + int(threadIdx.x);
  double sum = 0.0;
  if (c < width)
    for (int i = int(blockIdx.x) * warps + int(threadIdx.y); i < rows; i += pieces * warps)
      sum += term(std::size_t(i) * width + c, i);
  __shared__ double sums[warps][lanes];
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && c < width) {
    for (int w = 1; w < warps; ++w) sum += sums[w][threadIdx.x];
    part[std::size_t(blockIdx.x) * width + c] = sum;
  }
}

__global__ void dots(int rows, int width, double const* a, double const* b, double* part) {
  partialSum(rows, width, part, [=](std::size_t k, int) { return a[k] * b[k]; });
}

/// sum[c] = the parts of column c. Owner: thread c owns column c.
__global__ void addParts(int width, double const* part, double* sum) {
  int const c = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= width) return;
  double total = 0.0;
  for (int b = 0; b < pieces; ++b) total += part[std::size_t(b) * width + c];
  sum[c] = total;
}

/// What follows from the sums, by column: beta = new rho / rho.
__global__ void nextBeta(int width, double const* next, double* rho, double* beta) {
  int const c = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= width) return;
  beta[c] = rho[c] > 0.0 ? next[c] / rho[c] : 0.0;
  rho[c] = next[c];
}
/// alpha = rho / p'Ap; a column that is solved, or was 0, stays where it is.
__global__ void nextAlpha(int width, double const* rho, double const* curvature, double* alpha) {
  int const c = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (c < width) alpha[c] = curvature[c] > 0.0 ? rho[c] / curvature[c] : 0.0;
}

/// p = z + beta p with z = r / diagonal. Owner: a thread owns its entries.
__global__ void turn(int rows, int width, double const* inverse, double const* r,
                     double const* beta, double* p) {
  int const c = int(blockIdx.y) * lanes + int(threadIdx.x);
  int const i = int(blockIdx.x) * warps + int(threadIdx.y);
  if (i >= rows || c >= width) return;
  std::size_t const k = std::size_t(i) * width + c;
  p[k] = inverse[i] * r[k] + beta[c] * p[k];
}

/// x += alpha p, r -= alpha q, and the parts of r'r and r'z. Owner: a thread owns its entries.
__global__ void step(int rows, int width, double const* alpha, double const* p, double const* q,
                     double const* inverse, double* x, double* r, double* partR, double* partZ) {
  int const c = int(blockIdx.y) * lanes + int(threadIdx.x);
  double const a = c < width ? alpha[c] : 0.0;
  partialSum(rows, width, partR, [=](std::size_t k, int) {
    x[k] += a * p[k];
    double const rest = r[k] - a * q[k];
    r[k] = rest;
    return rest * rest;
  });
  __syncthreads();
  partialSum(rows, width, partZ, [=](std::size_t k, int i) { return r[k] * r[k] * inverse[i]; });
}

class DeviceManySolver : public ManySolver {
 public:
  explicit DeviceManySolver(Csr const& matrix)
      : rows_(matrix.rows),
        start_(matrix.start),
        column_(matrix.column),
        value_(matrix.value),
        inverse_(inverseDiagonal(matrix)) {}

  ManySolved solve(std::vector<double> const& b, int width, double tolerance,
                   int mostIterations) override {
    width_ = width;
    DeviceArray<double> const right(b), x(b.size()), r(b), p(b.size()), q(b.size());
    DeviceArray<double> const parts(std::size_t(2) * pieces * width), sums(std::size_t(6) * width);
    double* const partR = parts.data();
    double* const partZ = partR + std::size_t(pieces) * width;
    double* const left = sums.data();
    double *const next = left + width, *const rho = next + width, *const beta = rho + width;
    double *const alpha = beta + width, *const curvature = alpha + width;
    x.fillBytes(0);
    p.fillBytes(0);
    sums.fillBytes(0);
    check(cudaDeviceSynchronize());
    Stopwatch const watch;
    std::vector<double> const size = sumOf(r.data(), r.data(), partR, left);
    // alpha is 0: this forms the sums of r alone.
    step<<<sumGrid(), block()>>>(rows_, width, alpha, p.data(), r.data(), inverse_.data(), x.data(),
                                 r.data(), partR, partZ);
    ManySolved result;
    for (;; ++result.iterations) {
      addUp(partR, left);
      addUp(partZ, next);
      constexpr int glances = 8;  // iterations between two looks at the residuals
      if (result.iterations % glances == 0 || result.iterations == mostIterations) {
        std::vector<double> const residual = fetch(left);
        bool done = true;
        for (int c = 0; c < width; ++c)
          done = done && residual[c] <= tolerance * tolerance * size[c];
        if (done || result.iterations == mostIterations) break;
      }
      nextBeta<<<blocksFor(width, 128), 128>>>(width, next, rho, beta);
      turn<<<rowGrid(), block()>>>(rows_, width, inverse_.data(), r.data(), beta, p.data());
      multiplyMany<<<rowGrid(), block()>>>(view(), p.data(), width, q.data());
      dots<<<sumGrid(), block()>>>(rows_, width, p.data(), q.data(), partR);
      addUp(partR, curvature);
      nextAlpha<<<blocksFor(width, 128), 128>>>(width, rho, curvature, alpha);
      step<<<sumGrid(), block()>>>(rows_, width, alpha, p.data(), q.data(), inverse_.data(),
                                   x.data(), r.data(), partR, partZ);
      check(cudaGetLastError());
    }
    result.seconds = watch.seconds();
    multiplyMany<<<rowGrid(), block()>>>(view(), x.data(), width, q.data());
    std::vector<double> const product = q.download();
    result.x = x.download();
    std::vector<double> rest(width, 0.0);
    for (std::size_t k = 0; k < b.size(); ++k)
      rest[k % width] += (b[k] - product[k]) * (b[k] - product[k]);
    for (int c = 0; c < width; ++c)
      if (size[c] > 0.0) result.residual = std::max(result.residual, std::sqrt(rest[c] / size[c]));
    return result;
  }

 private:
  static std::vector<double> inverseDiagonal(Csr const& matrix) {
    std::vector<double> inverse(matrix.rows);
    for (int i = 0; i < matrix.rows; ++i) inverse[i] = 1.0 / matrix.value[matrix.find(i, i)];
    return inverse;
  }
  MatrixView view() const { return {rows_, start_.data(), column_.data(), value_.data()}; }
  static dim3 block() { return {lanes, warps}; }
  dim3 rowGrid() const { return {blocksFor(rows_, warps), blocksFor(width_, lanes)}; }
  dim3 sumGrid() const { return {pieces, blocksFor(width_, lanes)}; }
  void addUp(double const* part, double* sum) const {
    addParts<<<blocksFor(width_, 128), 128>>>(width_, part, sum);
  }
  std::vector<double> fetch(double const* sum) const {
    std::vector<double> values(width_);
    check(cudaMemcpy(values.data(), sum, width_ * sizeof(double), cudaMemcpyDeviceToHost));
    return values;
  }
  std::vector<double> sumOf(double const* a, double const* b, double* part, double* sum) const {
    dots<<<sumGrid(), block()>>>(rows_, width_, a, b, part);
    addUp(part, sum);
    return fetch(sum);
  }

  int rows_, width_ = 0;
  DeviceArray<int> start_, column_;
  DeviceArray<double> value_, inverse_;
};

std::unique_ptr<ManySolver> makeManySolver(Csr const& matrix) {
  return std::make_unique<DeviceManySolver>(matrix);
}

constexpr DeviceTable module{OSI_CUDA_VERSION, &examples::device::deviceName, &makeManySolver};

}  // namespace
}  // namespace osi_cuda::response::device

/// What the module exports.
extern "C" __attribute__((visibility("default"))) osi_cuda::response::DeviceTable const*
responseDevice() {
  return &osi_cuda::response::device::module;
}
