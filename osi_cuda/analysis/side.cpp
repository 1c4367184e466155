// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/side.hpp"

namespace osi_cuda {

double& boundOf(LinearProgram& lp, Side const& side) {
  auto& bounds = side.isRow() ? (side.isLower() ? lp.rowLower : lp.rowUpper)
                              : (side.isLower() ? lp.columnLower : lp.columnUpper);
  return bounds[at(side.index)];
}

double boundOf(LinearProgram const& lp, Side const& side) {
  auto const& bounds = side.isRow() ? (side.isLower() ? lp.rowLower : lp.rowUpper)
                                    : (side.isLower() ? lp.columnLower : lp.columnUpper);
  return bounds[at(side.index)];
}

double absentBound(Side const& side) {
  return side.isLower() ? -infinity : infinity;
}

std::string nameOf(LinearProgram const& lp, Side const& side) {
  return side.isRow() ? lp.rowName(side.index) : lp.columnName(side.index);
}

}  // namespace osi_cuda
