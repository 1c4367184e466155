// SPDX-License-Identifier: EPL-2.0
// A thread a system, coefficients of its own: in one kernel, and split into three.
#include "examples/response/device/sweeper.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::DeviceArray;

__device__ void goForward(Lines const& l, std::size_t at, double const* d, double* alpha,
                          double* beta, double* gamma) {
  double a = 0.0, b = 0.0, g = 1.0;
  for (int k = 1; k < l.length; ++k) {
    at += l.along;
    double const inverse = 1.0 / (l.m.b + l.m.a * a);
    a = -l.m.c * inverse;
    b = (d[at] - l.m.a * b) * inverse;
    g = -l.m.a * g * inverse;
    alpha[at] = a;
    beta[at] = b;
    gamma[at] = g;
  }
}

/// u takes the place of beta, v that of gamma.
__device__ void goBackward(Lines const& l, std::size_t first, double const* alpha, double* beta,
                           double* gamma) {
  double u = 0.0, v = 1.0;
  for (int k = l.length - 1; k > 0; --k) {
    std::size_t const at = first + k * l.along;
    u = alpha[at] * u + beta[at];
    v = alpha[at] * v + gamma[at];
    beta[at] = u;
    gamma[at] = v;
  }
}

__device__ void close(Lines const& l, std::size_t first, double const* d, double const* u,
                      double const* v, double* y) {
  std::size_t const last = first + (l.length - 1) * l.along, second = first + l.along;
  double const y0 = (d[first] - l.m.a * u[last] - l.m.c * u[second]) /
                    (l.m.b + l.m.a * v[last] + l.m.c * v[second]);
  y[first] = y0;
  for (int k = 1; k < l.length; ++k) {
    std::size_t const at = first + k * l.along;
    y[at] = u[at] + y0 * v[at];
  }
}

/// Owner of all below: thread s owns system s.
__global__ void naiveSweep(Lines l, double const* d, double* alpha, double* beta, double* gamma,
                           double* y) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s >= l.systems) return;
  goForward(l, s * l.across, d, alpha, beta, gamma);
  goBackward(l, s * l.across, alpha, beta, gamma);
  close(l, s * l.across, d, beta, gamma, y);
}
__global__ void forwardSweep(Lines l, double const* d, double* alpha, double* beta, double* gamma) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s < l.systems) goForward(l, s * l.across, d, alpha, beta, gamma);
}
__global__ void backwardSweep(Lines l, double const* alpha, double* beta, double* gamma) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s < l.systems) goBackward(l, s * l.across, alpha, beta, gamma);
}
__global__ void closingSweep(Lines l, double const* d, double const* u, double const* v,
                             double* y) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s < l.systems) close(l, s * l.across, d, u, v, y);
}

class NaiveSweeper : public Sweeper {
 public:
  NaiveSweeper(SweepCase const& grid, bool isSplit)
      : grid_(grid),
        isSplit_(isSplit),
        alpha_(grid.cells()),
        beta_(grid.cells()),
        gamma_(grid.cells()) {}
  void alongRows(double const* in, double* out) override { sweep(rowLines(grid_), in, out); }
  void alongColumns(double const* in, double* out) override { sweep(columnLines(grid_), in, out); }

 private:
  void sweep(Lines const& l, double const* in, double* out) {
    unsigned const blocks = blocksFor(l.systems, sweepThreads);
    if (!isSplit_) {
      naiveSweep<<<blocks, sweepThreads>>>(l, in, alpha_.data(), beta_.data(), gamma_.data(), out);
      return;
    }
    forwardSweep<<<blocks, sweepThreads>>>(l, in, alpha_.data(), beta_.data(), gamma_.data());
    backwardSweep<<<blocks, sweepThreads>>>(l, alpha_.data(), beta_.data(), gamma_.data());
    closingSweep<<<blocks, sweepThreads>>>(l, in, beta_.data(), gamma_.data(), out);
  }
  SweepCase grid_;
  bool isSplit_;
  DeviceArray<double> alpha_, beta_, gamma_;
};

}  // namespace

std::unique_ptr<Sweeper> makeNaiveSweeper(SweepCase const& grid, bool isSplit) {
  return std::make_unique<NaiveSweeper>(grid, isSplit);
}

}  // namespace osi_cuda::response::device
