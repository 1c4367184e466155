// SPDX-License-Identifier: EPL-2.0
#include "osi/row_edits.hpp"

#include <algorithm>

#include "osi_cuda/model/edits.hpp"

namespace osi_cuda::osi {

void RowEdits::remove(std::vector<int> const& numbers, int held) {
  std::vector<int> const heldAt = reshapeMap(held, gone, 0);
  auto const last = std::ranges::lower_bound(numbers, kept);
  for (auto i = numbers.begin(); i != last; ++i) gone.push_back(heldAt[at(*i)]);
  kept -= static_cast<int>(last - numbers.begin());
  std::ranges::sort(gone);
}

void RowEdits::restore(SparseMatrix const& held, SparseMatrix& fresh) {
  int tail = held.rows;
  for (auto row = gone.rbegin(); row != gone.rend() && *row == tail - 1; ++row) --tail;
  if (tail == held.rows || fresh.columns == 0) return;
  SparseMatrix const lost = rowsFrom(tail, held.rows, held.columns, held.starts.data(),
                                     held.indices.data(), held.values.data());
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
  kept += static_cast<int>(back.size());
  removeColumns(fresh, back);
}

}  // namespace osi_cuda::osi
