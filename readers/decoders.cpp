// SPDX-License-Identifier: EPL-2.0
//
// Every codec is a Decoder: an owner of the library's stream object that turns compressed bytes
// into plain ones.
#include "readers/decoders.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <new>

#include "readers/input.hpp"

namespace osi_cuda::readers {
namespace {

using namespace std::string_view_literals;

enum class Outcome { more, ended, corrupt };

/// The streams of all libraries have members of these names; the rest is the codec's.
template <class Codec>
class StreamDecoder final : public Decoder {
 public:
  StreamDecoder() {
    if (!Codec::begin(stream_)) throw std::bad_alloc();
  }
  ~StreamDecoder() override { Codec::end(stream_); }
  char const* name() const override { return Codec::name; }

  Step decode(std::span<char const> in, std::span<char> out) override {
    stream_.next_in = reinterpret_cast<decltype(stream_.next_in)>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<decltype(stream_.avail_in)>(in.size());
    stream_.next_out = reinterpret_cast<decltype(stream_.next_out)>(out.data());
    stream_.avail_out = static_cast<decltype(stream_.avail_out)>(out.size());
    Outcome const outcome = Codec::run(stream_);
    if (outcome == Outcome::corrupt)
      throw InputFault(concat("valid ", name(), " data"), "corrupt data");
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out,
            outcome == Outcome::ended};
  }

 private:
  typename Codec::Stream stream_{};
};

/// Added to the window bits, 16 expects a gzip header; negative ones no header at all.
template <int windowBits>
struct Deflate {
  using Stream = z_stream;
  static constexpr char const* name = windowBits < 0 ? "deflated" : "gzip";
  static bool begin(Stream& stream) { return inflateInit2(&stream, windowBits) == Z_OK; }
  static void end(Stream& stream) { inflateEnd(&stream); }
  static Outcome run(Stream& stream) {
    int const code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_STREAM_END) return Outcome::ended;
    return code == Z_OK || code == Z_BUF_ERROR ? Outcome::more : Outcome::corrupt;
  }
};

struct Bzip2 {
  using Stream = bz_stream;
  static constexpr char const* name = "bzip2";
  static bool begin(Stream& stream) { return BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK; }
  static void end(Stream& stream) { BZ2_bzDecompressEnd(&stream); }
  static Outcome run(Stream& stream) {
    int const code = BZ2_bzDecompress(&stream);
    if (code == BZ_MEM_ERROR) throw std::bad_alloc();
    if (code == BZ_STREAM_END) return Outcome::ended;
    return code == BZ_OK ? Outcome::more : Outcome::corrupt;
  }
};

struct Xz {
  using Stream = lzma_stream;
  static constexpr char const* name = "xz";
  static bool begin(Stream& stream) {
    constexpr std::uint64_t mostMemory = std::uint64_t{256} << 20;
    return lzma_stream_decoder(&stream, mostMemory, 0) == LZMA_OK;
  }
  static void end(Stream& stream) { lzma_end(&stream); }
  static Outcome run(Stream& stream) {
    lzma_ret const code = lzma_code(&stream, LZMA_RUN);
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (code == LZMA_MEMLIMIT_ERROR)
      throw InputFault("xz data that needs at most 256 MiB to decompress", "a larger dictionary");
    if (code == LZMA_STREAM_END) return Outcome::ended;
    return code == LZMA_OK || code == LZMA_BUF_ERROR ? Outcome::more : Outcome::corrupt;
  }
};

struct Zstd {
  struct Stream {
    ZSTD_DCtx* context;
    char const* next_in;
    std::size_t avail_in;
    char* next_out;
    std::size_t avail_out;
  };
  static constexpr char const* name = "Zstandard";
  static bool begin(Stream& stream) { return (stream.context = ZSTD_createDCtx()) != nullptr; }
  static void end(Stream& stream) { ZSTD_freeDCtx(stream.context); }
  static Outcome run(Stream& stream) {
    ZSTD_inBuffer in{stream.next_in, stream.avail_in, 0};
    ZSTD_outBuffer out{stream.next_out, stream.avail_out, 0};
    std::size_t const code = ZSTD_decompressStream(stream.context, &out, &in);
    stream.avail_in -= in.pos;
    stream.avail_out -= out.pos;
    if (code == 0) return Outcome::ended;
    return ZSTD_isError(code) ? Outcome::corrupt : Outcome::more;
  }
};

template <class Codec>
std::unique_ptr<Decoder> make() {
  return std::make_unique<StreamDecoder<Codec>>();
}

bool isGzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b"sv);
}

/// Also a frame that Zstandard skips, as pzstd puts one before each of its own.
bool isZstd(std::string_view bytes) {
  return bytes.starts_with("\x28\xb5\x2f\xfd"sv) ||
         (bytes.size() >= 4 && (bytes[0] & '\xf0') == '\x50' &&
          bytes.substr(1, 3) == "\x2a\x4d\x18"sv);
}

std::optional<std::size_t> zstdLength(std::string_view bytes) {
  std::uint64_t const content = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  constexpr std::size_t longestHeader = 18;
  if (content == ZSTD_CONTENTSIZE_ERROR)
    return bytes.size() < longestHeader ? std::optional(moreNeeded) : std::nullopt;
  if (content != ZSTD_CONTENTSIZE_UNKNOWN && content > mostExpanded) return {};
  std::size_t const size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  return ZSTD_isError(size) ? moreNeeded : size;
}

/// A member of gzip as bgzip writes it: flags 4 (a field), and in the field BC its length minus 1.
std::optional<std::size_t> gzipLength(std::string_view bytes) {
  constexpr std::size_t header = 12, field = 6;
  auto const two = [bytes](std::size_t k) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[k])) |
           static_cast<std::size_t>(static_cast<unsigned char>(bytes[k + 1])) << 8;
  };
  if (bytes.size() < header + field) return moreNeeded;
  bool const isBlocked = bytes[2] == 8 && bytes[3] == 4 && two(10) == field && bytes[12] == 'B' &&
                         bytes[13] == 'C' && two(14) == 2;
  if (!isBlocked) return {};
  std::size_t const size = two(16) + 1;
  return bytes.size() < size ? moreNeeded : size;
}

}  // namespace

std::unique_ptr<Decoder> deflateDecoder() {
  return make<Deflate<-MAX_WBITS>>();
}

DecoderMaker decoderFor(std::string_view start) {
  if (isGzip(start)) return make<Deflate<MAX_WBITS + 16>>;
  // BZh1 ... BZh9, then the mark of a block or of the end: a text may well begin with "BZh".
  if (start.size() >= 10 && start.starts_with("BZh"sv) && start[3] >= '1' && start[3] <= '9' &&
      (start.substr(4, 6) == "1AY&SY"sv || start.substr(4, 6) == "\x17rE8P\x90"sv))
    return make<Bzip2>;
  if (start.starts_with("\xfd"
                        "7zXZ\0"sv))
    return make<Xz>;
  return isZstd(start) ? make<Zstd> : nullptr;
}

std::optional<std::size_t> frameLength(std::string_view bytes) {
  if (bytes.size() < 4) return moreNeeded;
  if (isZstd(bytes)) return zstdLength(bytes);
  return isGzip(bytes) ? gzipLength(bytes) : std::nullopt;
}

std::uint64_t expandedSize(std::string_view frame) {
  if (isGzip(frame)) return std::uint64_t{1} << 16;  // what bgzip puts into a member at most
  std::uint64_t const content = ZSTD_getFrameContentSize(frame.data(), frame.size());
  return content == ZSTD_CONTENTSIZE_UNKNOWN ? 8 * frame.size() + 64 : content;
}

}  // namespace osi_cuda::readers
