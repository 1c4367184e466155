// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/errors.hpp"
#include "studies/response/device/fused.cuh"
#include "studies/response/device/launch.cuh"
#include "studies/response/device/scan.cuh"

namespace osi_cuda::response::device {
namespace {

constexpr int fusedColumns = 8, fusedChunks = 32;  // of a block
constexpr int mostPieceRows = 32 * fusedChunks;    // 32 places in the registers of a thread

/// Owner: the thread of (column, piece, end) owns that edge.
__global__ void edgesOfColumns(ColumnPieces p, int columns, double const* in, Edges out) {
  int const column = int(blockIdx.x * blockDim.x + threadIdx.x), piece = int(blockIdx.y) / 2;
  if (column >= columns) return;
  std::size_t const at = std::size_t(piece) * columns + column;
  bool const isLast = blockIdx.y % 2 == 0;
  double const* const line =
      in + std::size_t(isLast ? p.begin(piece + 1) - p.reach : p.begin(piece)) * columns + column;
  double z = 0.0, y = 0.0, weight = p.f.scale;
#pragma unroll 8
  for (int k = 0; k < p.reach; ++k) {
    z = line[std::size_t(k) * columns] + p.f.forward * z;
    y += weight * z;
    weight *= p.f.backward;
  }
  (isLast ? out.last : out.first)[at] = isLast ? z : y;
}

/// Along columns. Block (tile of 8 columns, piece); thread (c, chunk), at most L places each.
/// Owner: a thread owns its places of the output.
template <int L>
__global__ void __launch_bounds__(fusedColumns* fusedChunks, L <= 10   ? 4
                                                             : L <= 16 ? 3
                                                                       : 1)
    fusedAlongColumns(ColumnPieces p, int columns, double const* in, double* out, Edges own,
                      Edges other, int otherPieces) {
  __shared__ double summary[fusedChunks][fusedColumns + 1];
  int const flat = int(threadIdx.x), c = flat % fusedColumns, chunk = flat / fusedColumns;
  int const column = int(blockIdx.x) * fusedColumns + c, piece = int(blockIdx.y);
  int const begin = p.begin(piece), span = p.begin(piece + 1) - begin;
  int const from = int((long long)(chunk)*span / fusedChunks);
  int const places = int((long long)(chunk + 1) * span / fusedChunks) - from;
  std::size_t const first = std::size_t(begin + from) * columns + column;
  double value[L];
  double const* source = in + first;
#pragma unroll
  for (int k = 0; k < L; ++k, source += columns)
    value[k] = k < places && column < columns ? *source : 0.0;
  // A warp scans the 32 chunks of one column. What comes in from other pieces: z before this one,
  // and y behind it, to which z at this one's last row adds its part.
  int const lane = flat % 32, warp = flat / 32;
  int const scanned = int(blockIdx.x) * fusedColumns + warp;
  int const lanePlaces =
      int((long long)(lane + 1) * span / fusedChunks) - int((long long)(lane)*span / fusedChunks);
  double before = 0.0, behind = 0.0;
  if (!p.isCircle && scanned < columns) {
    before = piece > 0 ? own.last[std::size_t(piece - 1) * columns + scanned]
                       : other.last[std::size_t(otherPieces - 1) * columns + scanned];
    behind = piece + 1 < p.pieces ? own.first[std::size_t(piece + 1) * columns + scanned]
                                  : other.first[scanned];
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
      if (column < columns) out[first + std::size_t(k) * columns] = y;
    }
}

}  // namespace

FusedColumns::FusedColumns(CyclicMatrix const& m, int rows, int columns, bool isWhole)
    : pieces_{factorsOf(m), rows, (rows + mostPieceRows - 1) / mostPieceRows, 0, 0, false},
      columns_(columns) {
  pieces_.count = (rows + pieces_.pieces - 1) / pieces_.pieces;
  pieces_.isCircle = isWhole && pieces_.pieces == 1;
  if (pieces_.isCircle) return;
  pieces_.reach = pieces_.f.reach();
  if (pieces_.reach > rows - (pieces_.pieces - 1) * pieces_.count)
    throw EngineUnavailable(
        "device: the fused sweep has no form for pieces of columns this short of a matrix this "
        "close to singular");
  std::size_t const edges = std::size_t(pieces_.pieces) * columns;
  last_ = examples::device::DeviceArray<double>(edges);
  first_ = examples::device::DeviceArray<double>(edges);
}

void FusedColumns::queueEdges(double const* in, cudaStream_t stream) const {
  if (pieces_.isCircle) return;
  constexpr unsigned threads = 128;
  launch(stream,
         dim3(examples::device::blocksFor(columns_, threads), 2u * unsigned(pieces_.pieces)),
         threads, &edgesOfColumns, pieces_, columns_, in, edges());
}

void FusedColumns::queue(double const* in, double* out, FusedColumns const& other,
                         cudaStream_t stream) const {
  dim3 const blocks(examples::device::blocksFor(columns_, fusedColumns), unsigned(pieces_.pieces));
  int const places = (pieces_.count + fusedChunks - 1) / fusedChunks;
  auto const queue = [&](auto kernel) {
    launch(stream, blocks, fusedColumns * fusedChunks, kernel, pieces_, columns_, in, out, edges(),
           other.edges(), other.pieces_.pieces);
  };
  if (places <= 10)
    queue(&fusedAlongColumns<10>);
  else if (places <= 16)
    queue(&fusedAlongColumns<16>);
  else if (places <= 22)
    queue(&fusedAlongColumns<22>);
  else
    queue(&fusedAlongColumns<32>);
}

}  // namespace osi_cuda::response::device
