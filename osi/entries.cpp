// SPDX-License-Identifier: EPL-2.0
#include "osi/entries.hpp"

#include <algorithm>
#include <cmath>

#include "osi/state.hpp"

namespace osi_cuda::osi {

EntryList::EntryList(int length, char const* method) : place_(at(length), -1), method_(method) {
  list_.rows = length;
}

void EntryList::add(int count, int const* indices, double const* values) {
  std::int64_t const start = list_.starts.back();
  for (int k = 0; k < count; ++k) {
    checkIndex(indices[k], list_.rows, method_);
    checkFinite(values[k], method_);
    std::int64_t& place = place_[at(indices[k])];
    if (place >= start) {
      list_.values[at(place)] += values[k];
      continue;
    }
    place = static_cast<std::int64_t>(list_.indices.size());
    list_.add(indices[k], values[k]);
  }
  auto kept = at(start);
  for (std::size_t k = kept; k < list_.values.size(); ++k) {
    if (list_.values[k] == 0.0) continue;
    list_.indices[kept] = list_.indices[k];
    list_.values[kept++] = list_.values[k];
  }
  // Places beyond the kept entries would be taken for those of the next vector.
  for (int k = 0; k < count; ++k) place_[at(indices[k])] = -1;
  list_.indices.resize(kept);
  list_.values.resize(kept);
  list_.endColumn();
}

void EntryList::add(CoinPackedVectorBase const& vector) {
  add(vector.getNumElements(), vector.getIndices(), vector.getElements());
}

bool needsCleaning(CoinPackedMatrix const& matrix) {
  std::vector<int> lastSeen(at(matrix.getMinorDim()), -1);
  CoinBigIndex const* const starts = matrix.getVectorStarts();
  for (int j = 0; j < matrix.getMajorDim(); ++j) {
    for (CoinBigIndex k = starts[j]; k < starts[j + 1]; ++k) {
      int& seen = lastSeen[at(matrix.getIndices()[k])];
      double const value = matrix.getElements()[k];
      if (value == 0.0 || !std::isfinite(value) || seen == j) return true;
      seen = j;
    }
  }
  return false;
}

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
