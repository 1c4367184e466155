// SPDX-License-Identifier: EPL-2.0
// Adding and removing rows and columns of the tableau.
#include <algorithm>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/host/tableau.hpp"

namespace osi_cuda::host {

void Tableau::keep(std::vector<char> const& lost, std::vector<int> const& number, int columns) {
  auto const isLost = [&](int variable) { return lost[at(variable)] != 0; };
  std::vector<std::size_t> keptColumns;
  for (std::size_t j = 0; j < nonbasic.size(); ++j)
    if (!isLost(nonbasic[j])) keptColumns.push_back(j);
  std::size_t rows = 0;
  double* to = base.data();
  for (std::size_t i = 0; i < basic.size(); ++i) {
    if (isLost(basic[i])) continue;
    double const* const from = base.data() + i * at(n);
    if (keptColumns.size() == nonbasic.size()) {
      if (to != from) std::copy(from, from + n, to);
      to += n;
    } else {
      for (std::size_t const j : keptColumns) *to++ = from[j];
    }
    basic[rows] = number[at(basic[i])];
    rowValue[rows] = rowValue[i];
    ++rows;
  }
  std::size_t count = 0;
  for (std::size_t const j : keptColumns) {
    nonbasic[count] = number[at(nonbasic[j])];
    columnValue[count] = columnValue[j];
    ++count;
  }
  base.resize(at(to - base.data()));
  basic.resize(rows);
  rowValue.resize(rows);
  nonbasic.resize(count);
  columnValue.resize(count);
  m = static_cast<int>(rows);
  n = static_cast<int>(count);
  structurals = columns;
}

void Tableau::appendRow(std::vector<double> const& fresh, int variable) {
  base.insert(base.end(), fresh.begin(), fresh.end());
  basic.push_back(variable);
  rowValue.push_back(0.0);
  ++m;
}

void Tableau::appendColumns(std::vector<std::vector<double>> const& fresh,
                            std::vector<int> const& which) {
  if (fresh.empty()) return;
  auto const before = at(n), after = before + fresh.size();
  base.resize(at(m) * after);
  for (auto i = at(m); i-- > 0;) {
    double* const to = base.data() + i * after;
    std::copy_backward(base.data() + i * before, base.data() + (i + 1) * before, to + before);
    for (std::size_t k = 0; k < fresh.size(); ++k) to[before + k] = fresh[k][i];
  }
  nonbasic.insert(nonbasic.end(), which.begin(), which.end());
  columnValue.resize(after, 0.0);
  n = static_cast<int>(after);
}

void Tableau::resizeWork() {
  auto const mm = at(m), nn = at(n);
  u.resize(at(capacity) * mm);
  v.resize(at(capacity) * nn);
  for (auto* a : {&rowLower, &rowUpper, &rowEntry, &rowProduct, &rowChange}) a->resize(mm);
  for (auto* a :
       {&columnLower, &columnUpper, &reducedCost, &columnEntry, &columnProduct, &columnChange})
    a->resize(nn);
  rowWeight.assign(mm, 1.0);
  columnWeight.assign(nn, 1.0);
  cost.resize(mm + nn);
  columnSketch.clear();
  rowSketch.clear();
}

}  // namespace osi_cuda::host
