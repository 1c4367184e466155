// SPDX-License-Identifier: EPL-2.0
#include "readers/frames.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace osi_cuda::readers::frames {
namespace {

using namespace std::string_view_literals;

bool isZstd(std::string_view bytes) {
  return bytes.starts_with("\x28\xb5\x2f\xfd"sv);
}

/// A frame for other programs, without content.
bool isSkippable(std::string_view bytes) {
  return bytes.size() >= 4 && (bytes[0] & '\xf0') == '\x50' &&
         bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
}

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

std::optional<std::string> expandedZstd(std::string_view frame, std::uint64_t most) {
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> const context(ZSTD_createDCtx(),
                                                                     &ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  std::uint64_t const content = ZSTD_getFrameContentSize(frame.data(), frame.size());
  bool const isKnown = content != ZSTD_CONTENTSIZE_UNKNOWN && content != ZSTD_CONTENTSIZE_ERROR;
  if (isKnown && content > most) return {};
  std::string text(isKnown ? content : std::min<std::uint64_t>(most, 8 * frame.size() + 64), '\0');
  ZSTD_inBuffer input{frame.data(), frame.size(), 0};
  ZSTD_outBuffer output{text.data(), text.size(), 0};
  for (;;) {
    std::size_t const code = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(code)) return {};
    if (code == 0) break;
    if (output.pos == output.size) {
      if (text.size() >= most) return {};
      text.resize(std::min<std::uint64_t>(most, 2 * text.size()));
      output = {text.data(), text.size(), output.pos};
    } else if (input.pos == input.size) {
      return {};
    }
  }
  if (input.pos != input.size) return {};
  text.resize(output.pos);
  return text;
}

std::optional<std::string> expandedGzip(std::string_view frame, std::uint64_t most) {
  constexpr std::size_t largest = std::size_t{1} << 16;  // of what bgzip puts into a member
  std::string text(std::min<std::uint64_t>(largest, most), '\0');
  z_stream stream{};
  constexpr int gzipOnly = 16;
  if (inflateInit2(&stream, MAX_WBITS + gzipOnly) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(frame.data()));
  stream.avail_in = static_cast<uInt>(frame.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  int const code = inflate(&stream, Z_FINISH);
  bool const isWhole = code == Z_STREAM_END && stream.avail_in == 0;
  text.resize(text.size() - stream.avail_out);
  inflateEnd(&stream);
  if (!isWhole) return {};
  return text;
}

}  // namespace

std::optional<Extent> extentOf(std::string_view bytes) {
  if (bytes.size() < 4) return Extent{};
  if (isZstd(bytes) || isSkippable(bytes)) return zstdExtent(bytes);
  if (bytes.starts_with("\x1f\x8b"sv)) return gzipExtent(bytes);
  return {};
}

std::optional<std::string> expanded(std::string_view frame, std::uint64_t most) {
  if (isSkippable(frame)) return std::string();
  return isZstd(frame) ? expandedZstd(frame, most) : expandedGzip(frame, most);
}

}  // namespace osi_cuda::readers::frames
