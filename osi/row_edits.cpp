// SPDX-License-Identifier: EPL-2.0
#include "osi/row_edits.hpp"

#include <algorithm>

namespace osi_cuda::osi {

void RowEdits::remove(std::vector<int> const& numbers, int held) {
  std::vector<int> const heldAt = reshapeMap(held, gone, 0);
  auto const kept = static_cast<int>(heldAt.size());
  std::vector<int> unheld;
  for (int const i : numbers) {
    if (i < kept)
      gone.push_back(heldAt[at(i)]);
    else
      unheld.push_back(i - kept);
  }
  std::ranges::sort(gone);
  removeColumns(fresh, unheld);
}

int RowEdits::restore(SparseMatrix const& held) {
  int tail = held.rows;
  for (auto row = gone.rbegin(); row != gone.rend() && *row == tail - 1 && tail > appendedFrom;
       ++row)
    --tail;
  if (tail == held.rows || fresh.columns == 0) return 0;
  SparseMatrix const lost = rowsFrom(held, tail);
  std::vector<int> back;
  std::erase_if(gone, [&](int row) {
    int const k = row - tail, next = static_cast<int>(back.size());
    if (k < 0 || next == fresh.columns ||
        !std::ranges::equal(lost.columnIndices(k), fresh.columnIndices(next)) ||
        !std::ranges::equal(lost.columnValues(k), fresh.columnValues(next)))
      return false;
    back.push_back(next);
    return true;
  });
  removeColumns(fresh, back);
  return static_cast<int>(back.size());
}

}  // namespace osi_cuda::osi
