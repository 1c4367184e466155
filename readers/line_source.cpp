// SPDX-License-Identifier: EPL-2.0
#include "readers/line_source.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {
namespace {

// Files below take some milliseconds, of which threads could save little.
constexpr std::uint64_t largeFile = std::uint64_t{1} << 20;
constexpr std::size_t mostWaiting = 8;  // pieces read ahead: some megabytes

std::string_view withoutEnd(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

LineSource::LineSource(std::unique_ptr<Input> input, std::string name,
                       std::function<bool()> interrupted, ReadAhead ahead)
    : name_(std::move(name)),
      interrupted_(std::move(interrupted)),
      ahead_(std::move(ahead)),
      reader_(std::move(input), ahead_.pieceBytes) {
  if (peek(3) == "\xef\xbb\xbf") reader_.skip(3);  // the byte order mark of UTF-8
  bytesExpected_ = reader_.bytesExpected();
}

LineSource::~LineSource() {
  if (readsAhead_.size() > 0 && ahead_.stop) ahead_.stop();
}

LineSource LineSource::ofFile(std::string const& path) {
  return {decompress(openFile(path), 0), path == "-" ? "standard input" : path, nullptr};
}

LineSource LineSource::ofText(std::string_view text, std::string const& name) {
  return {decompress(openText(text), 0), name, nullptr};
}

void LineSource::askInterrupted() const {
  if (interrupted_ && interrupted_()) throw ReadInterrupted();
}

/// Of a large file a thread of its own reads and decompresses the pieces that follow.
std::optional<TextPiece> LineSource::nextPiece() {
  constexpr std::chrono::milliseconds patience{10};
  if (readsAhead_.size() == 0) return reader_.next();
  while (coming_.size() < mostWaiting)
    coming_.push_back(readsAhead_.submit([this] { return reader_.next(); }));
  while (coming_.front().wait_for(patience) != std::future_status::ready) askInterrupted();
  std::future<std::optional<TextPiece>> first = std::move(coming_.front());
  coming_.pop_front();
  return first.get();
}

/// Takes one more piece behind the others; false when there is none, or a fault in its place.
bool LineSource::fetch() {
  if (atEnd_ || fault_) return false;
  askInterrupted();
  isLarge_ = isLarge_ || ahead_.pieceBytes > 0 || reader_.bytesRead() > largeFile;
  if (isLarge_ && ahead_.threads > 1) readsAhead_.start(1);
  try {
    std::optional<TextPiece> piece = nextPiece();
    atEnd_ = !piece;
    if (piece) pieces_.push_back(std::move(*piece));
  } catch (InputFault const&) {
    fault_ = std::current_exception();
  }
  return !atEnd_ && !fault_;
}

bool LineSource::step() {
  if (!pieces_.empty()) {
    last_ = std::move(pieces_.front());
    pieces_.pop_front();
  }
  if (pieces_.empty() && !fetch()) {
    rest_ = {};
    if (!fault_) return false;
    try {
      std::rethrow_exception(fault_);
    } catch (InputFault const& fault) {
      throw ReadError(name_, lineNumber_ + 1, 1, fault.expected, fault.found);
    }
  }
  rest_ = pieces_.front().text;
  return true;
}

bool LineSource::next() {
  if (rest_.empty() && !step()) return false;
  void const* const end = std::memchr(rest_.data(), '\n', rest_.size());
  std::size_t const size = end ? at(static_cast<char const*>(end) - rest_.data()) + 1
                               : rest_.size();  // the last line has no line end
  line_ = withoutEnd(rest_.substr(0, size));
  rest_.remove_prefix(size);
  ++lineNumber_;
  return true;
}

std::string_view LineSource::peek(std::size_t count) {
  try {
    return reader_.peek(count);
  } catch (InputFault const& fault) {
    throw ReadError(name_, lineNumber_ + 1, 1, fault.expected, fault.found);
  }
}

TextPiece LineSource::piece(std::size_t ahead) {
  while (pieces_.size() <= ahead)
    if (!fetch()) return {};
  return ahead > 0 ? pieces_[ahead] : TextPiece{pieces_.front().block, rest_};
}

void LineSource::skip(std::size_t bytes, std::int64_t lines) {
  if (bytes == 0) return;
  std::string_view const skipped = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  lineNumber_ += lines;
  std::size_t const before =
      skipped.size() > 1 ? skipped.rfind('\n', skipped.size() - 2) : std::string_view::npos;
  line_ = withoutEnd(before == skipped.npos ? skipped : skipped.substr(before + 1));
}

std::string LineSource::takeBytes() {
  try {
    return reader_.takeAll([this] { askInterrupted(); });
  } catch (InputFault const& fault) {
    throw ReadError(name_, "contents", fault.expected, fault.found);
  }
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
