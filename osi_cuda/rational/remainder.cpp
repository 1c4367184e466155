// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/remainder.hpp"

#include <cstddef>

namespace osi_cuda::rational {

// The column of a row's activity and the slack of its equation are parallel: at most one is basic.
Basis Remainder::basisOf(Basis const& ofRemainder) const {
  std::size_t const n = ofRemainder.columns.size() - costedRows.size();
  Basis basis;
  basis.columns.assign(ofRemainder.columns.begin(),
                       ofRemainder.columns.begin() + static_cast<std::ptrdiff_t>(n));
  basis.rows = ofRemainder.rows;
  for (std::size_t k = 0; k < costedRows.size(); ++k) {
    VariableStatus& row = basis.rows[at(costedRows[k])];
    if (row != VariableStatus::basic) row = ofRemainder.columns[n + k];
  }
  return basis;
}

}  // namespace osi_cuda::rational
