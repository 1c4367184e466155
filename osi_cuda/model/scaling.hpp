// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda {

/// Factors for rows and columns, powers of two.
struct Scales {
  std::vector<double> row;     ///< length m
  std::vector<double> column;  ///< length n
  bool change = false;         ///< some factor is not 1
  bool full = false;           ///< seen on the way: every column lists all rows in order
};

/// Geometric means (Fulkerson and Wolfe 1962) by a few passes over the logarithms of the entries,
/// then the largest entry of each column near 1. All factors are 1 where that would not more than
/// halve the spread of the magnitudes (mean square of the logarithms): entries that are near each
/// other already gain nothing, and keep the file's own numbers. Independent of the number of
/// threads. Of a dense array with more than `enough` numbers about so many are looked at.
Scales chooseScales(SparseMatrix const& matrix, std::int64_t enough = std::int64_t{1} << 26);

/// The matrix with row i multiplied by row[i] and column j by column[j].
SparseMatrix scaledBy(std::vector<double> const& row, std::vector<double> const& column,
                      SparseMatrix matrix);

/// Scales each column of `lines` by `across` for its rows and then by the power of two that brings
/// the geometric mean of its entries near 1; these factors become the last of `own`.
void fitScales(SparseMatrix& lines, std::vector<double> const& across, std::vector<double>& own);

}  // namespace osi_cuda
