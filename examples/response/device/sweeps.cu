// SPDX-License-Identifier: EPL-2.0
// Cyclic sweeps over all rows or columns of a periodic grid, in the forms of SweepForm.
#include <cusparse.h>

#include <memory>
#include <utility>

#include "examples/common/device_array.cuh"
#include "examples/response/device/entries.hpp"
#include "examples/response/device/timing.cuh"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;

/// All systems of one direction: place k of system s is at s * across + k * along.
struct Lines {
  CyclicMatrix m;
  int length, systems;
  std::size_t along, across;
};

struct Tables {
  double const *alpha, *inverse, *v;
  double closing;
};

// ---- a thread a system, coefficients of its own -------------------------------------------------

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

// ---- a thread a system, common tables -----------------------------------------------------------

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

// ---- one pass: two recurrences as scans ---------------------------------------------------------
//
// A line, or a piece of it with `halo` places before and behind, lies in the registers of
// neighbouring chunks. A chunk's recurrence from 0 gives what it adds; a scan over chunks gives the
// value each one starts from; the recurrence from there gives the values. A whole line closes on
// itself. A piece starts from 0 at the outer ends of its halo, where what it starts from has faded
// below a rounding when it reaches the piece (CyclicFactors::reach).

struct Fused {
  CyclicFactors f;
  int length;       ///< of a line
  int halo, count;  ///< a piece: `count` places and a halo at both ends; halo 0: the whole line
  bool isCircle;
};

/// value = what comes after this chunk and all before it, times = what a start value is multiplied
/// by until there; over the 32 lanes. Returns what a start of 0 gives before this lane's chunk.
struct Scanned {
  double value, times;
};
__device__ Scanned scanUp(double value, double times) {
  for (int d = 1; d < 32; d *= 2) {
    double const v = __shfl_up_sync(0xffffffffu, value, d);
    double const t = __shfl_up_sync(0xffffffffu, times, d);
    if (int(threadIdx.x % 32) >= d) {
      value += times * v;
      times *= t;
    }
  }
  return {value, times};
}
__device__ Scanned scanDown(double value, double times) {
  for (int d = 1; d < 32; d *= 2) {
    double const v = __shfl_down_sync(0xffffffffu, value, d);
    double const t = __shfl_down_sync(0xffffffffu, times, d);
    if (int(threadIdx.x % 32) + d < 32) {
      value += times * v;
      times *= t;
    }
  }
  return {value, times};
}

constexpr int fusedColumns = 8, fusedChunks = 32;  // a block of the kernel along columns

__device__ double power(double base, int exponent) {
  double result = 1.0;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2) result *= base;
    base *= base;
  }
  return result;
}

/// Where a grid's rows lie: those before `split` in one piece of memory, the others in another,
/// maybe on a neighbour device.
struct TwoParts {
  double const *low, *high;
  int split;
  __device__ double const* row(int r, int columns) const {
    return r < split ? low + std::size_t(r) * columns : high + std::size_t(r - split) * columns;
  }
};

/// Along columns. Block (tile of 8 columns, piece); thread (c, chunk), at most L places each.
/// `firstRow`: where the first piece starts. Owner: a thread owns its places of the output, whose
/// first row is `outRow`.
template <int L>
__global__ void __launch_bounds__(fusedColumns* fusedChunks)
    fusedAlongColumns(Fused p, int columns, int firstRow, int rowsToDo, TwoParts in, double* out) {
  __shared__ double summary[fusedChunks][fusedColumns + 1];
  int const flat = int(threadIdx.x), c = flat % fusedColumns, chunk = flat / fusedColumns;
  int const column = int(blockIdx.x) * fusedColumns + c;
  int const begin = int(blockIdx.y) * p.count;
  int const count = min(p.count, rowsToDo - begin);
  int const span = count + 2 * p.halo;
  int const from = int((long long)(chunk)*span / fusedChunks);
  int const places = int((long long)(chunk + 1) * span / fusedChunks) - from;
  double value[L];
#pragma unroll
  for (int k = 0; k < L; ++k) {
    int r = firstRow + begin - p.halo + from + k;
    r += r < 0 ? p.length : 0;
    r -= r >= p.length ? p.length : 0;
    value[k] = k < places && column < columns ? in.row(r, columns)[column] : 0.0;
  }
  // A warp scans the 32 chunks of one column.
  int const lane = flat % 32, warp = flat / 32;
  int const lanePlaces =
      int((long long)(lane + 1) * span / fusedChunks) - int((long long)(lane)*span / fusedChunks);
  double e = 0.0;
#pragma unroll
  for (int k = 0; k < L; ++k)
    if (k < places) e = value[k] + p.f.forward * e;
  summary[chunk][c] = e;
  __syncthreads();
  {
    Scanned const s = scanUp(summary[lane][warp], power(p.f.forward, lanePlaces));
    double const end = __shfl_sync(0xffffffffu, s.value, 31);
    double const all = __shfl_sync(0xffffffffu, s.times, 31);
    double const start = p.isCircle ? end / (1.0 - all) : 0.0;
    double const before = __shfl_up_sync(0xffffffffu, s.value + s.times * start, 1);
    summary[lane][warp] = lane == 0 ? start : before;
  }
  __syncthreads();
  double z = summary[chunk][c];
#pragma unroll
  for (int k = 0; k < L; ++k)
    if (k < places) {
      z = value[k] + p.f.forward * z;
      value[k] = p.f.scale * z;
    }
  e = 0.0;
#pragma unroll
  for (int k = L - 1; k >= 0; --k)
    if (k < places) e = value[k] + p.f.backward * e;
  __syncthreads();
  summary[chunk][c] = e;
  __syncthreads();
  {
    Scanned const s = scanDown(summary[lane][warp], power(p.f.backward, lanePlaces));
    double const end = __shfl_sync(0xffffffffu, s.value, 0);
    double const all = __shfl_sync(0xffffffffu, s.times, 0);
    double const start = p.isCircle ? end / (1.0 - all) : 0.0;
    double const behind = __shfl_down_sync(0xffffffffu, s.value + s.times * start, 1);
    summary[lane][warp] = lane == 31 ? start : behind;
  }
  __syncthreads();
  double y = summary[chunk][c];
#pragma unroll
  for (int k = L - 1; k >= 0; --k)
    if (k < places) {
      y = value[k] + p.f.backward * y;
      int const at = from + k - p.halo;
      if (at >= 0 && at < count && column < columns)
        out[std::size_t(begin + at) * columns + column] = y;
    }
}

constexpr int rowChunk = 17;  // places of a thread: odd, so that chunks start in different banks
constexpr int rowWarps = 8;   // of a block
constexpr int rowSpan = rowChunk * 32;  // places of a warp

/// Along rows. W warps share a piece, a block has rowWarps / W pieces. Owner: they own its output.
template <int W>
__global__ void __launch_bounds__(32 * rowWarps)
    fusedAlongRows(Fused p, int rows, int pieces, double const* in, double* out) {
  extern __shared__ double staged[];  // rowWarps * rowSpan
  __shared__ Scanned ends[rowWarps];
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  int const group = warp / W, inGroup = int(threadIdx.x) % (32 * W);
  long long const item = (long long)(blockIdx.x) * (rowWarps / W) + group;
  bool const isReal = item < (long long)(rows)*pieces;
  int const row = int(item / pieces), begin = int(item % pieces) * p.count;
  int const count = isReal ? min(p.count, p.length - begin) : 0;
  int const span = isReal ? count + 2 * p.halo : 0;
  double* const mine = staged + group * W * rowSpan;
  double const* const line = in + std::size_t(isReal ? row : 0) * p.length;
  double value[rowChunk];
  // All loads of a thread are on their way before the first one is waited for.
#pragma unroll
  for (int k = 0; k < rowChunk; ++k) {
    int at = begin - p.halo + inGroup + k * 32 * W;
    at += at < 0 ? p.length : 0;
    at -= at >= p.length ? p.length : 0;
    value[k] = inGroup + k * 32 * W < span ? line[at] : 0.0;
  }
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (inGroup + k * 32 * W < span) mine[inGroup + k * 32 * W] = value[k];
  __syncthreads();
  int const from = inGroup * rowChunk, places = max(0, min(rowChunk, span - from));
  double e = 0.0, times = 1.0;
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (k < places) {
      value[k] = mine[from + k];
      e = value[k] + p.f.forward * e;
      times *= p.f.forward;
    }
  {
    Scanned const s = scanUp(e, times);
    if (lane == 31) ends[warp] = s;
    __syncthreads();
    Scanned total{0.0, 1.0}, before{0.0, 1.0};
    for (int w = 0; w < W; ++w) {
      if (w == warp % W) before = total;
      Scanned const one = ends[group * W + w];
      total = {one.value + one.times * total.value, one.times * total.times};
    }
    double const start = p.isCircle ? total.value / (1.0 - total.times) : 0.0;
    double const atWarp = before.value + before.times * start;
    double const up = __shfl_up_sync(0xffffffffu, s.value + s.times * atWarp, 1);
    e = lane == 0 ? atWarp : up;
  }
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (k < places) {
      e = value[k] + p.f.forward * e;
      value[k] = p.f.scale * e;
    }
  e = 0.0;
  times = 1.0;
#pragma unroll
  for (int k = rowChunk - 1; k >= 0; --k)
    if (k < places) {
      e = value[k] + p.f.backward * e;
      times *= p.f.backward;
    }
  {
    Scanned const s = scanDown(e, times);
    __syncthreads();
    if (lane == 0) ends[warp] = s;
    __syncthreads();
    Scanned total{0.0, 1.0}, behind{0.0, 1.0};
    for (int w = W - 1; w >= 0; --w) {
      if (w == warp % W) behind = total;
      Scanned const one = ends[group * W + w];
      total = {one.value + one.times * total.value, one.times * total.times};
    }
    double const start = p.isCircle ? total.value / (1.0 - total.times) : 0.0;
    double const atWarp = behind.value + behind.times * start;
    double const down = __shfl_down_sync(0xffffffffu, s.value + s.times * atWarp, 1);
    e = lane == 31 ? atWarp : down;
  }
#pragma unroll
  for (int k = rowChunk - 1; k >= 0; --k)
    if (k < places) {
      e = value[k] + p.f.backward * e;
      mine[from + k] = e;
    }
  __syncthreads();
  for (int k = p.halo + inGroup; k < p.halo + count; k += 32 * W)
    out[std::size_t(row) * p.length + begin + k - p.halo] = mine[k];
}

// ---- the forms ----------------------------------------------------------------------------------

class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual void alongRows(double const* in, double* out) = 0;
  virtual void alongColumns(double const* in, double* out) = 0;
};

constexpr unsigned threads = 128;

Lines rowLines(SweepCase const& g) {
  return {g.alongRow, g.columns, g.rows, 1, std::size_t(g.columns)};
}
Lines columnLines(SweepCase const& g) {
  return {g.alongColumn, g.rows, g.columns, std::size_t(g.columns), 1};
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
    unsigned const blocks = blocksFor(l.systems, threads);
    if (!isSplit_) {
      naiveSweep<<<blocks, threads>>>(l, in, alpha_.data(), beta_.data(), gamma_.data(), out);
      return;
    }
    forwardSweep<<<blocks, threads>>>(l, in, alpha_.data(), beta_.data(), gamma_.data());
    backwardSweep<<<blocks, threads>>>(l, alpha_.data(), beta_.data(), gamma_.data());
    closingSweep<<<blocks, threads>>>(l, in, beta_.data(), gamma_.data(), out);
  }
  SweepCase grid_;
  bool isSplit_;
  DeviceArray<double> alpha_, beta_, gamma_;
};

struct DeviceTables {
  DeviceTables(CyclicMatrix const& m, int length) : DeviceTables(tablesOf(m, length)) {}
  explicit DeviceTables(SweepTables const& t)
      : alpha(t.alpha), inverse(t.inverse), v(t.v), closing(t.closing) {}
  Tables view() const { return {alpha.data(), inverse.data(), v.data(), closing}; }
  DeviceArray<double> alpha, inverse, v;
  double closing;
};

void queueTranspose(int rows, int columns, double const* from, double* to) {
  dim3 const blocks(blocksFor(columns, tile), blocksFor(rows, tile));
  transpose<<<blocks, dim3(tile, tileRows)>>>(rows, columns, from, to);
}

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
    tableSweep<<<blocksFor(l.systems, threads), threads>>>(l, row_.view(), turned_.data(),
                                                           solved_.data());
    queueTranspose(grid_.columns, grid_.rows, solved_.data(), out);
  }
  void alongColumns(double const* in, double* out) override {
    Lines const l = columnLines(grid_);
    tableSweep<<<blocksFor(l.systems, threads), threads>>>(l, column_.view(), in, out);
  }

 private:
  SweepCase grid_;
  bool byTransposing_;
  DeviceTables row_, column_;
  DeviceArray<double> turned_, solved_;
};

/// A line in one piece where it fits into `most` places, else in pieces with halos.
Fused piecesOf(CyclicMatrix const& m, int length, int most) {
  Fused p{factorsOf(m), length, 0, length, true};
  if (length <= most) return p;
  p.isCircle = false;
  p.halo = p.f.reach();
  if (2 * p.halo > most / 2)
    throw EngineUnavailable(
        "device: the fused sweep has no form for lines this long of a matrix "
        "this close to singular");
  p.count = most - 2 * p.halo;
  // Pieces of equal size.
  int const pieces = (length + p.count - 1) / p.count;
  p.count = (length + pieces - 1) / pieces;
  return p;
}

constexpr int mostColumnPlaces = 32 * fusedChunks;

void queueFusedColumns(Fused const& p, int columns, int firstRow, int rowsToDo, TwoParts const& in,
                       double* out, cudaStream_t stream = nullptr) {
  dim3 const blocks(blocksFor(columns, fusedColumns), blocksFor(rowsToDo, unsigned(p.count)));
  constexpr int block = fusedColumns * fusedChunks;
  int const places = (p.count + 2 * p.halo + fusedChunks - 1) / fusedChunks;
  auto const queue = [&](auto kernel) {
    kernel<<<blocks, block, 0, stream>>>(p, columns, firstRow, rowsToDo, in, out);
  };
  if (places <= 10)
    queue(fusedAlongColumns<10>);
  else if (places <= 16)
    queue(fusedAlongColumns<16>);
  else if (places <= 22)
    queue(fusedAlongColumns<22>);
  else
    queue(fusedAlongColumns<32>);
}

void queueFusedRows(Fused const& p, int rows, double const* in, double* out,
                    cudaStream_t stream = nullptr) {
  int const pieces = (p.length + p.count - 1) / p.count, span = p.count + 2 * p.halo;
  constexpr std::size_t bytes = sizeof(double) * rowWarps * rowSpan;
  std::size_t const all = std::size_t(rows) * pieces;
  auto const queue = [&](auto kernel, int warps) {
    unsigned const blocks = blocksFor(all * warps, rowWarps);
    kernel<<<blocks, 32 * rowWarps, bytes, stream>>>(p, rows, pieces, in, out);
  };
  if (span <= rowSpan)
    queue(fusedAlongRows<1>, 1);
  else if (span <= 2 * rowSpan)
    queue(fusedAlongRows<2>, 2);
  else if (span <= 4 * rowSpan)
    queue(fusedAlongRows<4>, 4);
  else
    queue(fusedAlongRows<8>, 8);
}

class FusedSweeper : public Sweeper {
 public:
  explicit FusedSweeper(SweepCase const& grid)
      : grid_(grid),
        row_(piecesOf(grid.alongRow, grid.columns, rowWarps * rowSpan)),
        column_(piecesOf(grid.alongColumn, grid.rows, mostColumnPlaces)) {}
  void alongRows(double const* in, double* out) override {
    queueFusedRows(row_, grid_.rows, in, out);
  }
  void alongColumns(double const* in, double* out) override {
    queueFusedColumns(column_, grid_.columns, 0, grid_.rows, {in, nullptr, grid_.rows}, out);
  }

 private:
  SweepCase grid_;
  Fused row_, column_;
};

void checkSparse(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("device: cuSPARSE: ") + cusparseGetErrorString(status));
}

/// y -= z (v'y) / (1 + v'z) for each line, v = (1, 0, .., 0, ratio). Owner: a block owns a line.
__global__ void correctCorners(int length, double ratio, double share, double const* z, double* y) {
  double* const line = y + std::size_t(blockIdx.x) * length;
  double const factor = share * (line[0] + ratio * line[length - 1]);
  __syncthreads();
  for (int k = int(threadIdx.x); k < length; k += int(blockDim.x)) line[k] -= factor * z[k];
}

/// One direction by gtsv2: lines one after the other, all of one matrix.
class LibrarySolver {
 public:
  LibrarySolver(cusparseHandle_t handle, CyclicMatrix const& m, int length, int systems,
                bool isBatch)
      : handle_(handle), length_(length), systems_(systems), isBatch_(isBatch) {
    std::vector<double> lower(length, m.a), diagonal(length, m.b), upper(length, m.c);
    lower[0] = upper[length - 1] = 0.0;
    double const gamma = -m.b;
    diagonal[0] -= gamma;
    diagonal[length - 1] -= m.a * m.c / gamma;
    ratio_ = m.a / gamma;
    std::vector<double> u(length, 0.0);
    u[0] = gamma;
    u[length - 1] = m.c;
    z_ = DeviceArray<double>(u);
    int const copies = isBatch ? systems : 1;
    lower_ = repeated(lower, copies);
    diagonal_ = repeated(diagonal, copies);
    upper_ = repeated(upper, copies);
    std::size_t bytes = 0;
    if (isBatch)
      checkSparse(cusparseDgtsv2StridedBatch_bufferSizeExt(handle, length, lower_.data(),
                                                           diagonal_.data(), upper_.data(),
                                                           z_.data(), systems, length, &bytes));
    else
      checkSparse(cusparseDgtsv2_nopivot_bufferSizeExt(handle, length, systems, lower_.data(),
                                                       diagonal_.data(), upper_.data(), z_.data(),
                                                       length, &bytes));
    buffer_ = DeviceArray<char>(bytes);
    solve(z_.data(), 1);
    std::vector<double> const z = z_.download();
    share_ = 1.0 / (1.0 + z[0] + ratio_ * z[length - 1]);
  }
  void operator()(double* lines) const {
    solve(lines, systems_);
    correctCorners<<<unsigned(systems_), 256>>>(length_, ratio_, share_, z_.data(), lines);
  }

 private:
  static DeviceArray<double> repeated(std::vector<double> const& values, int copies) {
    DeviceArray<double> all(values.size() * copies);
    for (int k = 0; k < copies; ++k) all.upload(k * values.size(), values.data(), values.size());
    return all;
  }
  void solve(double* lines, int count) const {
    if (isBatch_)
      checkSparse(cusparseDgtsv2StridedBatch(handle_, length_, lower_.data(), diagonal_.data(),
                                             upper_.data(), lines, count, length_, buffer_.data()));
    else
      checkSparse(cusparseDgtsv2_nopivot(handle_, length_, count, lower_.data(), diagonal_.data(),
                                         upper_.data(), lines, length_, buffer_.data()));
  }
  cusparseHandle_t handle_;
  int length_, systems_;
  bool isBatch_;
  double ratio_ = 0.0, share_ = 0.0;
  DeviceArray<double> lower_, diagonal_, upper_, z_;
  DeviceArray<char> buffer_;
};

class LibrarySweeper : public Sweeper {
 public:
  LibrarySweeper(SweepCase const& grid, bool isBatch) : grid_(grid), turned_(grid.cells()) {
    cusparseHandle_t handle = nullptr;
    checkSparse(cusparseCreate(&handle));
    handle_.reset(handle);
    row_ = std::make_unique<LibrarySolver>(handle, grid.alongRow, grid.columns, grid.rows, isBatch);
    column_ =
        std::make_unique<LibrarySolver>(handle, grid.alongColumn, grid.rows, grid.columns, isBatch);
  }
  void alongRows(double const* in, double* out) override {
    check(cudaMemcpyAsync(out, in, grid_.cells() * sizeof(double), cudaMemcpyDeviceToDevice));
    (*row_)(out);
  }
  void alongColumns(double const* in, double* out) override {
    queueTranspose(grid_.rows, grid_.columns, in, turned_.data());
    (*column_)(turned_.data());
    queueTranspose(grid_.columns, grid_.rows, turned_.data(), out);
  }

 private:
  struct Destroy {
    void operator()(cusparseHandle_t handle) const { cusparseDestroy(handle); }
  };
  std::unique_ptr<cusparseContext, Destroy> handle_;
  SweepCase grid_;
  DeviceArray<double> turned_;
  std::unique_ptr<LibrarySolver> row_, column_;
};

std::unique_ptr<Sweeper> makeSweeper(SweepCase const& grid, SweepForm form) {
  switch (form) {
    case SweepForm::naive:
      return std::make_unique<NaiveSweeper>(grid, false);
    case SweepForm::threeKernels:
      return std::make_unique<NaiveSweeper>(grid, true);
    case SweepForm::shared:
      return std::make_unique<TableSweeper>(grid, false);
    case SweepForm::transposed:
      return std::make_unique<TableSweeper>(grid, true);
    case SweepForm::fused:
      return std::make_unique<FusedSweeper>(grid);
    case SweepForm::gtsv2:
      return std::make_unique<LibrarySweeper>(grid, false);
    case SweepForm::gtsv2Batch:
      return std::make_unique<LibrarySweeper>(grid, true);
  }
  throw std::logic_error("unknown form");
}

}  // namespace

SweepTimes sweepOnDevice(SweepCase const& grid, SweepForm form, std::vector<double>& field,
                         int steps, int repeats) {
  auto const sweeper = makeSweeper(grid, form);
  DeviceArray<double> const a(field), b(grid.cells());
  b.fillBytes(0xff);  // what is not written shows as NaN
  for (int step = 0; step < steps; ++step) {
    sweeper->alongRows(a.data(), b.data());
    sweeper->alongColumns(b.data(), a.data());
  }
  check(cudaGetLastError());
  field = a.download();
  SweepTimes times;
  if (repeats == 0) return times;
  constexpr int inner = 3;
  times.alongRows = medianSeconds(repeats, inner, [&] { sweeper->alongRows(a.data(), b.data()); });
  times.alongColumns =
      medianSeconds(repeats, inner, [&] { sweeper->alongColumns(a.data(), b.data()); });
  times.copy = medianSeconds(repeats, inner, [&] {
    check(cudaMemcpyAsync(b.data(), a.data(), grid.cells() * sizeof(double),
                          cudaMemcpyDeviceToDevice));
  });
  return times;
}

double sweepOnTwoDevices(SweepCase const& grid, std::vector<double>& field, int steps,
                         int secondDevice) {
  int const devices[2] = {0, secondDevice};
  int const split = grid.rows / 2, rows[2] = {split, grid.rows - split};
  struct Restore {
    ~Restore() { cudaSetDevice(0); }
  } const restore;
  Fused const row = piecesOf(grid.alongRow, grid.columns, rowWarps * rowSpan);
  Fused column{factorsOf(grid.alongColumn), grid.rows, 0, rows[1], false};
  column.halo = column.f.reach();
  if (column.halo > split || column.count + 2 * column.halo > mostColumnPlaces)
    throw EngineUnavailable("device: two devices can't share columns this short or this long");
  DeviceArray<double> a[2], b[2];
  std::unique_ptr<Event> rowDone[2], columnDone[2], begin, end;
  for (int d = 0; d < 2; ++d) {
    check(cudaSetDevice(devices[d]));
    if (devices[0] != devices[1]) {
      cudaError_t const status = cudaDeviceEnablePeerAccess(devices[1 - d], 0);
      if (status != cudaErrorPeerAccessAlreadyEnabled) check(status);
      cudaGetLastError();
    }
    std::size_t const cells = std::size_t(rows[d]) * grid.columns;
    a[d] = DeviceArray<double>(cells);
    b[d] = DeviceArray<double>(cells);
    a[d].upload(0, field.data() + (d == 0 ? 0 : std::size_t(split) * grid.columns), cells);
    rowDone[d] = std::make_unique<Event>();
    columnDone[d] = std::make_unique<Event>();
    columnDone[d]->record();
  }
  check(cudaSetDevice(devices[0]));
  begin = std::make_unique<Event>();
  end = std::make_unique<Event>();
  begin->record();
  for (int step = 0; step < steps; ++step) {
    for (int d = 0; d < 2; ++d) {  // rows: from a to b, which the other may still be reading
      check(cudaSetDevice(devices[d]));
      check(cudaStreamWaitEvent(nullptr, columnDone[1 - d]->get()));
      queueFusedRows(row, rows[d], a[d].data(), b[d].data());
      rowDone[d]->record();
    }
    for (int d = 0; d < 2; ++d) {
      check(cudaSetDevice(devices[d]));
      check(cudaStreamWaitEvent(nullptr, rowDone[1 - d]->get()));
      queueFusedColumns(column, grid.columns, d == 0 ? 0 : split, rows[d],
                        {b[0].data(), b[1].data(), split}, a[d].data());
      columnDone[d]->record();
    }
  }
  check(cudaSetDevice(devices[0]));
  check(cudaStreamWaitEvent(nullptr, columnDone[1]->get()));
  end->record();
  double const seconds = end->secondsSince(*begin);
  for (int d = 0; d < 2; ++d) {
    std::vector<double> const part = a[d].download();
    std::copy(part.begin(), part.end(),
              field.begin() + (d == 0 ? 0 : std::ptrdiff_t(split) * grid.columns));
  }
  return seconds / steps;
}

}  // namespace osi_cuda::response::device
