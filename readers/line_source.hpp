// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "readers/input.hpp"
#include "readers/text_pieces.hpp"
#include "readers/workers.hpp"

namespace osi_cuda::readers {

/// How an input is read by several threads.
struct ReadAhead {
  /// With more than one, a thread of its own reads ahead in large files; 0: even those that could
  /// take whole pieces take line by line.
  int threads = 1;
  std::size_t pieceBytes = 0;  ///< as in TextPieces
  /// Makes a read of the input that waits end with ReadInterrupted, from another thread.
  std::function<void()> stop = nullptr;
};

/// The lines of an input, one after the other, with their numbers. It holds the piece of the input
/// that the line belongs to and those that somebody looked at, so that files may be far larger than
/// memory.
class LineSource {
 public:
  /// `name`: what messages call the file. `interrupted`, if not null, is asked at every piece and
  /// while none comes, by the thread that calls members.
  LineSource(std::unique_ptr<Input> input, std::string name, std::function<bool()> interrupted,
             ReadAhead ahead = {});
  ~LineSource();
  /// A file that is read as a whole, plain or compressed, and the bytes of a text; `-` is standard
  /// input. Throws OpenError, ReadError.
  static LineSource ofFile(std::string const& path);
  static LineSource ofText(std::string_view text, std::string const& name);

  /// Steps to the next line; false at the end of the file. Throws ReadError, ReadInterrupted.
  bool next();
  /// The current line without its end (LF or CRLF). Valid until the following call of next() or
  /// skip().
  std::string_view line() const { return line_; }
  std::int64_t lineNumber() const { return lineNumber_; }
  std::string const& name() const { return name_; }

  /// The next up to `count` bytes, without stepping on: to find out what the file is. Only before
  /// the first line was taken.
  std::string_view peek(std::size_t count);

  /// What is left of the present piece behind the current line: whole lines, or nothing.
  std::string_view rest() const { return rest_; }
  /// Makes the following piece the present one, of which all lines were taken; false at the end of
  /// the file. Throws as next() does.
  bool step();
  /// The present piece without what was taken (`ahead` is 0), and those that follow it; the text is
  /// empty behind the end of the file, and where it can't be read on: step() will say why.
  TextPiece piece(std::size_t ahead);
  /// Steps over `bytes` of rest(), which are `lines` whole lines, to the last of them.
  void skip(std::size_t bytes, std::int64_t lines);

  ReadAhead const& readAhead() const { return ahead_; }
  /// Has so much been read that threads are worth their start?
  bool isLarge() const { return isLarge_; }
  /// Bytes of the whole input where that is known, else 0.
  std::uint64_t bytesExpected() const { return bytesExpected_; }

  /// All bytes of a file that is no text; only before the first line was taken. Throws ReadError,
  /// ReadInterrupted.
  std::string takeBytes();

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
  bool fetch();
  std::optional<TextPiece> nextPiece();
  void askInterrupted() const;

  std::string name_;
  std::function<bool()> interrupted_;
  ReadAhead ahead_;
  std::uint64_t bytesExpected_ = 0;
  bool isLarge_ = false;
  TextPieces reader_;
  std::deque<TextPiece> pieces_;  // the present one, and those that follow
  TextPiece last_;                // the one before, which line_ may still belong to
  std::string_view rest_;         // of the present piece
  std::exception_ptr fault_;      // behind all pieces
  bool atEnd_ = false;
  std::string_view line_;
  std::int64_t lineNumber_ = 0;
  std::deque<std::future<std::optional<TextPiece>>> coming_;
  Workers readsAhead_;  // of large files, a single one; ends before what it reads from
};

}  // namespace osi_cuda::readers
