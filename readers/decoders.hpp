// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace osi_cuda::readers {

/// What one call of a decoder did.
struct Step {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool ended = false;  ///< the compressed stream is complete; another one may follow
};

/// Of one compressed stream.
class Decoder {
 public:
  Decoder() = default;
  Decoder(Decoder const&) = delete;
  Decoder& operator=(Decoder const&) = delete;
  virtual ~Decoder() = default;
  virtual char const* name() const = 0;
  /// Throws InputFault when the data is corrupt.
  virtual Step decode(std::span<char const> in, std::span<char> out) = 0;
};

/// Makes a decoder of its kind.
using DecoderMaker = std::unique_ptr<Decoder> (*)();

/// The decoder of what begins with these bytes (ten, unless there are fewer); null: plain text.
DecoderMaker decoderFor(std::string_view start);
/// Of deflated data without a header, as archives of zip hold it.
std::unique_ptr<Decoder> deflateDecoder();

/// Frames larger than that are decompressed piece by piece.
inline constexpr std::uint64_t mostExpanded = std::uint64_t{1} << 25;
/// A length that more bytes are needed to know, or a frame that is not there to its end.
inline constexpr std::size_t moreNeeded = 0;

/// How long the frame is that `bytes` begin with; nothing where it can't be told or is too large.
/// Zstandard's frames say it, as pzstd and the seekable format write them, and members of gzip as
/// bgzip writes them; of other members only reading them shows where they end.
std::optional<std::size_t> frameLength(std::string_view bytes);
/// What a frame of a known length expands to, at most or as a guess.
std::uint64_t expandedSize(std::string_view frame);

}  // namespace osi_cuda::readers
