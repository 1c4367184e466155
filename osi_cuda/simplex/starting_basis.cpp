// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/starting_basis.hpp"

#include <cmath>

namespace osi_cuda {

StartingBasis startingBasis(StandardForm const& form, Basis const& start,
                            BoundsView const& bounds) {
  auto const n = at(form.columns()), m = at(form.rows());
  StartingBasis found;
  found.basic.resize(n + m);
  found.value.resize(n + m);
  std::size_t count = 0;
  auto const place = [&](std::size_t v, VariableStatus status, VariableStatus upperEnd) {
    if (status == VariableStatus::basic && count < m) {
      found.basic[v] = 1;
      ++count;
    }
    double const lower = bounds.lower[v], upper = bounds.upper[v];
    double const low = std::isfinite(lower) ? lower : 0.0;
    found.value[v] = std::isfinite(upper) && (status == upperEnd || lower != low) ? upper : low;
  };
  for (std::size_t j = 0; j < n; ++j)
    place(j, j < start.columns.size() ? start.columns[j] : VariableStatus::atLower,
          VariableStatus::atUpper);
  for (std::size_t i = 0; i < m; ++i)  // slack = -activity
    place(n + i, i < start.rows.size() ? start.rows[i] : VariableStatus::basic,
          VariableStatus::atLower);
  for (std::size_t i = 0; i < m && count < m; ++i) {  // fill up with slacks
    count += found.basic[n + i] ? 0 : 1;
    found.basic[n + i] = 1;
  }
  return found;
}

}  // namespace osi_cuda
