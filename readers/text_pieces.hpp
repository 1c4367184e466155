// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "readers/input.hpp"

namespace osi_cuda::readers {

/// Bytes behind the end of every block that may be read, so that scanners can load eight bytes at a
/// time wherever a line begins. The first of them is a line end.
inline constexpr std::size_t blockPadding = 64;

/// Longer lines are refused: an input without line ends would take all memory.
inline constexpr std::size_t longestLine = std::size_t{1} << 27;

/// Whole lines of an input. They stay where they are as long as the piece, or a copy of it, lives.
struct TextPiece {
  std::shared_ptr<char const[]> block;  ///< owns what `text` views
  /// Ends with a line end; where the input ends without one, the byte behind `text` is one.
  std::string_view text;
};

/// Reads an input and cuts it into pieces at line ends. A piece is some 512 KiB (small files are
/// read in small steps) or one longer line, so that a file may be far larger than memory.
class TextPieces {
 public:
  /// `pieceBytes`: a piece ends with the first line that brings it to so many bytes; 0: by itself.
  TextPieces(std::unique_ptr<Input> input, std::size_t pieceBytes)
      : input_(std::move(input)), pieceBytes_(pieceBytes) {}

  /// The next piece; nothing at the end of the input. What the input throws (InputFault,
  /// ReadInterrupted) comes behind the last whole line before it, as an InputFault does for a line
  /// of more than longestLine bytes.
  std::optional<TextPiece> next();

  /// All bytes that were not given out yet, of an input that has no lines. `ask` is called between
  /// reads and may throw. Throws as next() does, and InputFault for more bytes than fit in memory.
  std::string takeAll(std::function<void()> const& ask);

  /// The next up to `count` bytes, which stay to be read. Throws as next() does.
  std::string_view peek(std::size_t count);
  /// Leaves out bytes that peek has shown.
  void skip(std::size_t count) { next_ += count; }

  std::uint64_t bytesRead() const { return bytesRead_; }
  /// Bytes of the whole input as far as that is known, else 0.
  std::uint64_t bytesExpected() const { return input_->bytesExpected(); }

 private:
  void load();

  std::unique_ptr<Input> input_;
  std::size_t pieceBytes_;
  std::size_t blockSize_ = 0;
  std::shared_ptr<char[]> block_;
  std::size_t next_ = 0;   // what is not yet given out: [next_, end_) of the block,
  std::size_t whole_ = 0;  // of which [next_, whole_) are whole lines
  std::size_t end_ = 0;
  bool atEnd_ = false;
  std::exception_ptr fault_;
  std::uint64_t bytesRead_ = 0;
};

}  // namespace osi_cuda::readers
