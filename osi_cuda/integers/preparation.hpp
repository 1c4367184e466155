// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// A problem with integer columns as branch and cut takes it: it minimises, and has the same
/// columns and the same points with whole integers.
/// - Bounds of integer columns are whole: rounded inward.
/// - In a row of integer columns alone, whose coefficients are multiples of one number, sides are
///   multiples of it, too: 4 x + 6 y <= 7 becomes 4 x + 6 y <= 6. What a double cannot hold stays.
///   What is off by the rounding of one double counts as a multiple.
/// - Free rows are left out.
/// All of it is exact: doubles are taken as they are.
struct PreparedIntegers {
  LinearProgram problem;  ///< without names; its matrix is sparse
  std::vector<int> rows;  ///< the given number of each of its rows
  /// Why there is no point with whole integers, where that was seen; else empty.
  std::string conflict;
};

PreparedIntegers prepareIntegers(LinearProgram const& lp);

}  // namespace osi_cuda
