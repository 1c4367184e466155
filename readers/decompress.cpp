// SPDX-License-Identifier: EPL-2.0
//
// Every codec is a Decoder: a small owner of the library's stream object that turns compressed
// bytes into plain ones. DecodingInput feeds it; limits and truncation are handled there, once.
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "readers/input.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t blockSize = std::size_t{1} << 18;
constexpr std::uint64_t freeAllowance = std::uint64_t{256} << 20;
constexpr std::uint64_t allowedRatio = 200;
constexpr std::uint64_t xzMemory = std::uint64_t{256} << 20;

/// What one call of a decoder did.
struct Step {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool ended = false;  ///< the compressed stream is complete; another one may follow
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual char const* name() const = 0;
  /// Throws InputFault when the data is corrupt.
  virtual Step decode(std::span<char const> in, std::span<char> out) = 0;
  /// Makes ready for a further stream of the same kind.
  virtual void restart() = 0;

 protected:
  [[noreturn]] void corrupt() const {
    throw InputFault(std::string("valid ") + name() + " data", "corrupt data");
  }
};

class GzipDecoder final : public Decoder {
 public:
  GzipDecoder() { start(); }
  GzipDecoder(GzipDecoder const&) = delete;
  GzipDecoder& operator=(GzipDecoder const&) = delete;
  ~GzipDecoder() override { inflateEnd(&stream_); }
  char const* name() const override { return "gzip"; }
  void restart() override {
    inflateEnd(&stream_);
    start();
  }

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
  void start() {
    stream_ = z_stream{};
    constexpr int gzipOnly = 16;  // added to the window bits: expect a gzip header
    if (inflateInit2(&stream_, MAX_WBITS + gzipOnly) != Z_OK) throw std::bad_alloc();
  }
  z_stream stream_{};
};

class Bzip2Decoder final : public Decoder {
 public:
  Bzip2Decoder() { start(); }
  Bzip2Decoder(Bzip2Decoder const&) = delete;
  Bzip2Decoder& operator=(Bzip2Decoder const&) = delete;
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }
  char const* name() const override { return "bzip2"; }
  void restart() override {
    BZ2_bzDecompressEnd(&stream_);
    start();
  }

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
  void start() {
    stream_ = bz_stream{};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }
  bz_stream stream_{};
};

class XzDecoder final : public Decoder {
 public:
  XzDecoder() { start(); }
  XzDecoder(XzDecoder const&) = delete;
  XzDecoder& operator=(XzDecoder const&) = delete;
  ~XzDecoder() override { lzma_end(&stream_); }
  char const* name() const override { return "xz"; }
  void restart() override {
    lzma_end(&stream_);
    start();
  }

  Step decode(std::span<char const> in, std::span<char> out) override {
    stream_.next_in = reinterpret_cast<std::uint8_t const*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    lzma_ret const code = lzma_code(&stream_, LZMA_RUN);
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (code == LZMA_MEMLIMIT_ERROR) {
      throw InputFault("xz data that needs at most 256 MiB to decompress", "a larger dictionary");
    }
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR) corrupt();
    return {in.size() - stream_.avail_in, out.size() - stream_.avail_out, code == LZMA_STREAM_END};
  }

 private:
  void start() {
    stream_ = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream_, xzMemory, 0) != LZMA_OK) throw std::bad_alloc();
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDCtx()) {
    if (!stream_) throw std::bad_alloc();
  }
  ZstdDecoder(ZstdDecoder const&) = delete;
  ZstdDecoder& operator=(ZstdDecoder const&) = delete;
  ~ZstdDecoder() override { ZSTD_freeDCtx(stream_); }
  char const* name() const override { return "Zstandard"; }
  void restart() override { ZSTD_DCtx_reset(stream_, ZSTD_reset_session_only); }

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

std::unique_ptr<Decoder> decoderFor(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\x1f\x8b"sv)) return std::make_unique<GzipDecoder>();
  // BZh1 ... BZh9, then the mark of a block or of the end: a text may well begin with "BZh".
  if (start.size() >= 10 && start.starts_with("BZh"sv) && start[3] >= '1' && start[3] <= '9' &&
      (start.substr(4, 6) == "1AY&SY"sv || start.substr(4, 6) == "\x17rE8P\x90"sv)) {
    return std::make_unique<Bzip2Decoder>();
  }
  if (start.starts_with("\xfd"
                        "7zXZ\0"sv)) {
    return std::make_unique<XzDecoder>();
  }
  if (start.starts_with("\x28\xb5\x2f\xfd"sv)) return std::make_unique<ZstdDecoder>();
  return nullptr;
}

/// Reads from `source` until `size` bytes are there or the source ends.
std::size_t fill(Input& source, std::span<char> space) {
  std::size_t filled = 0;
  while (filled < space.size()) {
    std::size_t const count = source.read(space.subspan(filled));
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

/// The first bytes of a source, taken to look at them, and then the rest of it.
class ReplayedInput final : public Input {
 public:
  ReplayedInput(std::string start, std::unique_ptr<Input> source)
      : start_(std::move(start)), source_(std::move(source)) {}

  std::size_t read(std::span<char> space) override {
    if (used_ == start_.size()) return source_->read(space);
    std::size_t const count = std::min(space.size(), start_.size() - used_);
    std::copy_n(start_.data() + used_, count, space.data());
    used_ += count;
    return count;
  }
  std::uint64_t bytesExpected() const override { return source_->bytesExpected(); }

 private:
  std::string start_;
  std::size_t used_ = 0;
  std::unique_ptr<Input> source_;
};

class DecodingInput final : public Input {
 public:
  DecodingInput(std::unique_ptr<Input> source, std::unique_ptr<Decoder> decoder,
                std::uint64_t limit)
      : source_(std::move(source)),
        decoder_(std::move(decoder)),
        limit_(limit),
        block_(blockSize) {}

  std::size_t read(std::span<char> space) override {
    for (;;) {
      if (next_ == end_ && !holdsOutput_ && !refill()) {
        if (betweenStreams_) return 0;
        throw InputFault(std::string("more ") + decoder_->name() + " data",
                         "the end of the file (truncated)");
      }
      if (betweenStreams_) decoder_->restart();
      Step const step = decoder_->decode({block_.data() + next_, end_ - next_}, space);
      next_ += step.consumed;
      produced_ += step.produced;
      betweenStreams_ = step.ended;
      holdsOutput_ = step.produced == space.size() && !step.ended;
      checkLimit();
      if (step.produced > 0) return step.produced;
      bool const stuck = step.consumed == 0 && !step.ended && next_ < end_;
      if (stuck)
        throw InputFault(std::string("valid ") + decoder_->name() + " data", "corrupt data");
    }
  }

 private:
  bool refill() {
    next_ = 0;
    end_ = source_->read(block_);
    consumed_ += end_;
    return end_ > 0;
  }

  void checkLimit() const {
    std::uint64_t const allowed = expansionLimit(limit_, consumed_);
    if (produced_ <= allowed) return;
    throw InputFault("at most " + std::to_string(allowed) + " decompressed bytes",
                     "more (a decompression bomb? the limit can be raised)");
  }

  std::unique_ptr<Input> source_;
  std::unique_ptr<Decoder> decoder_;
  std::uint64_t limit_;
  std::vector<char> block_;
  std::size_t next_ = 0;  // unread bytes of the block: [next_, end_)
  std::size_t end_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t produced_ = 0;
  bool betweenStreams_ = false;  // a stream is complete, and a new one has not begun
  bool holdsOutput_ = false;     // the decoder may have more output without further input
};

/// What the source is shows at the first read, so that a source that can't be read fails there and
/// not where it is made.
class DetectingInput final : public Input {
 public:
  DetectingInput(std::unique_ptr<Input> source, std::uint64_t limit)
      : input_(std::move(source)), limit_(limit) {}

  std::size_t read(std::span<char> space) override {
    if (!known_) detect();
    return input_->read(space);
  }
  /// Known of plain text once the first bytes were read.
  std::uint64_t bytesExpected() const override { return known_ ? input_->bytesExpected() : 0; }

 private:
  void detect() {
    constexpr std::size_t longestMark = 10;
    std::string start(longestMark, '\0');
    start.resize(fill(*input_, start));
    std::unique_ptr<Decoder> decoder = decoderFor(start);
    input_ = std::make_unique<ReplayedInput>(std::move(start), std::move(input_));
    if (decoder) {
      input_ = std::make_unique<DecodingInput>(std::move(input_), std::move(decoder), limit_);
    }
    known_ = true;
  }

  std::unique_ptr<Input> input_;
  std::uint64_t limit_;
  bool known_ = false;
};

}  // namespace

std::uint64_t expansionLimit(std::uint64_t limit, std::uint64_t compressedBytes) {
  return limit > 0 ? limit : freeAllowance + allowedRatio * compressedBytes;
}

std::unique_ptr<Input> decompress(std::unique_ptr<Input> source, std::uint64_t limit) {
  return std::make_unique<DetectingInput>(std::move(source), limit);
}

}  // namespace osi_cuda::readers
