// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::readers {

inline bool isBlank(char c) {
  return c == ' ' || c == '\t';
}
inline bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}
inline bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
inline char asLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Do two words agree when the case of ASCII letters is ignored?
inline bool equalsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, asLower, asLower);
}

/// Is it, in any case, one of these words, which blanks separate?
inline bool isOneOf(std::string_view word, std::string_view words) {
  for (;;) {
    std::size_t const end = std::min(words.find(' '), words.size());
    if (equalsIgnoringCase(word, words.substr(0, end))) return true;
    if (end == words.size()) return false;
    words.remove_prefix(end + 1);
  }
}

/// The text without blanks around it.
inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace osi_cuda::readers
