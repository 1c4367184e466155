// SPDX-License-Identifier: EPL-2.0
//
// DecodingInput feeds a Decoder (decoders.hpp); limits and truncation are handled there, once.
#include <zstd.h>

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "readers/decoders.hpp"
#include "readers/input.hpp"
#include "readers/workers.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t blockSize = std::size_t{1} << 18;
constexpr std::uint64_t freeAllowance = std::uint64_t{256} << 20;
constexpr std::uint64_t allowedRatio = 200;

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

/// What came before in a file: bytes of it, and what they expanded to.
struct ExpandedBefore {
  std::uint64_t consumed = 0;
  std::uint64_t produced = 0;
};

class DecodingInput final : public Input {
 public:
  DecodingInput(std::unique_ptr<Input> source, DecoderMaker makeDecoder, std::uint64_t limit,
                ExpandedBefore before = {})
      : source_(std::move(source)),
        makeDecoder_(makeDecoder),
        decoder_(makeDecoder()),
        limit_(limit),
        block_(blockSize),
        consumed_(before.consumed),
        produced_(before.produced),
        betweenStreams_(before.consumed > 0) {}

  std::size_t read(std::span<char> space) override {
    for (;;) {
      if (next_ == end_ && !holdsOutput_ && !refill()) {
        if (betweenStreams_) return 0;
        throw InputFault(std::string("more ") + decoder_->name() + " data",
                         "the end of the file (truncated)");
      }
      if (betweenStreams_) decoder_ = makeDecoder_();
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
  DecoderMaker makeDecoder_;
  std::unique_ptr<Decoder> decoder_;
  std::uint64_t limit_;
  std::vector<char> block_;
  std::size_t next_ = 0;  // unread bytes of the block: [next_, end_)
  std::size_t end_ = 0;
  std::uint64_t consumed_;
  std::uint64_t produced_;
  bool betweenStreams_;       // a stream is complete, and a new one has not begun
  bool holdsOutput_ = false;  // the decoder may have more output without further input
};

/// A compressed file may be a row of frames, each of which can be decompressed by itself: Zstandard
/// as pzstd and the seekable format write it, gzip as bgzip does. A frame says how long it is;
/// members of a gzip file mostly do not, and then only reading them shows where they end.
/// Larger frames are left to who decompresses piece by piece.
constexpr std::size_t mostPacked = std::size_t{1} << 23;
constexpr std::uint64_t mostExpanded = std::uint64_t{1} << 25;
/// A length that more bytes are needed to know, or a frame that is not there to its end.
constexpr std::size_t moreNeeded = 0;

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

/// How long the frame is that `bytes` begin with; nothing where it can't be told or is too large.
std::optional<std::size_t> frameLength(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.size() < 4) return moreNeeded;
  if (isZstd(bytes) || isSkippable(bytes)) return zstdLength(bytes);
  if (bytes.starts_with("\x1f\x8b"sv)) return gzipLength(bytes);
  return {};
}

/// What a whole frame expands to, if it is sound and not too large.
std::optional<std::string> expandedFrame(std::string_view frame) {
  std::unique_ptr<Decoder> const decoder = decoderFor(frame)();
  std::uint64_t expected = std::uint64_t{1} << 16;  // what bgzip puts into a member at most
  if (isZstd(frame)) {
    expected = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (expected == ZSTD_CONTENTSIZE_UNKNOWN) expected = 8 * frame.size() + 64;
  }
  std::string text(std::min(mostExpanded, expected), '\0');
  std::size_t taken = 0, made = 0;
  try {
    for (;;) {
      Step const step = decoder->decode({frame.data() + taken, frame.size() - taken},
                                        {text.data() + made, text.size() - made});
      taken += step.consumed;
      made += step.produced;
      if (step.ended) break;
      bool const isFull = made == text.size(), isCutOff = !isFull && taken == frame.size();
      if (isCutOff || made >= mostExpanded || step.consumed + step.produced == 0) return {};
      if (isFull) text.resize(std::min<std::uint64_t>(mostExpanded, 2 * made));
    }
  } catch (InputFault const&) {
    return {};
  }
  if (taken != frame.size()) return {};
  text.resize(made);
  return text;
}

/// Frames that tell their length, expanded by several threads and put together in order. What is no
/// such frame, is cut off or corrupt, and what expands too far, is left to a DecodingInput from
/// there on: it says what is wrong, as it would have from the beginning.
class FramedInput final : public Input {
 public:
  FramedInput(std::unique_ptr<Input> source, DecoderMaker makeDecoder, std::uint64_t limit,
              int threads)
      : source_(std::move(source)), makeDecoder_(makeDecoder), limit_(limit), threads_(threads) {}

  std::size_t read(std::span<char> space) override {
    while (!rest_ && given_ == text_.size())
      if (!takeFrame()) break;
    if (rest_) return rest_->read(space);
    std::size_t const count = std::min(space.size(), text_.size() - given_);
    std::copy_n(text_.data() + given_, count, space.data());
    given_ += count;
    return count;
  }

 private:
  struct Frame {
    std::shared_ptr<std::string const> packed;
    std::future<std::optional<std::string>> text;
  };

  /// Makes the next frame's text the present one; false at the end, or when the rest is left over.
  bool takeFrame() {
    startFrames();
    if (ahead_.empty()) {
      bool const atEnd = packed_.empty() && consumed_ > 0;
      if (!atEnd) leaveRest();
      return false;
    }
    std::optional<std::string> text = ahead_.front().text.get();
    std::uint64_t const size = ahead_.front().packed->size();
    bool const fits = text && produced_ + text->size() <= expansionLimit(limit_, consumed_ + size);
    if (!fits) {
      leaveRest();
      return false;
    }
    ahead_.pop_front();
    text_ = std::move(*text);
    given_ = 0;
    consumed_ += size;
    produced_ += text_.size();
    return true;
  }

  void startFrames() {
    while (!left_ && ahead_.size() < 2 * static_cast<std::size_t>(threads_)) {
      std::optional<std::size_t> const size = nextFrame();
      if (!size) {
        left_ = true;
        return;
      }
      // One frame is no work for several.
      if (workers_.size() == 0 && (consumed_ > 0 || !ahead_.empty())) workers_.start(threads_);
      auto packed = std::make_shared<std::string const>(packed_, next_, *size);
      next_ += *size;
      ahead_.push_back({packed, workers_.submit([packed] { return expandedFrame(*packed); })});
    }
  }

  /// How long the frame is that is next; nothing at the end and where no frame is to be told.
  std::optional<std::size_t> nextFrame() {
    constexpr std::size_t block = std::size_t{1} << 18;
    for (;;) {
      std::string_view const bytes = std::string_view(packed_).substr(next_);
      if (bytes.empty() && sourceEnded_) {
        packed_.clear();
        next_ = 0;
        return {};
      }
      std::optional<std::size_t> const length = frameLength(bytes);
      if (length != moreNeeded) return length;
      if (sourceEnded_ || bytes.size() >= mostPacked) return {};
      // Twice as much each time: what was looked at is looked at again.
      std::size_t const wanted = std::max(block, bytes.size());
      packed_.erase(0, next_);
      next_ = 0;
      std::size_t const kept = packed_.size();
      packed_.resize(kept + wanted);
      std::size_t const count = fill(*source_, {packed_.data() + kept, wanted});
      packed_.resize(kept + count);
      sourceEnded_ = count < wanted;
    }
  }

  void leaveRest() {
    std::string packed;
    for (Frame const& frame : ahead_) packed += *frame.packed;
    packed += std::string_view(packed_).substr(next_);
    ahead_.clear();
    rest_ = std::make_unique<DecodingInput>(
        std::make_unique<ReplayedInput>(std::move(packed), std::move(source_)), makeDecoder_,
        limit_, ExpandedBefore{consumed_, produced_});
  }

  std::unique_ptr<Input> source_;
  DecoderMaker makeDecoder_;
  std::uint64_t limit_;
  int threads_;
  std::unique_ptr<Input> rest_;  // reads on where there are no frames to be told
  std::string packed_;           // what was read of the source; frames were taken up to next_
  std::size_t next_ = 0;
  bool sourceEnded_ = false;
  bool left_ = false;  // no more frames are taken
  std::string text_;   // of the present frame, given out up to given_
  std::size_t given_ = 0;
  std::uint64_t consumed_ = 0;
  std::uint64_t produced_ = 0;
  std::deque<Frame> ahead_;
  Workers workers_;
};

/// What the source is shows at the first read, so that a source that can't be read fails there and
/// not where it is made.
class DetectingInput final : public Input {
 public:
  DetectingInput(std::unique_ptr<Input> source, std::uint64_t limit, int threads)
      : input_(std::move(source)), limit_(limit), threads_(threads) {}

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
    DecoderMaker const makeDecoder = decoderFor(start);
    input_ = std::make_unique<ReplayedInput>(std::move(start), std::move(input_));
    if (makeDecoder && threads_ > 1)
      input_ = std::make_unique<FramedInput>(std::move(input_), makeDecoder, limit_, threads_);
    else if (makeDecoder)
      input_ = std::make_unique<DecodingInput>(std::move(input_), makeDecoder, limit_);
    known_ = true;
  }

  std::unique_ptr<Input> input_;
  std::uint64_t limit_;
  int threads_;
  bool known_ = false;
};

}  // namespace

std::uint64_t expansionLimit(std::uint64_t limit, std::uint64_t compressedBytes) {
  return limit > 0 ? limit : freeAllowance + allowedRatio * compressedBytes;
}

std::unique_ptr<Input> decompress(std::unique_ptr<Input> source, std::uint64_t limit, int threads) {
  return std::make_unique<DetectingInput>(std::move(source), limit, threads);
}

}  // namespace osi_cuda::readers
