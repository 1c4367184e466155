// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/response/sweeps.hpp"

// One pass over a line: two recurrences as scans.
//
// A line, or a piece of it with `halo` places before and behind, lies in the registers of
// neighbouring chunks. A chunk's recurrence from 0 gives what it adds; a scan over chunks gives the
// value each one starts from; the recurrence from there gives the values. A whole line closes on
// itself. A piece starts from 0 at the outer ends of its halo, where what it starts from has faded
// below a rounding when it reaches the piece (CyclicFactors::reach).

namespace osi_cuda::response::device {

struct Fused {
  CyclicFactors f;
  int length;       ///< of a line
  int halo, count;  ///< a piece: `count` places and a halo at both ends; halo 0: the whole line
  bool isCircle;
};

/// Where a grid's rows lie: those before `split` in one piece of memory, the others in another,
/// maybe on a neighbour device.
struct TwoParts {
  double const *low, *high;
  int split;
  __device__ double const* row(int r, int columns) const {
    return r < split ? low + std::size_t(r) * columns : high + std::size_t(r - split) * columns;
  }
};

constexpr int rowChunk = 17;  // places of a thread: odd, so that chunks start in different banks
constexpr int rowWarps = 8;   // of a block
constexpr int rowSpan = rowChunk * 32;             // places of a warp
constexpr int fusedColumns = 8, fusedChunks = 32;  // a block of the kernel along columns
constexpr int mostRowPlaces = rowWarps * rowSpan;  // that a line of one piece may have
constexpr int mostColumnPlaces = 32 * fusedChunks;

/// A line in one piece where it fits into `most` places, else in pieces with halos. Throws
/// EngineUnavailable where halos would be most of a piece.
Fused piecesOf(CyclicMatrix const& m, int length, int most);

/// All lines along rows.
void queueFusedRows(Fused const& p, int rows, double const* in, double* out,
                    cudaStream_t stream = nullptr);
/// The rows from `firstRow` on of all lines along columns; `out` begins with that row.
void queueFusedColumns(Fused const& p, int columns, int firstRow, int rowsToDo, TwoParts const& in,
                       double* out, cudaStream_t stream = nullptr);

}  // namespace osi_cuda::response::device
