// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/starting_basis.hpp"

#include <cmath>

namespace osi_cuda {

StartingBasis startingBasis(StandardForm const& form, Basis const& start, Bounds const& bounds) {
  auto const n = at(form.columns()), m = at(form.rows());
  auto statusOf = [&](std::size_t v) {
    if (v < n) return v < start.columns.size() ? start.columns[v] : VariableStatus::atLower;
    VariableStatus const row =
        v - n < start.rows.size() ? start.rows[v - n] : VariableStatus::basic;
    if (row == VariableStatus::atLower) return VariableStatus::atUpper;  // slack = -activity
    if (row == VariableStatus::atUpper) return VariableStatus::atLower;
    return row;
  };
  StartingBasis found;
  found.basic.assign(n + m, 0);
  std::size_t count = 0;
  for (std::size_t v = 0; v < n + m; ++v) {
    if (!start.empty() && statusOf(v) == VariableStatus::basic && count < m) {
      found.basic[v] = 1;
      ++count;
    }
  }
  for (std::size_t i = 0; i < m && count < m; ++i) {  // fill up with slacks
    count += found.basic[n + i] ? 0 : 1;
    found.basic[n + i] = 1;
  }
  found.value.assign(n + m, 0.0);
  for (std::size_t v = 0; v < n + m; ++v) {
    bool const hasLower = std::isfinite(bounds.lower[v]), hasUpper = std::isfinite(bounds.upper[v]);
    if (hasUpper && (!hasLower || statusOf(v) == VariableStatus::atUpper))
      found.value[v] = bounds.upper[v];
    else if (hasLower)
      found.value[v] = bounds.lower[v];
  }
  return found;
}

}  // namespace osi_cuda
