// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string_view>

namespace osi_cuda::readers {

/// Do two words agree when the case of ASCII letters is ignored?
bool equalsIgnoringCase(std::string_view a, std::string_view b);

inline bool isBlank(char c) {
  return c == ' ' || c == '\t';
}

/// The text without blanks around it.
std::string_view trimmed(std::string_view text);

}  // namespace osi_cuda::readers
