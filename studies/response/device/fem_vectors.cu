// SPDX-License-Identifier: EPL-2.0
#include "studies/response/device/fem_vectors.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;

constexpr unsigned threads = 128;
constexpr int dotBlocks = 264, dotThreads = 256;

__device__ double blockSum(double sum) {
  __shared__ double part[dotThreads / 32];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0;
  if (threadIdx.x == 0)
    for (double const one : part) sum += one;
  return sum;
}
__global__ void dotParts(int n, double const* a, double const* b, double* part) {
  double sum = 0.0;
  for (int i = int(blockIdx.x) * dotThreads + int(threadIdx.x); i < n; i += dotBlocks * dotThreads)
    sum += a[i] * b[i];
  sum = blockSum(sum);
  if (threadIdx.x == 0) part[blockIdx.x] = sum;
}
/// scalars[to] = the sum, and what conjugate gradients make of it: quotient = that / scalars[by].
__global__ void dotEnd(double const* part, double* scalars, int to, int by, int quotient) {
  double sum = 0.0;
  for (int k = int(threadIdx.x); k < dotBlocks; k += dotThreads) sum += part[k];
  sum = blockSum(sum);
  if (threadIdx.x != 0) return;
  if (quotient >= 0) {
    double const old = scalars[by];
    // alpha is rho / p'Ap, beta is new rho / rho
    double const over = to == by ? sum : old, under = to == by ? old : sum;
    scalars[quotient] = under > 0.0 ? over / under : 0.0;
  }
  scalars[to] = sum;
}
__global__ void scaleBy(int n, double const* inverse, double const* r, double* z) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) z[i] = inverse[i] * r[i];
}
__global__ void turnTo(int n, double const* beta, double const* z, double* p) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = z[i] + *beta * p[i];
}
__global__ void stepAlong(int n, double const* alpha, double const* p, double const* q, double* x,
                          double* r) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  x[i] += *alpha * p[i];
  r[i] -= *alpha * q[i];
}

enum Scalar { rho, alpha, beta, curvature, left, scalars };

}  // namespace

CgVectors::CgVectors(std::vector<double> const& b)
    : n_(int(b.size())),
      r_(b),
      x_(b.size()),
      z_(b.size()),
      p_(b.size()),
      q_(b.size()),
      part_(dotBlocks),
      sums_(scalars) {
  for (auto const* array : {&x_, &z_, &p_, &sums_}) array->fillBytes(0);
}

void CgVectors::queueDot(double const* a, double const* b, int to, int by, int quotient) {
  dotParts<<<dotBlocks, dotThreads>>>(n_, a, b, part_.data());
  dotEnd<<<1, dotThreads>>>(part_.data(), sums_.data(), to, by, quotient);
}

void CgVectors::queueJacobi(double const* inverse) {
  scaleBy<<<blocksFor(n_, threads), threads>>>(n_, inverse, r_.data(), z_.data());
}

void CgVectors::queueTurn() {
  queueDot(r_.data(), z_.data(), rho, rho, beta);
  turnTo<<<blocksFor(n_, threads), threads>>>(n_, sums_.data() + beta, z_.data(), p_.data());
}

void CgVectors::queueStep() {
  queueDot(p_.data(), q_.data(), curvature, rho, alpha);
  stepAlong<<<blocksFor(n_, threads), threads>>>(n_, sums_.data() + alpha, p_.data(), q_.data(),
                                                 x_.data(), r_.data());
}

double CgVectors::residual() {
  queueDot(r_.data(), r_.data(), left, left, -1);
  double value = 0.0;
  check(cudaMemcpy(&value, sums_.data() + left, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

}  // namespace osi_cuda::response::device
