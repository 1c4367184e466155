// SPDX-License-Identifier: EPL-2.0
#include "readers/frames.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "readers/decoders.hpp"

namespace osi_cuda::readers::frames {
namespace {

using namespace std::string_view_literals;

std::optional<Extent> zstdExtent(std::string_view bytes) {
  std::uint64_t const content = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  constexpr std::size_t longestHeader = 18;
  if (content == ZSTD_CONTENTSIZE_ERROR)
    return bytes.size() < longestHeader ? std::optional(Extent{}) : std::nullopt;
  if (content != ZSTD_CONTENTSIZE_UNKNOWN && content > mostExpanded) return {};
  std::size_t const size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  if (ZSTD_isError(size)) return Extent{};
  return Extent{Length::known, size};
}

/// A member of gzip as bgzip writes it: flags 4 (a field), and in the field BC its length minus 1.
std::optional<Extent> gzipExtent(std::string_view bytes) {
  constexpr std::size_t header = 12, field = 6;
  auto const two = [bytes](std::size_t k) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[k])) |
           static_cast<std::size_t>(static_cast<unsigned char>(bytes[k + 1])) << 8;
  };
  if (bytes.size() < header + field) return Extent{};
  bool const isBlocked = bytes[2] == 8 && bytes[3] == 4 && two(10) == field && bytes[12] == 'B' &&
                         bytes[13] == 'C' && two(14) == 2;
  if (!isBlocked) return {};
  std::size_t const size = two(16) + 1;
  return bytes.size() < size ? Extent{} : Extent{Length::known, size};
}

}  // namespace

std::optional<Extent> extentOf(std::string_view bytes) {
  if (bytes.size() < 4) return Extent{};
  if (isZstd(bytes) || isSkippable(bytes)) return zstdExtent(bytes);
  if (bytes.starts_with("\x1f\x8b"sv)) return gzipExtent(bytes);
  return {};
}

std::optional<std::string> expanded(std::string_view frame, std::uint64_t most) {
  std::unique_ptr<Decoder> const decoder = decoderFor(frame)();
  std::uint64_t expected = std::uint64_t{1} << 16;  // what bgzip puts into a member at most
  if (isZstd(frame)) {
    expected = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (expected == ZSTD_CONTENTSIZE_UNKNOWN) expected = 8 * frame.size() + 64;
  }
  std::string text(std::min(most, expected), '\0');
  std::size_t taken = 0, made = 0;
  try {
    for (;;) {
      Step const step = decoder->decode({frame.data() + taken, frame.size() - taken},
                                        {text.data() + made, text.size() - made});
      taken += step.consumed;
      made += step.produced;
      if (step.ended) break;
      bool const isFull = made == text.size(), isCutOff = !isFull && taken == frame.size();
      if (isCutOff || made >= most || step.consumed + step.produced == 0) return {};
      if (isFull) text.resize(std::min<std::uint64_t>(most, 2 * made));
    }
  } catch (InputFault const&) {
    return {};
  }
  if (taken != frame.size()) return {};
  text.resize(made);
  return text;
}

}  // namespace osi_cuda::readers::frames
