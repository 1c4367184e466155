// SPDX-License-Identifier: EPL-2.0
#include "examples/cyclic_sweeps/device/fused.cuh"

#include "examples/cyclic_sweeps/device/recurrence.cuh"

namespace osi_cuda::cyclic_sweeps::device {
namespace {

using examples::device::blocksFor;
using examples::device::launch;

// ---- along rows

constexpr int rowChunk = 17;  // places of a thread: odd, so that chunks start in different banks
constexpr int rowWarps = 8;   // of a block
constexpr int rowSpan = rowChunk * 32;             // places of a warp
constexpr int mostRowPlaces = rowWarps * rowSpan;  // that a row of one piece may have

/// What comes into a thread's chunk, where W warps share a piece. `ends` is room for all warps.
template <int Direction, int W>
__device__ double incoming(Chunk own, bool isCircle, Chunk* ends) {
  int const lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  constexpr int firstLane = Direction > 0 ? 0 : 31;
  Chunk const scanned = scan<Direction>(own);
  if (lane == 31 - firstLane) ends[warp] = scanned;
  __syncthreads();
  Chunk total{0.0, 1.0}, before{0.0, 1.0};
  for (int i = 0; i < W; ++i) {
    int const w = Direction > 0 ? i : W - 1 - i;
    if (w == warp % W) before = total;
    Chunk const one = ends[warp / W * W + w];
    total = {one.value + one.times * total.value, one.times * total.times};
  }
  double const start = isCircle ? total.value / (1.0 - total.times) : 0.0;
  double const atWarp = before.value + before.times * start;
  double const through = fromBefore<Direction>(scanned.value + scanned.times * atWarp, 1);
  return lane == firstLane ? atWarp : through;
}

/// W warps share a piece, a block has rowWarps / W pieces. Owner: they own the piece's output.
template <int W>
__global__ void __launch_bounds__(32 * rowWarps)
    sweepRows(RowPieces p, int rows, int pieces, double const* in, double* out) {
  __shared__ double staged[rowWarps * rowSpan];
  __shared__ Chunk ends[2][rowWarps];
  int const warp = int(threadIdx.x) / 32;
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
#pragma unroll
  for (int k = 0; k < rowChunk; ++k)
    if (k < places) value[k] = mine[from + k];
  double const up = incoming<1, W>(
      {endOf<1>(value, places, p.f.forward), power(p.f.forward, places)}, p.isCircle, ends[0]);
  recurUpwards(value, places, p.f.forward, p.f.scale, up);
  double e = incoming<-1, W>({endOf<-1>(value, places, p.f.backward), power(p.f.backward, places)},
                             p.isCircle, ends[1]);
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

// ---- along columns

constexpr int columnTile = 8, columnChunks = 32;  // of a block
constexpr int mostPieceRows = 32 * columnChunks;  // 32 places in the registers of a thread

/// Owner: the thread of (column, piece, end) owns that edge.
__global__ void edgesOfColumns(ColumnPieces p, std::size_t columns, double const* in, double* up,
                               double* down) {
  std::size_t const column = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  int const piece = int(blockIdx.y) / 2;
  bool const isLast = blockIdx.y % 2 == 0;
  int const first = isLast ? p.begin(piece + 1) - p.reach : p.begin(piece);
  double const* const line = in + first * columns + column;
  double z = 0.0, y = 0.0, weight = p.f.scale;
#pragma unroll 8
  for (int k = 0; k < p.reach; ++k) {
    z = line[k * columns] + p.f.forward * z;
    y += weight * z;
    weight *= p.f.backward;
  }
  if (isLast)
    up[(piece + 1) * columns + column] = z;
  else
    down[piece * columns + column] = y;
}

/// Block (tile of 8 columns, piece); thread (c, chunk), at most L places each. Owner: a thread owns
/// its places of the output.
template <int L>
__global__ void __launch_bounds__(columnTile* columnChunks, L <= 10   ? 4
                                                            : L <= 16 ? 3
                                                                      : 1)
    sweepColumns(ColumnPieces p, std::size_t columns, double const* in, double* out,
                 double const* up, double const* down) {
  __shared__ double summary[columnChunks][columnTile + 1];
  int const flat = int(threadIdx.x), c = flat % columnTile, chunk = flat / columnTile;
  std::size_t const column = std::size_t(blockIdx.x) * columnTile + c;
  int const piece = int(blockIdx.y);
  int const begin = p.begin(piece), span = p.begin(piece + 1) - begin;
  auto const chunkBegin = [span](int k) { return k * span / columnChunks; };
  int const from = chunkBegin(chunk), places = chunkBegin(chunk + 1) - from;
  std::size_t const first = std::size_t(begin + from) * columns + column;
  double value[L];
  double const* source = in + first;
#pragma unroll
  for (int k = 0; k < L; ++k, source += columns)
    value[k] = k < places && column < columns ? *source : 0.0;
  // A warp scans the 32 chunks of one column. What comes in from other pieces: z before this one,
  // and y behind it, to which z at this one's last row adds its part.
  int const lane = flat % 32, warp = flat / 32;
  std::size_t const scanned = std::size_t(blockIdx.x) * columnTile + warp;
  int const lanePlaces = chunkBegin(lane + 1) - chunkBegin(lane);
  double before = 0.0, behind = 0.0;
  if (!p.isCircle && scanned < columns) {
    before = up[piece * columns + scanned];
    behind = down[(piece + 1) * columns + scanned];
  }
  summary[chunk][c] = endOf<1>(value, places, p.f.forward);
  __syncthreads();
  {
    Chunk const s = scan<1>({summary[lane][warp], power(p.f.forward, lanePlaces)});
    double const end = __shfl_sync(0xffffffffu, s.value, 31);
    double const times = __shfl_sync(0xffffffffu, s.times, 31);
    if (p.isCircle)
      before = end / (1.0 - times);
    else
      behind +=
          p.f.scale * p.f.forward / (1.0 - p.f.forward * p.f.backward) * (end + times * before);
    double const through = fromBefore<1>(s.value + s.times * before, 1);
    summary[lane][warp] = lane == 0 ? before : through;
  }
  __syncthreads();
  recurUpwards(value, places, p.f.forward, p.f.scale, summary[chunk][c]);
  summary[chunk][c] = endOf<-1>(value, places, p.f.backward);
  __syncthreads();
  {
    Chunk const s = scan<-1>({summary[lane][warp], power(p.f.backward, lanePlaces)});
    double const end = __shfl_sync(0xffffffffu, s.value, 0);
    double const times = __shfl_sync(0xffffffffu, s.times, 0);
    if (p.isCircle) behind = end / (1.0 - times);
    double const through = fromBefore<-1>(s.value + s.times * behind, 1);
    summary[lane][warp] = lane == 31 ? behind : through;
  }
  __syncthreads();
  // Written while it is computed: kept until the end it takes a third more registers.
  double y = summary[chunk][c];
#pragma unroll
  for (int k = L - 1; k >= 0; --k)
    if (k < places) {
      y = value[k] + p.f.backward * y;
      if (column < columns) out[first + k * columns] = y;
    }
}

}  // namespace

RowPieces rowPiecesOf(CyclicMatrix const& m, int length) {
  RowPieces p{factorsOf(m), length, 0, length, true};
  if (length <= mostRowPlaces) return p;
  p.isCircle = false;
  p.halo = p.f.reach();
  if (2 * p.halo > mostRowPlaces / 2)
    throw EngineUnavailable(
        "device: the fused sweep has no form for rows this long of a matrix this close to "
        "singular");
  p.count = mostRowPlaces - 2 * p.halo;
  // Pieces of equal size.
  int const pieces = (length + p.count - 1) / p.count;
  p.count = (length + pieces - 1) / pieces;
  return p;
}

void queueRows(RowPieces const& p, int rows, double const* in, double* out, cudaStream_t stream) {
  int const pieces = (p.length + p.count - 1) / p.count, span = p.count + 2 * p.halo;
  std::size_t const all = std::size_t(rows) * pieces;
  auto const queue = [&](auto kernel, int warps) {
    launch(stream, blocksFor(all * warps, rowWarps), 32 * rowWarps, kernel, p, rows, pieces, in,
           out);
  };
  if (span <= rowSpan)
    queue(&sweepRows<1>, 1);
  else if (span <= 2 * rowSpan)
    queue(&sweepRows<2>, 2);
  else if (span <= 4 * rowSpan)
    queue(&sweepRows<4>, 4);
  else
    queue(&sweepRows<8>, 8);
}

ColumnSweep::ColumnSweep(CyclicMatrix const& m, int rows, int columns, bool isWhole)
    : pieces_{factorsOf(m), rows, (rows + mostPieceRows - 1) / mostPieceRows, 0, 0, false},
      columns_(std::size_t(columns)) {
  pieces_.count = (rows + pieces_.pieces - 1) / pieces_.pieces;
  pieces_.isCircle = isWhole && pieces_.pieces == 1;
  if (pieces_.isCircle) return;
  pieces_.reach = pieces_.f.reach();
  if (pieces_.reach > rows - (pieces_.pieces - 1) * pieces_.count)
    throw EngineUnavailable(
        "device: the fused sweep has no form for pieces of columns this short of a matrix this "
        "close to singular");
  for (auto* edges : {&up_, &down_})
    *edges = examples::device::DeviceArray<double>((pieces_.pieces + 1) * columns_);
}

void ColumnSweep::queueEdges(double const* in, cudaStream_t stream) const {
  constexpr unsigned threads = 128;
  if (!pieces_.isCircle)
    launch(stream, dim3(blocksFor(columns_, threads), 2u * unsigned(pieces_.pieces)), threads,
           &edgesOfColumns, pieces_, columns_, in, up_.data(), down_.data());
}

void ColumnSweep::queueCopies(ColumnSweep const& before, ColumnSweep const& behind,
                              cudaStream_t stream) const {
  if (pieces_.isCircle) return;
  auto const copy = [&](double* to, double const* from) {
    examples::device::check(
        cudaMemcpyAsync(to, from, columns_ * sizeof(double), cudaMemcpyDefault, stream));
  };
  copy(up_.data(), before.up_.data() + before.pieces_.pieces * columns_);
  copy(down_.data() + pieces_.pieces * columns_, behind.down_.data());
}

void ColumnSweep::queue(double const* in, double* out, cudaStream_t stream) const {
  dim3 const blocks(blocksFor(columns_, columnTile), unsigned(pieces_.pieces));
  int const places = (pieces_.count + columnChunks - 1) / columnChunks;
  auto const queue = [&](auto kernel) {
    launch(stream, blocks, columnTile * columnChunks, kernel, pieces_, columns_, in, out,
           up_.data(), down_.data());
  };
  if (places <= 10)
    queue(&sweepColumns<10>);
  else if (places <= 16)
    queue(&sweepColumns<16>);
  else if (places <= 22)
    queue(&sweepColumns<22>);
  else
    queue(&sweepColumns<32>);
}

void ColumnSweep::queueWhole(double const* in, double* out, cudaStream_t stream) const {
  queueEdges(in, stream);
  queueCopies(*this, *this, stream);
  queue(in, out, stream);
}

}  // namespace osi_cuda::cyclic_sweeps::device
