// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <type_traits>

namespace osi_cuda {

/// The parts one after the other: texts and characters as they are, numbers as std::to_string
/// writes them.
template <class... Parts>
std::string concat(Parts const&... parts) {
  std::string whole;
  auto const add = [&whole](auto const& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_arithmetic_v<Part> && !std::is_same_v<Part, char>)
      whole += std::to_string(part);
    else
      whole += part;
  };
  (add(parts), ...);
  return whole;
}

}  // namespace osi_cuda
