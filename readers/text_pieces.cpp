// SPDX-License-Identifier: EPL-2.0
#include "readers/text_pieces.hpp"

#include <algorithm>
#include <cstring>

#include "osi_cuda/base/memory.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t firstBlock = std::size_t{1} << 14;  // small files cost little
// Large enough that handing a piece to another thread costs nothing beside reading it, small
// enough that a core's second cache holds it and what comes of it.
constexpr std::size_t largestBlock = std::size_t{1} << 19;

}  // namespace

/// Reads a block; what was not given out stands at its beginning. A line that fills a block doubles
/// the next one, so that a long line costs time in proportion to its length.
void TextPieces::load() {
  blockSize_ = blockSize_ == 0 ? firstBlock : std::min(2 * blockSize_, largestBlock);
  std::size_t const kept = end_ - next_;
  std::size_t const size = std::max(blockSize_, 2 * kept);
  auto block = std::make_shared_for_overwrite<char[]>(size + blockPadding);
  if (kept > 0) std::memcpy(block.get(), block_.get() + next_, kept);
  whole_ -= std::min(whole_, next_);
  next_ = 0;
  end_ = kept;
  block_ = std::move(block);
  try {
    while (end_ < size && !atEnd_) {
      std::size_t const count = input_->read({block_.get() + end_, size - end_});
      end_ += count;
      atEnd_ = count == 0;
    }
  } catch (...) {
    fault_ = std::current_exception();
  }
  bytesRead_ += end_ - kept;
  std::memset(block_.get() + end_, '\n', blockPadding);
  if (atEnd_) {
    whole_ = end_;
  } else if (void const* last = ::memrchr(block_.get() + kept, '\n', end_ - kept)) {
    whole_ = at(static_cast<char const*>(last) - block_.get()) + 1;
  }
}

std::optional<TextPiece> TextPieces::next() {
  while (next_ >= whole_) {
    if (fault_) std::rethrow_exception(fault_);
    if (atEnd_) return std::nullopt;
    if (end_ - next_ >= longestLine)
      throw InputFault(concat("lines of at most ", longestLine, " bytes"), "a longer one");
    load();
  }
  char const* const start = block_.get() + next_;
  std::size_t size = whole_ - next_;
  if (pieceBytes_ > 0 && pieceBytes_ < size) {
    void const* found = std::memchr(start + pieceBytes_ - 1, '\n', size - pieceBytes_ + 1);
    if (found) size = at(static_cast<char const*>(found) - start) + 1;
  }
  next_ += size;
  return TextPiece{block_, {start, size}};
}

std::string TextPieces::takeAll(std::function<void()> const& ask) {
  constexpr std::size_t block = std::size_t{1} << 20;
  constexpr std::size_t worthAsking = std::size_t{1} << 28;
  std::string bytes(block_.get() + next_, end_ - next_);
  next_ = whole_ = end_;
  if (fault_) std::rethrow_exception(fault_);
  bytes.reserve(input_->bytesExpected() + block);  // the read that finds the end needs one
  while (!atEnd_) {
    ask();
    std::size_t const kept = bytes.size();
    // What grows takes twice its size for a moment.
    if (kept + block > bytes.capacity() && kept >= worthAsking) {
      std::optional<std::uint64_t> const available = availableMemory();
      if (available && 2 * kept > *available)
        throw InputFault("an input that fits in memory, " + memoryLeft(),
                         "more than " + byteCount(kept));
    }
    bytes.resize(kept + block);
    std::size_t const count = input_->read({bytes.data() + kept, block});
    bytes.resize(kept + count);
    bytesRead_ += count;
    atEnd_ = count == 0;
  }
  return bytes;
}

std::string_view TextPieces::peek(std::size_t count) {
  while (end_ - next_ < count && !atEnd_) {
    if (fault_) std::rethrow_exception(fault_);
    load();
  }
  return {block_.get() + next_, std::min(count, end_ - next_)};
}

}  // namespace osi_cuda::readers
