// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace osi_cuda::readers {

/// A compressed file may be a row of frames, each of which can be decompressed by itself: Zstandard
/// as pzstd and the seekable format write it, gzip as bgzip does. A frame says how long it is;
/// members of a gzip file mostly do not, and then only reading them shows where they end.
namespace frames {

/// Larger frames are left to who decompresses piece by piece.
inline constexpr std::size_t mostPacked = std::size_t{1} << 23;
inline constexpr std::uint64_t mostExpanded = std::uint64_t{1} << 25;

enum class Length {
  known,      ///< and the frame is there to its end
  moreNeeded  ///< to know it
};
struct Extent {
  Length length = Length::moreNeeded;
  std::size_t bytes = 0;
};

/// How long the frame is that `bytes` begin with; nothing where it can't be told or is too large.
std::optional<Extent> extentOf(std::string_view bytes);

/// What a whole frame expands to, if it is sound and no larger than `most`.
std::optional<std::string> expanded(std::string_view frame, std::uint64_t most);

}  // namespace frames
}  // namespace osi_cuda::readers
