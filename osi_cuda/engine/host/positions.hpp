// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda::host {

/// What an engine on the processor keeps by row position, by column position and by variable,
/// however it forms rows and columns of the tableau.
struct Positions {
  int m = 0;
  int n = 0;
  int capacity = 0;  ///< K, pivots between two block updates or factorisations
  int used = 0;      ///< k, pivots since the last one
  int threads = 1;
  int structurals = 0;  ///< variables below this number are structural, the others slacks

  // by row position
  std::vector<int> basic;
  std::vector<double> rowValue, rowLower, rowUpper, rowWeight, rowEntry, rowProduct, rowChange;
  // by column position
  std::vector<int> nonbasic;
  std::vector<double> columnValue, columnLower, columnUpper, reducedCost, columnWeight, columnEntry,
      columnProduct, columnChange;
  // by variable
  std::vector<double> cost;

  /// Everything zero, weights 1, nothing used.
  void resizePositions(int rows, int columns, int blockSize);
  RowState rowState();
  ColumnState columnState();
};

}  // namespace osi_cuda::host
