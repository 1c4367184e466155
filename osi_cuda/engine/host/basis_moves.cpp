// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/basis_moves.hpp"
#include "osi_cuda/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace osi_cuda::host {

BasisDifference basisDifference(Positions const& p, std::vector<char> const& basic) {
  BasisDifference difference;
  for (std::size_t i = 0; i < p.basic.size(); ++i)
    if (!basic[at(p.basic[i])]) difference.rows.push_back(static_cast<int>(i));
  for (std::size_t j = 0; j < p.nonbasic.size(); ++j)
    if (basic[at(p.nonbasic[j])]) difference.columns.push_back(static_cast<int>(j));
  return difference;
}

bool exchangeTowards(BasisDifference difference,
                     std::function<std::vector<double> const&(int)> const& column,
                     std::function<void(int, int)> const& exchange) {
  constexpr double goodEntry = 1e-5;  // beside the largest of its column
  std::vector<int>&rows = difference.rows, &columns = difference.columns;
  std::size_t failures = 0;
  for (std::size_t next = 0; !columns.empty(); next = columns.empty() ? 0 : next % columns.size()) {
    std::vector<double> const& entries = column(columns[next]);
    double largest = 0.0, best = 0.0;
    std::size_t chosen = 0;
    for (double const u : entries) largest = std::max(largest, std::fabs(u));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double const size = std::fabs(entries[at(rows[k])]);
      if (size > best) {
        best = size;
        chosen = k;
      }
    }
    if (best < goodEntry * std::max(1.0, largest)) {
      if (++failures > columns.size()) return false;
      ++next;
      continue;
    }
    failures = 0;
    exchange(rows[chosen], columns[next]);
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(chosen));
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(next));
  }
  return true;
}

}  // namespace osi_cuda::host
