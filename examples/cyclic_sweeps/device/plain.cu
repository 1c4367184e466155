// SPDX-License-Identifier: EPL-2.0
// A thread a system: with coefficients of its own, and with tables that all systems share.
#include "examples/cyclic_sweeps/device/sweeper.cuh"

namespace osi_cuda::cyclic_sweeps::device {
namespace {

using examples::device::blocksFor;
using examples::device::DeviceArray;
using examples::device::launch;

constexpr unsigned threads = 128;

/// The three phases of the sweep (Tables), with alpha, beta and gamma of every place in memory; u
/// takes the place of beta, v that of gamma. Owner: thread s owns system s.
__global__ void sweepPlainly(Lines l, double const* d, double* alpha, double* beta, double* gamma,
                             double* y) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s >= std::size_t(l.count)) return;
  std::size_t const first = s * l.across, last = first + (l.length - 1) * l.along;
  double a = 0.0, b = 0.0, g = 1.0;
  for (std::size_t at = first + l.along; at <= last; at += l.along) {
    double const inverse = 1.0 / (l.m.b + l.m.a * a);
    alpha[at] = a = -l.m.c * inverse;
    beta[at] = b = (d[at] - l.m.a * b) * inverse;
    gamma[at] = g = -l.m.a * g * inverse;
  }
  double u = 0.0, v = 1.0;
  for (std::size_t at = last; at > first; at -= l.along) {
    beta[at] = u = alpha[at] * u + beta[at];
    gamma[at] = v = alpha[at] * v + gamma[at];
  }
  double const y0 =
      (d[first] - l.m.a * beta[last] - l.m.c * u) / (l.m.b + l.m.a * gamma[last] + l.m.c * v);
  y[first] = y0;
  for (std::size_t at = first + l.along; at <= last; at += l.along)
    y[at] = beta[at] + y0 * gamma[at];
}

class PlainSweeper : public Sweeper {
 public:
  explicit PlainSweeper(Grid const& grid)
      : grid_(grid), alpha_(grid.cells()), beta_(grid.cells()), gamma_(grid.cells()) {}
  void alongRows(double const* in, double* out, cudaStream_t stream) override {
    sweep(rowLines(grid_), in, out, stream);
  }
  void alongColumns(double const* in, double* out, cudaStream_t stream) override {
    sweep(columnLines(grid_), in, out, stream);
  }

 private:
  void sweep(Lines const& l, double const* in, double* out, cudaStream_t stream) const {
    launch(stream, blocksFor(l.count, threads), threads, &sweepPlainly, l, in, alpha_.data(),
           beta_.data(), gamma_.data(), out);
  }
  Grid grid_;
  DeviceArray<double> alpha_, beta_, gamma_;
};

// ---- shared tables

struct TableView {
  double const *alpha, *inverse, *v;
  double closing;
};
struct DeviceTables {
  explicit DeviceTables(Tables const& t)
      : alpha(t.alpha), inverse(t.inverse), v(t.v), closing(t.closing) {}
  TableView view() const { return {alpha.data(), inverse.data(), v.data(), closing}; }
  DeviceArray<double> alpha, inverse, v;
  double closing;
};

/// Systems along columns: neighbouring threads read neighbouring words. Owner: thread s owns
/// system s.
__global__ void sweepByTables(Lines l, TableView t, double const* d, double* y) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s >= std::size_t(l.count)) return;
  std::size_t const first = s * l.across;
  double beta = 0.0, u = 0.0;
  for (int k = 1; k < l.length; ++k)
    y[first + k * l.along] = beta = (d[first + k * l.along] - l.m.a * beta) * t.inverse[k];
  double const last = beta;
  for (int k = l.length - 1; k > 0; --k)
    y[first + k * l.along] = u = t.alpha[k] * u + y[first + k * l.along];
  double const y0 = t.closing * (d[first] - l.m.a * last - l.m.c * u);
  y[first] = y0;
  for (int k = 1; k < l.length; ++k) y[first + k * l.along] += y0 * t.v[k];
}

constexpr int tile = 32, tileRows = 8;

/// Systems along rows: 32 rows a block, 32 places at a time through shared memory, where the first
/// warp sweeps. Owner: a block owns its rows.
__global__ void sweepRowsByTables(Lines l, TableView t, double const* d, double* y) {
  __shared__ double part[tile][tile + 1];
  int const row0 = int(blockIdx.x) * tile, lane = int(threadIdx.x);
  auto const move = [&](double const* from, double* to, int k0) {
    __syncthreads();
    for (int r = int(threadIdx.y); r < tile; r += tileRows)
      if (row0 + r < l.count && k0 + lane < l.length) {
        std::size_t const at = std::size_t(row0 + r) * l.across + k0 + lane;
        if (from) part[r][lane] = from[at];
        if (to) to[at] = part[r][lane];
      }
    __syncthreads();
  };
  double beta = 0.0, d0 = 0.0, u = 0.0;
  for (int k0 = 0; k0 < l.length; k0 += tile) {
    move(d, nullptr, k0);
    if (threadIdx.y == 0)
      for (int k = k0; k < min(l.length, k0 + tile); ++k) {
        if (k == 0)
          d0 = part[lane][0];
        else
          part[lane][k - k0] = beta = (part[lane][k - k0] - l.m.a * beta) * t.inverse[k];
      }
    move(nullptr, y, k0);
  }
  double const last = beta;
  for (int k0 = (l.length - 1) / tile * tile; k0 >= 0; k0 -= tile) {
    move(y, nullptr, k0);
    if (threadIdx.y == 0)
      for (int k = min(l.length, k0 + tile) - 1; k >= max(k0, 1); --k)
        part[lane][k - k0] = u = t.alpha[k] * u + part[lane][k - k0];
    move(nullptr, y, k0);
  }
  double const y0 = t.closing * (d0 - l.m.a * last - l.m.c * u);
  for (int k0 = 0; k0 < l.length; k0 += tile) {
    move(y, nullptr, k0);
    if (threadIdx.y == 0)
      for (int k = k0; k < min(l.length, k0 + tile); ++k)
        part[lane][k - k0] = k == 0 ? y0 : part[lane][k - k0] + y0 * t.v[k];
    move(nullptr, y, k0);
  }
}

class TableSweeper : public Sweeper {
 public:
  explicit TableSweeper(Grid const& grid)
      : rows_(rowLines(grid)),
        columns_(columnLines(grid)),
        row_(tablesOf(rows_.m, rows_.length)),
        column_(tablesOf(columns_.m, columns_.length)) {}
  void alongRows(double const* in, double* out, cudaStream_t stream) override {
    launch(stream, blocksFor(rows_.count, tile), dim3(tile, tileRows), &sweepRowsByTables, rows_,
           row_.view(), in, out);
  }
  void alongColumns(double const* in, double* out, cudaStream_t stream) override {
    launch(stream, blocksFor(columns_.count, threads), threads, &sweepByTables, columns_,
           column_.view(), in, out);
  }

 private:
  Lines rows_, columns_;
  DeviceTables row_, column_;
};

}  // namespace

std::unique_ptr<Sweeper> makePlainSweeper(Grid const& grid) {
  return std::make_unique<PlainSweeper>(grid);
}
std::unique_ptr<Sweeper> makeTableSweeper(Grid const& grid) {
  return std::make_unique<TableSweeper>(grid);
}

}  // namespace osi_cuda::cyclic_sweeps::device
