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

/// The bound on that side, may be infinite.
double& boundOf(LinearProgram& lp, Side const& side);
double boundOf(LinearProgram const& lp, Side const& side);

/// An absent bound on that side.
double absentBound(Side const& side);

/// The name of the row or column.
std::string nameOf(LinearProgram const& lp, Side const& side);

}  // namespace osi_cuda
