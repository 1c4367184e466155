// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// The computational form, scaled by powers of two (so that scaling rounds nothing):
///
///     min c'x   subject to   A x + s = 0,   lower <= (x, s) <= upper
///
/// with n structural variables x and m slacks s; variable n + i is the slack of row i, the negative
/// of the row's activity. A maximisation is negated; the objective offset is left out.
struct StandardForm {
  SparseMatrix matrix;              ///< A scaled, m x n by columns
  SparseMatrix transposed;          ///< A' : the rows of A
  std::vector<double> cost;         ///< length n + m; zero for slacks
  std::vector<double> lower;        ///< length n + m
  std::vector<double> upper;        ///< length n + m
  std::vector<double> rowScale;     ///< length m, powers of two: row i of A is multiplied by it
  std::vector<double> columnScale;  ///< length n, powers of two: column j is multiplied by it
  double costScale = 1.0;           ///< power of two, negative for a maximisation
  bool scaled = false;              ///< whether factors other than 1 are welcome

  int rows() const { return matrix.rows; }
  int columns() const { return matrix.columns; }
  int variables() const { return matrix.rows + matrix.columns; }

  /// (unscaled value of variable v) = factor(v) * (scaled value).
  double factor(int v) const {
    return v < columns() ? columnScale[v] : -1.0 / rowScale[v - columns()];
  }
};

/// Builds the form: geometric scaling (Fulkerson and Wolfe 1962), a few passes, then equilibration,
/// each factor rounded to a power of two; no scaling when `scale` is false.
StandardForm makeStandardForm(LinearProgram const& lp, bool scale);

/// Bounds and costs anew after the LinearProgram's changed, scale factors kept.
void refreshBounds(StandardForm& form, LinearProgram const& lp);
void refreshCosts(StandardForm& form, LinearProgram const& lp);

/// Rows and columns of the form after those of the LinearProgram came or went. What stays keeps its
/// scale factors; what is new, either rows or columns, gets factors that fit the rest.
void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change);

}  // namespace osi_cuda
