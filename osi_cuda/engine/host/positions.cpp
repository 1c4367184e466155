// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/positions.hpp"
#include "osi_cuda/base/index.hpp"

namespace osi_cuda::host {

void Positions::resizePositions(int rows, int columns, int blockSize) {
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

RowState Positions::rowState() {
  return {basic.data(),     rowValue.data(), rowLower.data(),   rowUpper.data(),
          rowWeight.data(), rowEntry.data(), rowProduct.data(), rowChange.data()};
}

ColumnState Positions::columnState() {
  return {nonbasic.data(),    columnValue.data(),   columnLower.data(),
          columnUpper.data(), reducedCost.data(),   columnWeight.data(),
          columnEntry.data(), columnProduct.data(), columnChange.data()};
}

}  // namespace osi_cuda::host
