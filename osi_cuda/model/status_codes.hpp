// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

#include "osi_cuda/model/basis.hpp"

namespace osi_cuda {

/// The codes that another program has for the status of a variable.
template <class Code>
struct StatusCodes {
  Code atLower, atUpper, free, basic;

  constexpr Code of(VariableStatus status) const {
    Code const codes[] = {atLower, atUpper, free, basic};
    return codes[static_cast<std::size_t>(status)];
  }
  /// `otherwise` for a code that is none of these.
  constexpr VariableStatus statusOf(Code code, VariableStatus otherwise) const {
    for (VariableStatus const status : {VariableStatus::atLower, VariableStatus::atUpper,
                                        VariableStatus::free, VariableStatus::basic})
      if (of(status) == code) return status;
    return otherwise;
  }
};

}  // namespace osi_cuda
