// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// One side of a row or column of a problem: what can contradict others, or be relaxed.
struct Side {
  enum class Of : char { row, column };
  enum class End : char { lower, upper };

  Of of = Of::row;
  int index = 0;
  End end = End::lower;

  bool isRow() const { return of == Of::row; }
  bool isLower() const { return end == End::lower; }
  bool operator==(Side const&) const = default;
};

/// The bound on that side of a LinearProgram, const or not; may be infinite.
auto& boundOf(auto& lp, Side const& side) {
  auto& bounds = side.isRow() ? (side.isLower() ? lp.rowLower : lp.rowUpper)
                              : (side.isLower() ? lp.columnLower : lp.columnUpper);
  return bounds[at(side.index)];
}

/// An absent bound on that side.
inline double absentBound(Side const& side) {
  return side.isLower() ? -infinity : infinity;
}

/// The name of the row or column.
inline std::string nameOf(LinearProgram const& lp, Side const& side) {
  return side.isRow() ? lp.rowName(side.index) : lp.columnName(side.index);
}

}  // namespace osi_cuda
