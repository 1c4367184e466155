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
  found.basic.resize(n + m);
  found.value.resize(n + m);
  std::size_t count = 0;
  for (std::size_t v = 0; v < n + m; ++v) {
    VariableStatus const status = statusOf(v);
    bool const basic = status == VariableStatus::basic && !start.empty() && count < m;
    found.basic[v] = static_cast<char>(basic);
    count += static_cast<std::size_t>(basic);
    double const lower = bounds.lower[v], upper = bounds.upper[v];
    double const nearest = std::isfinite(lower) ? lower : std::isfinite(upper) ? upper : 0.0;
    found.value[v] = status == VariableStatus::atUpper && std::isfinite(upper) ? upper : nearest;
  }
  for (std::size_t i = 0; i < m && count < m; ++i) {  // fill up with slacks
    count += found.basic[n + i] ? 0 : 1;
    found.basic[n + i] = 1;
  }
  return found;
}

}  // namespace osi_cuda
