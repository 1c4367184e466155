// SPDX-License-Identifier: EPL-2.0
// A thread a system, with tables that all systems share; rows by tiles or by transposition.
#include "examples/response/device/sweeper.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::DeviceArray;

struct Tables {
  double const *alpha, *inverse, *v;
  double closing;
};

/// Systems along columns: neighbouring threads read neighbouring words.
__global__ void tableSweep(Lines l, Tables t, double const* d, double* y) {
  std::size_t const s = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (s >= l.systems) return;
  std::size_t const first = s * l.across;
  double beta = 0.0;
  for (int k = 1; k < l.length; ++k) {
    beta = (d[first + k * l.along] - l.m.a * beta) * t.inverse[k];
    y[first + k * l.along] = beta;
  }
  double const last = beta;
  double u = 0.0;
  for (int k = l.length - 1; k > 0; --k) {
    u = t.alpha[k] * u + y[first + k * l.along];
    y[first + k * l.along] = u;
  }
  double const y0 = t.closing * (d[first] - l.m.a * last - l.m.c * u);
  y[first] = y0;
  for (int k = 1; k < l.length; ++k) y[first + k * l.along] += y0 * t.v[k];
}

constexpr int tile = 32, tileRows = 8;

/// Systems along rows: 32 rows a block, 32 places at a time through shared memory, where the first
/// warp sweeps. Owner: a block owns its rows.
__global__ void sharedSweep(Lines l, Tables t, double const* d, double* y) {
  __shared__ double part[tile][tile + 1];
  int const row0 = int(blockIdx.x) * tile, lane = int(threadIdx.x);
  auto const move = [&](double const* from, double* to, int k0) {
    __syncthreads();
    for (int r = int(threadIdx.y); r < tile; r += tileRows)
      if (row0 + r < l.systems && k0 + lane < l.length) {
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

/// to = from transposed; from is rows x columns. Owner: a block owns a tile of `to`.
__global__ void transpose(int rows, int columns, double const* from, double* to) {
  __shared__ double part[tile][tile + 1];
  int const r0 = int(blockIdx.y) * tile, c0 = int(blockIdx.x) * tile;
  for (int r = int(threadIdx.y); r < tile; r += tileRows)
    if (r0 + r < rows && c0 + int(threadIdx.x) < columns)
      part[r][threadIdx.x] = from[std::size_t(r0 + r) * columns + c0 + threadIdx.x];
  __syncthreads();
  for (int c = int(threadIdx.y); c < tile; c += tileRows)
    if (c0 + c < columns && r0 + int(threadIdx.x) < rows)
      to[std::size_t(c0 + c) * rows + r0 + threadIdx.x] = part[threadIdx.x][c];
}

struct DeviceTables {
  DeviceTables(CyclicMatrix const& m, int length) : DeviceTables(tablesOf(m, length)) {}
  explicit DeviceTables(SweepTables const& t)
      : alpha(t.alpha), inverse(t.inverse), v(t.v), closing(t.closing) {}
  Tables view() const { return {alpha.data(), inverse.data(), v.data(), closing}; }
  DeviceArray<double> alpha, inverse, v;
  double closing;
};

class TableSweeper : public Sweeper {
 public:
  TableSweeper(SweepCase const& grid, bool byTransposing)
      : grid_(grid),
        byTransposing_(byTransposing),
        row_(grid.alongRow, grid.columns),
        column_(grid.alongColumn, grid.rows),
        turned_(byTransposing ? grid.cells() : 0),
        solved_(byTransposing ? grid.cells() : 0) {}
  void alongRows(double const* in, double* out) override {
    Lines l = rowLines(grid_);
    if (!byTransposing_) {
      sharedSweep<<<blocksFor(l.systems, tile), dim3(tile, tileRows)>>>(l, row_.view(), in, out);
      return;
    }
    queueTranspose(grid_.rows, grid_.columns, in, turned_.data());
    l.along = std::size_t(grid_.rows);
    l.across = 1;
    tableSweep<<<blocksFor(l.systems, sweepThreads), sweepThreads>>>(l, row_.view(), turned_.data(),
                                                                     solved_.data());
    queueTranspose(grid_.columns, grid_.rows, solved_.data(), out);
  }
  void alongColumns(double const* in, double* out) override {
    Lines const l = columnLines(grid_);
    tableSweep<<<blocksFor(l.systems, sweepThreads), sweepThreads>>>(l, column_.view(), in, out);
  }

 private:
  SweepCase grid_;
  bool byTransposing_;
  DeviceTables row_, column_;
  DeviceArray<double> turned_, solved_;
};

}  // namespace

void queueTranspose(int rows, int columns, double const* from, double* to) {
  dim3 const blocks(blocksFor(columns, tile), blocksFor(rows, tile));
  transpose<<<blocks, dim3(tile, tileRows)>>>(rows, columns, from, to);
}

std::unique_ptr<Sweeper> makeTableSweeper(SweepCase const& grid, bool byTransposing) {
  return std::make_unique<TableSweeper>(grid, byTransposing);
}

}  // namespace osi_cuda::response::device
