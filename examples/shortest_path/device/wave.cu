// SPDX-License-Identifier: EPL-2.0
// The wave over tiles of the grid. Twice the same idea: cells of even and odd row + column
// alternate inside a tile, and tiles of even and odd row + column alternate from launch to launch.
// Neighbours are never of the same kind, so whoever writes reads nothing that is being written.
#include <algorithm>
#include <limits>

#include "examples/common/device.cuh"
#include "examples/shortest_path/device_module.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::shortest_path::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;
using examples::device::Stream;

constexpr int side = 32;       // cells along a tile
constexpr int threadRows = 8;  // a block is side x threadRows threads, each owns side / threadRows
constexpr int padded = side + 2;  // with the neighbours' border cells around
constexpr unsigned wallMark = 0xffffffffu;
constexpr unsigned openMark = 0x7fffffffu;  // not reached
constexpr int batch = 8;                    // pairs of launches between two looks at the counter

enum Side { above, leftOf, rightOf, below, sides };

struct Tiles {
  int rows, columns;          // cells
  int tileRows, tileColumns;  // tiles
  unsigned* steps;            // rows * columns
  unsigned char* spoke;       // 4 a tile: did its border change in its last launch, by side
};

__device__ unsigned stepsAt(Tiles const& tiles, int row, int column) {
  bool const inside = row >= 0 && column >= 0 && row < tiles.rows && column < tiles.columns;
  return inside ? tiles.steps[std::size_t(row) * tiles.columns + column] : wallMark;
}

/// Has the neighbour on that side changed the border that this tile sees?
__device__ bool heard(Tiles const& tiles, int row, int column, int toRow, int toColumn,
                      Side facing) {
  int const r = row + toRow, c = column + toColumn;
  if (r < 0 || c < 0 || r >= tiles.tileRows || c >= tiles.tileColumns) return false;
  return tiles.spoke[(std::size_t(r) * tiles.tileColumns + c) * sides + facing] != 0;
}

__device__ bool mustRun(Tiles const& tiles, int row, int column) {
  return heard(tiles, row, column, -1, 0, below) || heard(tiles, row, column, 1, 0, above) ||
         heard(tiles, row, column, 0, -1, rightOf) || heard(tiles, row, column, 0, 1, leftOf);
}

/// Lowers the tile's cells until nothing changes: in turn the even and the odd cells take one more
/// than their lowest neighbour. Owner: a cell belongs to one thread, which alone writes it; in a
/// half step it reads cells of the other kind only. End: two half steps without a change, which
/// come as steps are whole, fall, and are never below 0. Returns whether this thread changed.
__device__ bool settle(unsigned (&cell)[padded][padded]) {
  bool changedEver = false;
  bool changed = true;
  while (__syncthreads_or(changed)) {
    changed = false;
    for (int kind = 0; kind < 2; ++kind) {
      for (int k = 0; k < side / threadRows; ++k) {
        int const r = 1 + int(threadIdx.y) + k * threadRows, c = 1 + int(threadIdx.x);
        if (((r + c) & 1) != kind || cell[r][c] == wallMark) continue;
        unsigned const lowest =
            min(min(cell[r - 1][c], cell[r + 1][c]), min(cell[r][c - 1], cell[r][c + 1]));
        if (lowest < openMark && lowest + 1 < cell[r][c]) {
          cell[r][c] = lowest + 1;
          changed = true;
        }
      }
      __syncthreads();
    }
    changedEver = changedEver || changed;
  }
  return changedEver;
}

/// One launch: a block per tile of one kind (row + column of the tile even, or odd). A tile that
/// heard nothing from its neighbours leaves at once, but for the first pair of launches, in which
/// all tiles run and see the source. Owner: a block alone writes its tile's cells
/// and its tile's four words in `spoke`; of other tiles it reads cells and words of the other kind
/// only, which this launch does not write. The one word that blocks share is the number of the
/// last launch with a change, by an atomic maximum.
__global__ void passWave(Tiles tiles, int kind, bool first, unsigned launch, unsigned* lastChange) {
  int const tileRow = int(blockIdx.y);
  int const tileColumn = 2 * int(blockIdx.x) + ((tileRow ^ kind) & 1);
  if (tileColumn >= tiles.tileColumns) return;
  std::size_t const tile = std::size_t(tileRow) * tiles.tileColumns + tileColumn;
  bool const leader = threadIdx.x == 0 && threadIdx.y == 0;
  if (!first && !mustRun(tiles, tileRow, tileColumn)) {
    if (leader)
      for (int s = 0; s < sides; ++s) tiles.spoke[tile * sides + s] = 0;
    return;
  }
  __shared__ unsigned cell[padded][padded];
  __shared__ unsigned changedSides;
  int const row0 = tileRow * side - 1, column0 = tileColumn * side - 1;
  for (int r = int(threadIdx.y); r < padded; r += threadRows)
    for (int c = int(threadIdx.x); c < padded; c += side)
      cell[r][c] = stepsAt(tiles, row0 + r, column0 + c);
  if (leader) changedSides = 0;
  __syncthreads();
  settle(cell);

  unsigned mine = 0;
  for (int k = 0; k < side / threadRows; ++k) {
    int const r = 1 + int(threadIdx.y) + k * threadRows, c = 1 + int(threadIdx.x);
    if (row0 + r >= tiles.rows || column0 + c >= tiles.columns) continue;
    unsigned& steps = tiles.steps[std::size_t(row0 + r) * tiles.columns + (column0 + c)];
    if (steps == cell[r][c]) continue;
    steps = cell[r][c];
    mine |= 1u << sides;  // changed somewhere
    if (r == 1) mine |= 1u << above;
    if (c == 1) mine |= 1u << leftOf;
    if (c == side) mine |= 1u << rightOf;
    if (r == side) mine |= 1u << below;
  }
  if (mine) atomicOr(&changedSides, mine);
  __syncthreads();
  if (!leader) return;
  for (int s = 0; s < sides; ++s) tiles.spoke[tile * sides + s] = (changedSides >> s) & 1u;
  if (changedSides) atomicMax(lastChange, launch);
}

/// Walls and open cells as marks. Owner: thread k owns cell k.
__global__ void prepare(std::size_t cells, unsigned char const* wall, std::size_t source,
                        unsigned* steps) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < cells) steps[k] = wall[k] ? wallMark : k == source ? 0 : openMark;
}

/// Marks as the result has them: -1 for walls and cells never reached. Owner: thread k owns cell k.
__global__ void finish(std::size_t cells, unsigned* steps) {
  std::size_t const k = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < cells && steps[k] >= openMark) steps[k] = 0xffffffffu;
}

}  // namespace

WaveField wave(Grid const& grid, Vertex source) {
  WaveField field;
  Stopwatch const total;
  auto const cells = std::size_t(grid.cells());
  constexpr unsigned threads = 256;
  DeviceArray<unsigned char> const wall(grid.wall);
  DeviceArray<unsigned> const steps(cells);
  Tiles tiles{};
  tiles.rows = grid.rows;
  tiles.columns = grid.columns;
  tiles.tileRows = (grid.rows + side - 1) / side;
  tiles.tileColumns = (grid.columns + side - 1) / side;
  tiles.steps = steps.data();
  DeviceArray<unsigned char> const spoke(std::size_t(tiles.tileRows) * tiles.tileColumns * sides);
  DeviceArray<unsigned> const lastChange(1);
  tiles.spoke = spoke.data();
  check(cudaDeviceSynchronize());

  Stopwatch const watch;
  spoke.fillBytes(0);
  lastChange.fillBytes(0);
  Stream const stream;
  launch(stream, blocksFor(cells, threads), threads, prepare, cells, wall.data(),
         std::size_t(source), steps.data());
  dim3 const block(side, threadRows);
  dim3 const blocks(unsigned(tiles.tileColumns + 1) / 2, unsigned(tiles.tileRows));
  unsigned number = 0;
  for (unsigned last = 0; number <= last + 2;) {
    for (int k = 0; k < batch; ++k)
      for (int kind = 0; kind < 2; ++kind) {
        ++number;
        launch(stream, blocks, block, passWave, tiles, kind, number <= 2, number,
               lastChange.data());
      }
    last = lastChange.download().front();
    field.rounds = last;
  }
  launch(stream, blocksFor(cells, threads), threads, finish, cells, steps.data());
  stream.wait();
  field.seconds = watch.seconds();

  field.steps.resize(cells);
  check(cudaMemcpy(field.steps.data(), steps.data(), cells * sizeof(unsigned),
                   cudaMemcpyDeviceToHost));
  field.transferSeconds = total.seconds() - field.seconds;
  return field;
}

}  // namespace osi_cuda::shortest_path::device
