// SPDX-License-Identifier: EPL-2.0
#include "examples/response/device/cg.cuh"

#include <cmath>

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;

/// y = A x, a thread an entry. Owner: thread i * width + c owns y[i, c].
template <class Rows>
__global__ void multiplyRows(Rows a, double const* x, int width, double* y) {
  std::size_t const t = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int const i = int(t / width), c = int(t % width);
  if (i >= a.rows) return;
  double sum = 0.0;
  for (int k = 0; k < a.entries(i); ++k)
    sum += a.value[a.at(i, k)] * x[std::size_t(a.column[a.at(i, k)]) * width + c];
  y[t] = sum;
}

constexpr int rowLanes = 8;
/// Of one column with eight threads a row, for rows that lie one after the other.
__global__ void multiplyLongRows(CsrRows a, double const* x, double* y) {
  int const i = int((blockIdx.x * blockDim.x + threadIdx.x) / rowLanes);
  int const lane = int(threadIdx.x) % rowLanes;
  double sum = 0.0;
  if (i < a.rows)
    for (int k = a.start[i] + lane; k < a.start[i + 1]; k += rowLanes)
      sum += a.value[k] * x[a.column[k]];
  for (int d = rowLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0 && i < a.rows) y[i] = sum;
}

/// Owner: thread (k, c) owns z[list[k], c].
template <class Rows>
__global__ void sweepColour(Rows a, RowColour rows, double const* inverse, double const* r,
                            int width, double* z) {
  std::size_t const t = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  int const at = int(t / width), c = int(t % width);
  if (at >= rows.listed) return;
  int const i = rows.list[at], own = rows.colour[i];
  double sum = 0.0;
  for (int k = 0; k < a.entries(i); ++k) {
    int const j = a.column[a.at(i, k)];
    if (r ? rows.colour[j] < own : rows.colour[j] > own)
      sum += a.value[a.at(i, k)] * z[std::size_t(j) * width + c];
  }
  std::size_t const to = std::size_t(i) * width + c;
  z[to] = r ? (r[to] - sum) * inverse[i] : z[to] - sum * inverse[i];
}

// ---- vectors. Owner of what follows: thread k owns entry k.

__global__ void scale(std::size_t size, double const* inverse, double const* r, int width,
                      double* z) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < size) z[k] = inverse[k / width] * r[k];
}
__global__ void turn(std::size_t size, int width, double const* beta, double const* z, double* p) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < size) p[k] = z[k] + beta[k & (width - 1)] * p[k];
}
__global__ void step(std::size_t size, int width, double const* alpha, double const* p,
                     double const* q, double* x, double* r) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= size) return;
  double const a = alpha[k & (width - 1)];
  x[k] += a * p[k];
  r[k] -= a * q[k];
}

constexpr int mostSumBlocks = 264, sumThreads = 256;  // two blocks a multiprocessor

/// The sum over the block's threads of each column: those whose numbers differ by multiples of
/// `width`. Right in the threads below `width`.
__device__ double columnSum(double sum, int width) {
  __shared__ double sums[sumThreads];
  int const t = int(threadIdx.x);
  sums[t] = sum;
  for (int d = sumThreads / 2; d >= width; d /= 2) {
    __syncthreads();
    if (t < d) sums[t] += sums[t + d];
  }
  __syncthreads();
  return sums[t];
}
/// part[block, c]: a'b by column, in an order that depends on sizes only.
__global__ void dotParts(std::size_t size, int width, double const* a, double const* b,
                         double* part) {
  double sum = 0.0;
  for (std::size_t k = std::size_t(blockIdx.x) * sumThreads + threadIdx.x; k < size;
       k += std::size_t(gridDim.x) * sumThreads)
    sum += a[k] * b[k];
  sum = columnSum(sum, width);
  if (int(threadIdx.x) < width) part[blockIdx.x * width + threadIdx.x] = sum;
}

/// What conjugate gradients keep by column: `width` numbers each.
struct Scalars {
  double *rho, *alpha, *beta, *left;
};
enum class Dot { rho, curvature, residual };
/// The sum of the parts, and what follows from it. A column that is solved, or was 0, stays where
/// it is.
__global__ void dotEnd(int blocks, int width, double const* part, Dot dot, Scalars s) {
  double sum = 0.0;
  for (int k = int(threadIdx.x); k < blocks * width; k += sumThreads) sum += part[k];
  sum = columnSum(sum, width);
  int const c = int(threadIdx.x);
  if (c >= width) return;
  if (dot == Dot::rho) {
    s.beta[c] = s.rho[c] > 0.0 ? sum / s.rho[c] : 0.0;
    s.rho[c] = sum;
  } else if (dot == Dot::curvature) {
    s.alpha[c] = sum > 0.0 ? s.rho[c] / sum : 0.0;
  } else {
    s.left[c] = sum;
  }
}

template <class Rows>
void queueRows(Rows const& a, double const* x, int width, double* y, cudaStream_t stream) {
  launch(stream, blocksFor(std::size_t(a.rows) * width, threads), threads, &multiplyRows<Rows>, a,
         x, width, y);
}
template <class Rows>
void queueColourOf(Rows const& a, RowColour const& c, double const* inverse, double const* r,
                   int width, double* z, cudaStream_t stream) {
  launch(stream, blocksFor(std::size_t(c.listed) * width, threads), threads, &sweepColour<Rows>, a,
         c, inverse, r, width, z);
}

}  // namespace

void queueMultiply(CsrRows const& a, double const* x, int width, double* y, cudaStream_t stream) {
  if (width > 1) return queueRows(a, x, width, y, stream);
  launch(stream, blocksFor(std::size_t(a.rows) * rowLanes, threads), threads, &multiplyLongRows, a,
         x, y);
}
void queueMultiply(EllRows const& a, double const* x, int width, double* y, cudaStream_t stream) {
  queueRows(a, x, width, y, stream);
}
void queueColour(CsrRows const& a, RowColour const& c, double const* inverse, double const* r,
                 int width, double* z, cudaStream_t stream) {
  queueColourOf(a, c, inverse, r, width, z, stream);
}
void queueColour(EllRows const& a, RowColour const& c, double const* inverse, double const* r,
                 int width, double* z, cudaStream_t stream) {
  queueColourOf(a, c, inverse, r, width, z, stream);
}
void queueScale(std::size_t rows, double const* inverse, double const* r, int width, double* z,
                cudaStream_t stream) {
  launch(stream, blocksFor(rows * width, threads), threads, &scale, rows * width, inverse, r, width,
         z);
}

Timed conjugateGradients(CgRequest const& request, Queue const& multiply, Queue const& precondition,
                         cudaStream_t stream) {
  std::size_t const size = request.b.size();
  int const width = request.width;
  DeviceArray<double> const r(request.b), x(size), z(size), p(size), q(size);
  unsigned const sumBlocks = std::min<unsigned>(mostSumBlocks, blocksFor(size, sumThreads));
  DeviceArray<double> const part(std::size_t(sumBlocks) * width), sums(std::size_t(4) * width);
  for (auto const* array : {&x, &z, &p, &sums}) array->fillBytes(0);
  double* const s = sums.data();
  Scalars const scalars{s, s + width, s + 2 * width, s + 3 * width};
  auto const dot = [&](double const* a, double const* b, Dot what) {
    launch(stream, sumBlocks, sumThreads, &dotParts, size, width, a, b, part.data());
    launch(stream, 1, sumThreads, &dotEnd, int(sumBlocks), width, part.data(), what, scalars);
  };
  auto const residuals = [&] {
    dot(r.data(), r.data(), Dot::residual);
    std::vector<double> left(width);
    check(cudaMemcpyAsync(left.data(), scalars.left, width * sizeof(double), cudaMemcpyDeviceToHost,
                          stream));
    check(cudaStreamSynchronize(stream));
    return left;
  };
  unsigned const blocks = blocksFor(size, threads);
  std::vector<double> enough = residuals();
  for (double& each : enough) each *= request.tolerance * request.tolerance;
  Timed result;
  result.seconds = examples::device::seconds(stream, [&] {
    for (;; ++result.iterations) {
      constexpr int glances = 16;  // iterations between two looks at the residuals
      bool const isLast = result.iterations >= request.mostIterations;
      if (result.iterations % glances == 0 || isLast) {
        std::vector<double> const left = residuals();
        bool done = true;
        for (int c = 0; c < width; ++c) done = done && left[c] <= enough[c];
        if (done || isLast) break;
      }
      precondition(r.data(), z.data());
      dot(r.data(), z.data(), Dot::rho);
      launch(stream, blocks, threads, &turn, size, width, scalars.beta, z.data(), p.data());
      multiply(p.data(), q.data());
      dot(p.data(), q.data(), Dot::curvature);
      launch(stream, blocks, threads, &step, size, width, scalars.alpha, p.data(), q.data(),
             x.data(), r.data());
    }
  });
  result.values = x.download();
  return result;
}

}  // namespace osi_cuda::response::device
