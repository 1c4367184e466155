// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device.cuh"
#include "examples/cyclic_sweeps/cyclic.hpp"

// One pass over a line: two recurrences as scans.
//
// A line, or a piece of it, lies in the registers of neighbouring threads, a chunk each. A chunk's
// recurrence from 0 gives what it adds; a scan over chunks gives the value each one starts from;
// the recurrence from there gives the values. A line in one piece closes on itself. What the pieces
// of a longer one start from depends on few places before and behind them, as farther ones have
// faded below a rounding (Factors::reach): pieces of rows read these places, too, as halos; along
// columns the two values are made by a kernel of their own, as they may have to go to another
// device.

namespace osi_cuda::cyclic_sweeps::device {

/// A row as pieces of at most `count` places with a halo at both ends; halo 0: the whole row.
struct RowPieces {
  Factors f;
  int length;
  int halo, count;
  bool isCircle;
};
/// Throws EngineUnavailable where halos would be most of a piece.
RowPieces rowPiecesOf(CyclicMatrix const& m, int length);
/// All lines along `rows` rows.
void queueRows(RowPieces const& p, int rows, double const* in, double* out, cudaStream_t stream);

/// The rows of a share as pieces of its columns, `count` rows each and fewer in the last one.
struct ColumnPieces {
  Factors f;
  int rows, pieces, count, reach;
  bool isCircle;  ///< one piece, whose ends are neighbours
  __device__ int begin(int piece) const { return min(piece * count, rows); }
};

/// Sweeps along the columns of a share of the grid's rows. Made while the share's device is the
/// current one.
class ColumnSweep {
 public:
  /// `isWhole`: the grid has no other rows. Throws EngineUnavailable where a piece would be shorter
  /// than what its ends depend on.
  ColumnSweep(CyclicMatrix const& m, int rows, int columns, bool isWhole);
  /// What each piece hands to its neighbours.
  void queueEdges(double const* in, cudaStream_t stream) const;
  /// What the neighbouring shares hand over: two numbers a column. Both may be this one.
  void queueCopies(ColumnSweep const& before, ColumnSweep const& behind, cudaStream_t stream) const;
  void queue(double const* in, double* out, cudaStream_t stream) const;
  /// All of it for a share that is the whole grid.
  void queueWhole(double const* in, double* out, cudaStream_t stream) const;

 private:
  ColumnPieces pieces_;
  std::size_t columns_;
  /// By piece and column: z, the recurrence upwards, at the piece's last row, and its part of the
  /// recurrence downwards at its first row, where z before the piece is 0. `up` begins with the row
  /// of the share before, `down` ends with that of the share behind.
  examples::device::DeviceArray<double> up_, down_;
};

}  // namespace osi_cuda::cyclic_sweeps::device
