// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device_array.cuh"
#include "examples/response/sweeps.hpp"

// One pass over a line: two recurrences as scans.
//
// A line, or a piece of it, lies in the registers of neighbouring chunks. A chunk's recurrence from
// 0 gives what it adds; a scan over chunks gives the value each one starts from; the recurrence
// from there gives the values. A line in one piece closes on itself. What the pieces of a longer
// one start from depends on few places before and behind them, as farther ones have faded below a
// rounding (CyclicFactors::reach): pieces of rows read these places, too, as halos; along columns
// the two values are made by a kernel of their own, as they may have to go to another device.

namespace osi_cuda::response::device {

/// A row as pieces of at most `count` places with a halo at both ends; halo 0: the whole row.
struct FusedRows {
  CyclicFactors f;
  int length;
  int halo, count;
  bool isCircle;
};
/// Throws EngineUnavailable where halos would be most of a piece.
FusedRows rowPiecesOf(CyclicMatrix const& m, int length);
/// All lines along `rows` rows.
void queueFusedRows(FusedRows const& p, int rows, double const* in, double* out,
                    cudaStream_t stream);

/// The rows of a device as pieces of its columns, `count` rows each and fewer in the last one.
struct ColumnPieces {
  CyclicFactors f;
  int rows, pieces, count, reach;
  bool isCircle;  ///< one piece, whose ends are neighbours
  __device__ int begin(int piece) const { return min(piece * count, rows); }
};
/// By piece and column: z, the recurrence upwards, at the piece's last row, and its part of the
/// recurrence downwards at its first row, where z before the piece is 0.
struct Edges {
  double *last, *first;
};

/// Sweeps along the columns of a device's rows; it has the edges of their pieces. Made while that
/// device is the current one.
class FusedColumns {
 public:
  /// `isWhole`: the grid has no other rows. Throws EngineUnavailable where a piece would be shorter
  /// than what its ends depend on.
  FusedColumns(CyclicMatrix const& m, int rows, int columns, bool isWhole);
  void queueEdges(double const* in, cudaStream_t stream) const;
  /// `other` has the rest of the grid's rows, which are before these and behind them, with edges
  /// made; the same where there is no rest.
  void queue(double const* in, double* out, FusedColumns const& other, cudaStream_t stream) const;

 private:
  Edges edges() const { return {last_.data(), first_.data()}; }

  ColumnPieces pieces_;
  int columns_;
  examples::device::DeviceArray<double> last_, first_;
};

}  // namespace osi_cuda::response::device
