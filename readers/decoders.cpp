// SPDX-License-Identifier: EPL-2.0
//
// Every codec is a Decoder: a small owner of the library's stream object that turns compressed
// bytes into plain ones.
#include "readers/decoders.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <new>

namespace osi_cuda::readers {
namespace {

constexpr std::uint64_t xzMemory = std::uint64_t{256} << 20;

class GzipDecoder final : public Decoder {
 public:
  /// Added to the window bits, 16 expects a gzip header; negative ones no header at all.
  explicit GzipDecoder(int windowBits = MAX_WBITS + 16, char const* name = "gzip") : name_(name) {
    if (inflateInit2(&stream_, windowBits) != Z_OK) throw std::bad_alloc();
  }
  ~GzipDecoder() override { inflateEnd(&stream_); }
  char const* name() const override { return name_; }

  Step decode(std::span<char const> in, std::span<char> out) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    int const code = inflate(&stream_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) corrupt();
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, code == Z_STREAM_END};
  }

 private:
  char const* name_;
  z_stream stream_{};
};

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }
  char const* name() const override { return "bzip2"; }

  Step decode(std::span<char const> in, std::span<char> out) override {
    stream_.next_in = const_cast<char*>(in.data());
    stream_.avail_in = static_cast<unsigned>(in.size());
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<unsigned>(out.size());
    int const code = BZ2_bzDecompress(&stream_);
    if (code == BZ_MEM_ERROR) throw std::bad_alloc();
    if (code != BZ_OK && code != BZ_STREAM_END) corrupt();
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, code == BZ_STREAM_END};
  }

 private:
  bz_stream stream_{};
};

class XzDecoder final : public Decoder {
 public:
  XzDecoder() {
    if (lzma_stream_decoder(&stream_, xzMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzDecoder() override { lzma_end(&stream_); }
  char const* name() const override { return "xz"; }

  Step decode(std::span<char const> in, std::span<char> out) override {
    stream_.next_in = reinterpret_cast<std::uint8_t const*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    lzma_ret const code = lzma_code(&stream_, LZMA_RUN);
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (code == LZMA_MEMLIMIT_ERROR)
      throw InputFault("xz data that needs at most 256 MiB to decompress", "a larger dictionary");
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) corrupt();
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, code == LZMA_STREAM_END};
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDCtx()) {
    if (!stream_) throw std::bad_alloc();
  }
  ~ZstdDecoder() override { ZSTD_freeDCtx(stream_); }
  char const* name() const override { return "Zstandard"; }

  Step decode(std::span<char const> in, std::span<char> out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    std::size_t const code = ZSTD_decompressStream(stream_, &output, &input);
    if (ZSTD_isError(code)) corrupt();
    return {input.pos, output.pos, code == 0};
  }

 private:
  ZSTD_DCtx* stream_;
};

template <class Kind>
std::unique_ptr<Decoder> make() {
  return std::make_unique<Kind>();
}

}  // namespace

bool isZstd(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with("\x28\xb5\x2f\xfd"sv);
}

bool isSkippable(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.size() >= 4 && (bytes[0] & '\xf0') == '\x50' &&
         bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
}

std::unique_ptr<Decoder> deflateDecoder() {
  return std::make_unique<GzipDecoder>(-MAX_WBITS, "deflated");
}

DecoderMaker decoderFor(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\x1f\x8b"sv)) return make<GzipDecoder>;
  // BZh1 ... BZh9, then the mark of a block or of the end: a text may well begin with "BZh".
  if (start.size() >= 10 && start.starts_with("BZh"sv) && start[3] >= '1' && start[3] <= '9' &&
      (start.substr(4, 6) == "1AY&SY"sv || start.substr(4, 6) == "\x17rE8P\x90"sv))
    return make<Bzip2Decoder>;
  if (start.starts_with("\xfd"
                        "7zXZ\0"sv))
    return make<XzDecoder>;
  if (isZstd(start) || isSkippable(start)) return make<ZstdDecoder>;
  return nullptr;
}

}  // namespace osi_cuda::readers
