// SPDX-License-Identifier: EPL-2.0
#include "readers/line_source.hpp"

#include <algorithm>
#include <cstring>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {
constexpr std::size_t firstBlock = std::size_t{1} << 14;  // small files cost little
constexpr std::size_t blockSize = std::size_t{1} << 20;
}  // namespace

LineSource::LineSource(std::unique_ptr<Input> input, std::string name,
                       std::function<bool()> interrupted)
    : input_(std::move(input)), name_(std::move(name)), interrupted_(std::move(interrupted)) {
  if (peek(3) == "\xef\xbb\xbf") next_ += 3;  // the byte order mark of UTF-8
}

/// Reads more bytes behind the unread ones; false when there are none.
bool LineSource::refill() {
  if (atEnd_) return false;
  if (interrupted_ && interrupted_()) throw ReadInterrupted();
  if (next_ > 0) {
    std::memmove(block_.data(), block_.data() + next_, end_ - next_);
    end_ -= next_;
    next_ = 0;
  }
  // Doubled when a line fills it, so that a long line costs time in proportion to its length.
  if (block_.empty()) {
    block_.resize(firstBlock);
  } else if (end_ == block_.size() || block_.size() < blockSize) {
    block_.resize(2 * block_.size());
  }
  std::size_t count = 0;
  try {
    count = input_->read({block_.data() + end_, block_.size() - end_});
  } catch (InputFault const& fault) {
    throw ReadError(name_, lineNumber_ + 1, 1, fault.expected, fault.found);
  }
  end_ += count;
  atEnd_ = count == 0;
  return !atEnd_;
}

bool LineSource::next() {
  std::size_t searched = 0;  // bytes behind next_ that hold no line end
  for (;;) {
    char const* start = block_.data() + next_;
    std::size_t const unread = end_ - next_;
    if (unread > searched) {
      void const* found = std::memchr(start + searched, '\n', unread - searched);
      if (found) {
        line_ = {start, static_cast<std::size_t>(static_cast<char const*>(found) - start)};
        next_ += line_.size() + 1;
        break;
      }
    }
    searched = unread;
    if (refill()) continue;
    if (unread == 0) return false;
    line_ = {block_.data() + next_, unread};  // the last line has no line end
    next_ = end_;
    break;
  }
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  ++lineNumber_;
  return true;
}

std::string_view LineSource::peek(std::size_t count) {
  while (end_ - next_ < count && refill()) {
  }
  return {block_.data() + next_, std::min(count, end_ - next_)};
}

void LineSource::fail(char const* place, std::string expected, std::string found) const {
  throw ReadError(name_, std::max<std::int64_t>(lineNumber_, 1), place - line_.data() + 1,
                  std::move(expected), std::move(found));
}

void LineSource::fail(std::string_view word, std::string expected) const {
  fail(word.data(), std::move(expected), word.empty() ? "the end of the line" : quoted(word));
}

void LineSource::failAt(std::int64_t line, std::int64_t column, std::string expected,
                        std::string found) const {
  throw ReadError(name_, std::max<std::int64_t>(line, 1), column, std::move(expected),
                  std::move(found));
}

void LineSource::failAtEnd(std::string expected) const {
  throw ReadError(name_, std::max<std::int64_t>(lineNumber_, 1),
                  static_cast<std::int64_t>(line_.size()) + 1, std::move(expected),
                  "the end of the file");
}

}  // namespace osi_cuda::readers
