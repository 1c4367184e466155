// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <optional>

#include "readers/decoders.hpp"
#include "readers/input.hpp"
#include "readers/workers.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t blockSize = std::size_t{1} << 18;
constexpr std::uint64_t freeAllowance = std::uint64_t{256} << 20;
constexpr std::uint64_t allowedRatio = 200;
constexpr std::size_t mostPacked = std::size_t{1} << 23;  // of a frame

/// What a whole frame expands to, if it is sound and not too large.
std::optional<std::string> expandedFrame(std::string_view frame) {
  std::unique_ptr<Decoder> const decoder = decoderFor(frame)();
  std::string text(std::min(mostExpanded, expandedSize(frame)), '\0');
  std::size_t taken = 0, made = 0;
  try {
    for (Step step; !step.ended;) {
      step = decoder->decode({frame.data() + taken, frame.size() - taken},
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
  text.resize(made);
  return taken == frame.size() ? std::optional(std::move(text)) : std::nullopt;
}

/// Gives bytes of `text` from `given` on, as many as there are and fit.
std::size_t give(std::string_view text, std::size_t& given, std::span<char> space) {
  std::size_t const count = text.substr(given).copy(space.data(), space.size());
  given += count;
  return count;
}

/// What the source is shows at the first read, so that a source that can't be read fails there and
/// not where it is made. A compressed file is a row of streams, which are expanded as they are
/// read. With several threads those that tell their length (frames) are expanded by them and put
/// together in order. A frame that is cut off or corrupt, or expands too far, is read as other
/// streams are: that says what is wrong.
class DecompressedInput final : public Input {
 public:
  DecompressedInput(std::unique_ptr<Input> source, std::uint64_t limit, int threads)
      : source_(std::move(source)), limit_(limit), threads_(threads) {}

  std::size_t read(std::span<char> space) override {
    if (!known_) detect();
    while (makeDecoder_) {
      if (std::size_t const count = give(text_, given_, space)) return count;
      if (betweenStreams_ && takeFrame()) continue;
      if (next_ == packed_.size() && !holdsOutput_ && !readMore(blockSize)) {
        if (betweenStreams_) return 0;
        throw InputFault(concat("more ", decoder_->name(), " data"),
                         "the end of the file (truncated)");
      }
      if (std::size_t const count = decode(space)) return count;
    }
    std::size_t const count = give(packed_, next_, space);
    return count > 0 ? count : source_->read(space);
  }
  /// Known of plain text once the first bytes were read.
  std::uint64_t bytesExpected() const override {
    return known_ && !makeDecoder_ ? source_->bytesExpected() : 0;
  }

 private:
  struct Frame {
    std::size_t size;
    std::future<std::optional<std::string>> text;
  };

  void detect() {
    constexpr std::size_t longestMark = 10;
    while (packed_.size() < longestMark && readMore(longestMark - packed_.size())) {
    }
    makeDecoder_ = decoderFor(packed_);
    known_ = true;
  }

  /// Adds up to `wanted` bytes of the source to those that are not taken yet; false at its end.
  bool readMore(std::size_t wanted) {
    if (sourceEnded_) return false;
    packed_.erase(0, next_);
    scanned_ -= std::min(scanned_, next_);
    next_ = 0;
    std::size_t const kept = packed_.size();
    packed_.resize(kept + wanted);
    std::size_t const count = source_->read({packed_.data() + kept, wanted});
    packed_.resize(kept + count);
    sourceEnded_ = count == 0;
    return count > 0;
  }

  std::size_t decode(std::span<char> space) {
    if (betweenStreams_) decoder_ = makeDecoder_();
    std::size_t const left = packed_.size() - next_;
    Step const step = decoder_->decode({packed_.data() + next_, left}, space);
    next_ += step.consumed;
    consumed_ += step.consumed;
    produced_ += step.produced;
    betweenStreams_ = step.ended;
    holdsOutput_ = step.produced == space.size() && !step.ended;
    std::uint64_t const allowed = expansionLimit(limit_, consumed_ + std::min(blockSize, left));
    if (produced_ > allowed)
      throw InputFault(concat("at most ", allowed, " decompressed bytes"),
                       "more (a decompression bomb? the limit can be raised)");
    bool const stuck = step.consumed + step.produced == 0 && !step.ended && left > 0;
    if (stuck) throw InputFault(concat("valid ", decoder_->name(), " data"), "corrupt data");
    return step.produced;
  }

  /// Makes the next frame's text the present one; false where there is none, or none that is sound.
  bool takeFrame() {
    startFrames();
    if (ahead_.empty()) return false;
    std::size_t const size = ahead_.front().size;
    std::optional<std::string> text = ahead_.front().text.get();
    ahead_.pop_front();
    if (!text || produced_ + text->size() > expansionLimit(limit_, consumed_ + size)) {
      ahead_.clear();
      return false;
    }
    text_ = std::move(*text);
    given_ = 0;
    next_ += size;
    consumed_ += size;
    produced_ += text_.size();
    return true;
  }

  void startFrames() {
    if (ahead_.empty()) scanned_ = next_;
    while (threads_ > 1 && ahead_.size() < 2 * at(threads_)) {
      std::size_t const size = nextFrame();
      if (size == 0) return;
      // One frame is no work for several.
      if (workers_.size() == 0 && (consumed_ > 0 || !ahead_.empty())) workers_.start(threads_);
      ahead_.push_back({size, workers_.submit([packed = packed_.substr(scanned_, size)] {
                          return expandedFrame(packed);
                        })});
      scanned_ += size;
    }
  }

  /// How long the frame is behind those that were begun; 0 at the end and where it can't be told.
  std::size_t nextFrame() {
    for (;;) {
      std::string_view const bytes = std::string_view(packed_).substr(scanned_);
      std::optional<std::size_t> const length = frameLength(bytes);
      if (length != moreNeeded) return length.value_or(0);
      // Twice as much each time: what was looked at is looked at again.
      if (bytes.size() >= mostPacked || !readMore(std::max(blockSize, bytes.size()))) return 0;
    }
  }

  std::unique_ptr<Input> source_;
  std::uint64_t limit_;
  int threads_;
  bool known_ = false;
  DecoderMaker makeDecoder_ = nullptr;  // null: plain text
  std::string packed_;                  // what was read of the source and not yet taken, from next_
  std::size_t next_ = 0;
  bool sourceEnded_ = false;
  std::uint64_t consumed_ = 0;  // bytes of all streams so far, and what they expanded to
  std::uint64_t produced_ = 0;
  // Of a stream that is expanded as it is read.
  std::unique_ptr<Decoder> decoder_;
  bool betweenStreams_ = true;
  bool holdsOutput_ = false;  // the decoder may have more output without further input
  // Of frames: the present one's text, given out up to given_, and those up to scanned_ that
  // follow.
  std::string text_;
  std::size_t given_ = 0;
  std::size_t scanned_ = 0;
  std::deque<Frame> ahead_;
  Workers workers_;
};

}  // namespace

std::uint64_t expansionLimit(std::uint64_t limit, std::uint64_t compressedBytes) {
  return limit > 0 ? limit : freeAllowance + allowedRatio * compressedBytes;
}

std::unique_ptr<Input> decompress(std::unique_ptr<Input> source, std::uint64_t limit, int threads) {
  return std::make_unique<DecompressedInput>(std::move(source), limit, threads);
}

}  // namespace osi_cuda::readers
