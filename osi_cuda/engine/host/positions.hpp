// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda::host {

/// Which variable stands where, with its weight: what a kept basis comes back with.
struct BasisPlaces {
  int used = 0;                      ///< k, pivots since the last block update or factorisation
  std::vector<int> basic, nonbasic;  ///< by row position, by column position
  std::vector<double> rowWeight, columnWeight;  ///< the same
};

/// What an engine on the processor keeps by row position, by column position and by variable,
/// however it forms rows and columns of the tableau.
struct Positions : BasisPlaces {
  int m = 0;
  int n = 0;
  int capacity = 0;  ///< K, pivots between two block updates or factorisations
  int threads = 1;
  int structurals = 0;  ///< variables below this number are structural, the others slacks

  // by row position
  std::vector<double> rowValue, rowLower, rowUpper, rowEntry, rowProduct, rowChange;
  // by column position
  std::vector<double> columnValue, columnLower, columnUpper, reducedCost, columnEntry,
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
  /// By variable what stands by position.
  std::vector<double> byVariable(std::vector<double> const& ofRows,
                                 std::vector<double> const& ofColumns) const {
    std::vector<double> all(cost.size());
    for (std::size_t i = 0; i < basic.size(); ++i) all[at(basic[i])] = ofRows[i];
    for (std::size_t j = 0; j < nonbasic.size(); ++j) all[at(nonbasic[j])] = ofColumns[j];
    return all;
  }
  /// By variable: 1 for those in the basis.
  std::vector<char> basicMarks() const {
    std::vector<char> marks(cost.size(), 0);
    for (int const v : basic) marks[at(v)] = 1;
    return marks;
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
