// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/engine/cuda/views.hpp"

/// Kernels for what keeps a tableau and its matrix through changes, each behind a function that
/// starts it on a stream. All arrays are in device memory.
namespace osi_cuda::cuda {

// ---- a basis that is kept

/// Lines of 8 bytes' words that lie `pitch` apart, `width` of each.
struct CopyPiece {
  double* here = nullptr;
  double* there = nullptr;
  int lines = 0, width = 0, herePitch = 0, therePitch = 0;
};
inline constexpr int copyPieces = 5;
struct CopyPieces {
  CopyPiece piece[copyPieces];
};
/// there <- here for each piece, or the other way round.
void copy(cudaStream_t stream, CopyPieces const& pieces, bool back);
/// target <- source (m x n by rows) in the rows and columns of the exchanges first to last - 1.
void copyExchanged(cudaStream_t stream, TableauView const& t, int first, int last,
                   double const* source, double* target);

// ---- rows and columns that come and go

/// D's row i <- row from[i], for the `count` rows that move; no row is both read and written.
void moveRows(cudaStream_t stream, int count, int n, int const* from, double* base);
/// target[i, j] = base[rowFrom[i], columnFrom[j]], i < rows, j < columns, by rows of `stride`
void repack(cudaStream_t stream, TableauView const& t, int rows, int columns, int const* rowFrom,
            int const* columnFrom, double* target, std::int64_t stride);
/// Where placeLines puts its entries: that of line k and position i at k lineStep + i positionStep.
struct LineTargets {
  double* entries = nullptr;
  std::int64_t lineStep = 0, positionStep = 0;
  int positions = 0;
  int const* variable = nullptr;  ///< by position
};
/// Lines of A, dense, by position: the entry of position i is the one of number
/// variable[i] - firstVariable, or zero where the line has no such number. Columns of A are
/// numbered by constraints, whose slacks are the variables from n on.
void placeLines(cudaStream_t stream, int lines, double const* dense, int length, int firstVariable,
                LineTargets const& target);
/// The state's variables and values, moved: value[k], variable[k] over rows, then columns.
void takeMoved(cudaStream_t stream, TableauView const& t, int rows, int columns, int const* rowFrom,
               int const* columnFrom, int const* number, double* value, int* variable);
/// And put where they belong: of m rows the first `rows`, of n columns the first `columns`; the
/// others' variables are the last slacks and structurals.
void putMoved(cudaStream_t stream, TableauView const& t, int rows, int columns, double const* value,
              int const* variable);
/// The nonzeros of a dense m x n matrix by rows, each row's in ascending order; starts has m + 1.
void gatherRows(cudaStream_t stream, int m, int n, double const* dense, std::int64_t* starts,
                int* indices, double* values);
/// What becomes of the lines of a matrix, and of those across them.
struct LineMap {
  int lines = 0;                  ///< from now on
  int const* from = nullptr;      ///< by line: its number before, -1 if it is new
  int const* place = nullptr;     ///< of a line across: its number from now on, and `first`
  int first = 0;                  ///< less than that: it is lost
  int newAcross = 0, across = 0;  ///< so many lines across are new, from number `across` on
};
/// A matrix by lines. `fresh`, in which indices ascend: the new lines, which come last, or those
/// across.
void reshapeLines(cudaStream_t stream, LinesView const& old, LineMap const& map,
                  LinesView const& fresh, std::int64_t* starts, int* indices, double* values);

}  // namespace osi_cuda::cuda
