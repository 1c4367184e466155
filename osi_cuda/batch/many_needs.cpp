// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/device_many.hpp"

#include <algorithm>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/engine/cuda_module.hpp"

namespace osi_cuda::batch {

std::unique_ptr<DeviceMany> makeCudaMany(int device) {
  return cudaModule(device).makeMany(device);
}

std::size_t variantPart(std::size_t lines) {
  constexpr std::size_t answerBytes = std::size_t{256} << 20, most = std::size_t{1} << 16;
  std::size_t const each = std::max<std::size_t>(1, lines * (3 * sizeof(double) + 1));
  return std::clamp<std::size_t>(answerBytes / each, 1, most);
}

std::pair<std::uint64_t, std::uint64_t> manyNeeds(int rows, int columns, std::uint64_t count,
                                                  std::uint64_t changes, int factors,
                                                  int multiprocessors) {
  auto const m = static_cast<std::uint64_t>(rows), n = static_cast<std::uint64_t>(columns),
             both = m + n, cells = m * n, processors = static_cast<std::uint64_t>(multiprocessors);
  auto const slot = [&](std::uint64_t part, std::uint64_t in) {  // as they grow: an eighth more
    return part * (in + sizeof(SmallReport) + 9 * both + 8 * (both + n)) * 9 / 8;
  };
  std::uint64_t part = std::min<std::uint64_t>(
                    {count, partProblems, 1 + partBytes / (8 * (cells + 3 * both))}),
                slots = std::min<std::uint64_t>(3, part == 0 ? 0 : (count + part - 1) / part);
  std::uint64_t const tableau = 8 * m * (n | 1), place = std::min(part, processors) * tableau;
  std::uint64_t const batch =
      slots * (slot(part, 52 + 8 * (cells + 3 * n + 2 * m)) +
               (tableau > 227 << 10 ? place : 0));  // smaller ones lie in shared memory

  // The engine whose tableau they share, the matrix by lines, factors of the blocks, and a part.
  std::uint64_t const each = 8 * static_cast<std::uint64_t>(
                                     VariantPlaces::doubles(rows, columns, factors)),
                      lines = static_cast<std::uint64_t>(std::max(rows, columns)),
                      blocks = processors * (lines <= 256   ? 4
                                             : lines <= 512 ? 2
                                                            : 1);
  part = std::min<std::uint64_t>(count, variantPart(both));
  bool const all = part == 0 || changes <= partNumbers / part;
  std::uint64_t const numbers = all ? part * changes : partNumbers;
  std::uint64_t const variants = deviceNeeds(rows, columns).hostArray + 2 * 24 * cells + 60 * both +
                                 std::min(part, blocks) * each + slot(part, sizeof(VariantTask)) +
                                 18 * numbers;
  auto const inPieces = [](std::uint64_t bytes) {  // of 2 MB, which large arrays have alone
    return bytes + std::min<std::uint64_t>(24, bytes >> 25) * (std::uint64_t{2} << 20);
  };
  return {inPieces(batch), inPieces(variants)};
}

}  // namespace osi_cuda::batch
