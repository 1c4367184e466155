// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

/// The matrix units of FP64 as a device's header mma.h offers them. Each thread of a warp has the
/// whole tile, and all of them do the same.
namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
enum layout_t { mem_row_major };

template <class Use, int m, int n, int k>
inline constexpr int rowsOf = m;
template <int m, int n, int k>
inline constexpr int rowsOf<matrix_b, m, n, k> = k;
template <class Use, int m, int n, int k>
inline constexpr int columnsOf = n;
template <int m, int n, int k>
inline constexpr int columnsOf<matrix_a, m, n, k> = k;

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static constexpr int rows = rowsOf<Use, m, n, k>, columns = columnsOf<Use, m, n, k>;
  T x[rows][columns];
};

template <class Tile, class T>
void fill_fragment(Tile& tile, T value) {
  for (auto& row : tile.x)
    for (auto& entry : row) entry = value;
}
template <class Tile, class T>
void load_matrix_sync(Tile& tile, T const* from, unsigned pitch) {
  for (int i = 0; i < Tile::rows; ++i)
    for (int j = 0; j < Tile::columns; ++j) tile.x[i][j] = from[std::size_t(i) * pitch + j];
}
template <class T, class Tile>
void store_matrix_sync(T* to, Tile const& tile, unsigned pitch, layout_t) {
  for (int i = 0; i < Tile::rows; ++i)
    for (int j = 0; j < Tile::columns; ++j) to[std::size_t(i) * pitch + j] = tile.x[i][j];
}
template <class Sum, class Left, class Right>
void mma_sync(Sum& sum, Left const& a, Right const& b, Sum const& c) {
  Sum result = c;
  for (int i = 0; i < Sum::rows; ++i)
    for (int j = 0; j < Sum::columns; ++j)
      for (int l = 0; l < Left::columns; ++l) result.x[i][j] += a.x[i][l] * b.x[l][j];
  sum = result;
}

}  // namespace nvcuda::wmma
