// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/base/index.hpp"
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
  void resizePositions(int rows, int columns, int blockSize) {
    m = rows;
    n = columns;
    capacity = blockSize;
    used = 0;
    structurals = columns;
    auto const mm = at(m), nn = at(n);
    basic.assign(mm, 0);
    nonbasic.assign(nn, 0);
    for (auto* a : {&rowValue, &rowLower, &rowUpper, &rowEntry, &rowProduct, &rowChange})
      a->assign(mm, 0.0);
    for (auto* a : {&columnValue, &columnLower, &columnUpper, &reducedCost, &columnEntry,
                    &columnProduct, &columnChange})
      a->assign(nn, 0.0);
    rowWeight.assign(mm, 1.0);
    columnWeight.assign(nn, 1.0);
    cost.assign(mm + nn, 0.0);
  }
  RowState rowState() {
    return {basic.data(),     rowValue.data(), rowLower.data(),   rowUpper.data(),
            rowWeight.data(), rowEntry.data(), rowProduct.data(), rowChange.data()};
  }
  ColumnState columnState() {
    return {nonbasic.data(),    columnValue.data(),   columnLower.data(),
            columnUpper.data(), reducedCost.data(),   columnWeight.data(),
            columnEntry.data(), columnProduct.data(), columnChange.data()};
  }
};

}  // namespace osi_cuda::host
