// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <gmpxx.h>

#include <cstdint>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::stress {

/// How far a point may miss what it has to keep to. All zero: not at all.
struct Allowance {
  double sides = 0.0;  ///< rows and bounds, by so much times 1 + |side|
  double whole = 0.0;  ///< integer columns may be off by so much, and rows by what that makes
};

/// What is true of a problem with integer columns.
struct IntegerTruth {
  bool known = false;  ///< false: the problem is beyond this enumeration
  bool feasible = false;
  mpq_class optimum;  ///< in the problem's own sense, offset included
  std::int64_t nodes = 0;
};

/// By enumeration of the integer columns in whole numbers of 128 bits, without any rounding: ranges
/// that follow from rows, bounds and the best point so far are split until all columns are fixed.
/// At most 3 continuous columns: of what remains all vertices are computed in rational numbers.
/// Semicontinuous columns and special
/// ordered sets are decided in every way first. Problems of which this can settle nothing (more
/// nodes, sums beyond 128 bits, a column whose range is infinite, an optimum that may not be at a
/// vertex) are not known. One row of free integers is settled by its greatest common divisor.
/// Shares nothing with the solver.
IntegerTruth enumerated(LinearProgram const& lp, Allowance const& allowance = {},
                        std::int64_t mostNodes = 200000);

}  // namespace osi_cuda::stress
