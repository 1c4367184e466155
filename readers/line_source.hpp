// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "readers/input.hpp"

namespace osi_cuda::readers {

/// The lines of an input, one after the other, with their numbers. It holds one block of the
/// input (1 MiB, or the longest line), so that files may be far larger than memory.
class LineSource {
 public:
  /// `name`: what messages call the file. `interrupted`, if not null, is asked at every block.
  LineSource(std::unique_ptr<Input> input, std::string name, std::function<bool()> interrupted);

  /// Steps to the next line; false at the end of the file. Throws ReadError, ReadInterrupted.
  bool next();
  /// The current line without its end (LF or CRLF). Valid until the following call of next().
  std::string_view line() const { return line_; }
  std::int64_t lineNumber() const { return lineNumber_; }
  std::string const& name() const { return name_; }

  /// The next up to `count` bytes, without stepping on: to find out what the file is.
  std::string_view peek(std::size_t count);

  /// Throws the ReadError for a place in the current line.
  [[noreturn]] void fail(char const* place, std::string expected, std::string found) const;
  /// The same with the word found there, in quotes. An empty word is shown as the end of the line.
  [[noreturn]] void fail(std::string_view word, std::string expected) const;
  /// Throws the ReadError for a place in a line that may be behind already.
  [[noreturn]] void failAt(std::int64_t line, std::int64_t column, std::string expected,
                           std::string found) const;
  /// Throws the ReadError for a file that ends too early; to be called when next() was false.
  [[noreturn]] void failAtEnd(std::string expected) const;

 private:
  bool refill();

  std::unique_ptr<Input> input_;
  std::string name_;
  std::function<bool()> interrupted_;
  std::vector<char> block_;
  std::size_t next_ = 0;  // unread bytes of the block: [next_, end_)
  std::size_t end_ = 0;
  bool atEnd_ = false;
  std::string_view line_;
  std::int64_t lineNumber_ = 0;
};

}  // namespace osi_cuda::readers
