// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace osi_cuda {

/// Where a variable stands in a basic solution. For a row it speaks of the row's activity: a
/// nonbasic row at its lower bound has status atLower.
enum class VariableStatus : std::uint8_t {
  atLower,  ///< nonbasic at the lower bound (also: fixed)
  atUpper,  ///< nonbasic at the upper bound
  free,     ///< nonbasic without a bound to rest on; value 0, or any value (superbasic)
  basic
};

/// A status for each column and each row of the problem. The number of basic ones should equal
/// the number of rows; the solver repairs a basis for which it does not, or which is singular.
struct Basis {
  std::vector<VariableStatus> columns;  ///< length n
  std::vector<VariableStatus> rows;     ///< length m

  bool empty() const { return columns.empty() && rows.empty(); }
  bool operator==(Basis const&) const = default;
};

}  // namespace osi_cuda
