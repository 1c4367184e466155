// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/large_memory.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace osi_cuda {

void preferLargePages(void* place, std::size_t bytes) {
  constexpr std::uintptr_t largePage = std::uintptr_t{1} << 21;
  auto const start = reinterpret_cast<std::uintptr_t>(place);
  std::uintptr_t const first = (start + largePage - 1) & ~(largePage - 1);
  std::uintptr_t const last = (start + bytes) & ~(largePage - 1);
  // Only whole pages within: the rest may belong to others. A system that has none says no.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace osi_cuda
