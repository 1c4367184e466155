// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "osi_cuda/engine/host/positions.hpp"

namespace osi_cuda::host {

/// The delayed tableau T = D - U'V and everything that is kept by row or column position.
struct Tableau : Positions {
  int sketchSize = 0;  ///< rows of the sketch

  std::vector<double> base;  ///< D, m x n by rows
  std::vector<double> u;     ///< U, K x m by rows
  std::vector<double> v;     ///< V, K x n by rows

  std::vector<float> columnSketch;  ///< Z = S T, k x n by rows
  std::vector<float> rowSketch;     ///< W' with W = B^-1 S', k x m by rows

  double* baseRow(int i) { return base.data() + static_cast<std::size_t>(i) * n; }
  double const* baseRow(int i) const { return base.data() + static_cast<std::size_t>(i) * n; }
  double* uRow(int l) { return u.data() + static_cast<std::size_t>(l) * m; }
  double* vRow(int l) { return v.data() + static_cast<std::size_t>(l) * n; }

  void resize(int rows, int columns, int blockSize, int sketch);

  /// Drops the positions of lost variables and gives the others their new `number`s, of which the
  /// first `columns` are structural. Needs k = 0.
  void keep(std::vector<char> const& lost, std::vector<int> const& number, int columns);
  /// New columns of D, each of length m, for nonbasic variables of value 0.
  void appendColumns(std::vector<std::vector<double>> const& fresh, std::vector<int> const& which);
  /// A new row of D for the basic variable `variable`.
  void appendRow(std::vector<double> const& fresh, int variable);
  /// Gives every array the length that m and n ask for now; weights become 1.
  void resizeWork();

  /// D <- D - U'V, k <- 0: one matrix product, or several on strips of rows where it takes more
  /// than `flopsAtOnce`. `betweenStrips` may throw; the tableau is lost then.
  void fold(std::function<void()> const& betweenStrips = {}, double flopsAtOnce = 4e9);
  /// out = T[:,q] (length m), out = T[r,:] (length n)
  void formColumn(int q, double* out);
  void formRow(int r, double* out);
  /// out_j = sum_i g_i T_ij (length n), out_i = sum_j g_j T_ij (length m); g may be sparse
  void combineRows(double const* g, double* out);
  void combineColumns(double const* g, double* out);
};

}  // namespace osi_cuda::host
