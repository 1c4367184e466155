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

// ---- exchanges that no pivot rule asks for, many at once

inline constexpr int mostTogether = 64;

/// Columns E that enter the basis together. All arrays are in device memory.
///
/// With the rows L that leave and W = T[L,E], rows L and columns E of D and of the older factors
/// become zero, and the new factors are
///     U' = T[:,E], with -1 where a row of L meets its own column,
///     V  = W^-1 T[L,:], with W^-1 in the columns E.
struct BlockExchange {
  int count = 0;                ///< |E|, at most mostTogether
  int used = 0;                 ///< factors before
  int candidates = 0;           ///< rows that may leave
  int const* column = nullptr;  ///< E, by position
  int* row = nullptr;           ///< candidates by position; -1: has left
  int* pivot = nullptr;         ///< the candidate that each column takes
  int* failed = nullptr;        ///< 1: some column found no row; no exchange is made from then on
  double* largest = nullptr;    ///< |entry| by column, 0 before
  double* work = nullptr;       ///< candidates x count by columns: L U
  double smallestEntry = 0.0;   ///< of a pivot, beside the largest entry of its column
};

/// Each column takes the candidate with its largest entry after elimination of the columns before.
/// The variables keep their values, reduced costs of E become 0, and bounds by position do not
/// follow. If it fails, the new factors are zero. The bits are the same every time.
void exchangeTogether(cudaStream_t stream, TableauView const& t, BlockExchange const& x);

}  // namespace osi_cuda::cuda
