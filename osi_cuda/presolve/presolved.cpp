// SPDX-License-Identifier: EPL-2.0
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/presolve/presolve.hpp"

namespace osi_cuda {

Basis Presolved::enlarged(LinearProgram const& lp, Basis const& reduced) const {
  Basis basis;
  basis.rows.assign(at(lp.rows()), VariableStatus::basic);
  for (std::size_t j = 0; j < lp.columnLower.size(); ++j) {
    double const lower = lp.columnLower[j], upper = lp.columnUpper[j];
    bool const atUpper =
        upper != infinity && (lower == -infinity || std::fabs(upper) < std::fabs(lower));
    basis.columns.push_back(atUpper              ? VariableStatus::atUpper
                            : lower == -infinity ? VariableStatus::free
                                                 : VariableStatus::atLower);
  }
  for (std::size_t k = 0; k < columns.size(); ++k)
    basis.columns[at(columns[k])] = reduced.columns[k];
  for (std::size_t k = 0; k < rows.size(); ++k) basis.rows[at(rows[k])] = reduced.rows[k];
  return basis;
}

Basis Presolved::restricted(Basis const& basis) const {
  Basis part;
  if (basis.empty()) return part;
  auto const pick = [](std::vector<int> const& kept, std::vector<VariableStatus> const& statuses,
                       VariableStatus missing, std::vector<VariableStatus>& into) {
    for (int const k : kept) into.push_back(k < std::ssize(statuses) ? statuses[at(k)] : missing);
  };
  pick(columns, basis.columns, VariableStatus::atLower, part.columns);
  pick(rows, basis.rows, VariableStatus::basic, part.rows);
  return part;
}

}  // namespace osi_cuda
