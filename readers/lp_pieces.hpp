// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "readers/line_source.hpp"
#include "readers/lp_scanner.hpp"
#include "readers/workers.hpp"

namespace osi_cuda::readers {

/// The tokens of a source by pieces, each cut into tokens by whichever thread is free, and given
/// out in order: the same tokens and the same errors wherever the source is cut.
class LpPieces {
 public:
  LpPieces(LineSource& source, LpDialect dialect) : source_(source), dialect_(dialect) {}

  /// The next token, to be kept by the caller; `present` may still be pointed to.
  LpToken copyNext();
  /// The token `ahead` places further on if the present piece holds it, else null. Valid until
  /// forget is called.
  LpToken const* present(std::size_t ahead) const {
    return used_ + ahead < present_.tokens.size() ? &present_.tokens[used_ + ahead] : nullptr;
  }
  /// Steps over present(0).
  void step() { ++used_; }
  /// Nobody points to tokens of pieces before the present one.
  void forget() {
    if (!before_.empty()) before_.clear();
  }

 private:
  /// What a text is cut into; lines are counted from 1 within it.
  struct Tokens {
    TextPiece owner;
    std::vector<LpToken> tokens;
    std::int64_t lines = 0;
    std::optional<LpScanner::Place> openComment;  ///< a comment that begins there and does not end
    std::optional<LpScanner::Fault> fault;        ///< behind the tokens something that is none
  };

  static Tokens cut(TextPiece piece, LpDialect dialect, std::size_t start, std::int64_t line);
  bool takePiece();
  void skipComment(Tokens& tokens);

  LineSource& source_;
  LpDialect dialect_;
  Tokens present_;
  std::vector<Tokens> before_;               // pieces with tokens that somebody may point to
  std::size_t used_ = 0;                     // tokens of the present piece
  std::int64_t firstLine_ = 0;               // lines of the file before the present piece
  std::int64_t linesBefore_ = 0;             // before the next piece
  std::optional<LpScanner::Place> comment_;  // begun in a piece before, lines counted in the file
  std::deque<std::future<Tokens>> ahead_;    // the first: of source.piece(0)
  Workers workers_;
};

/// The tokens of a source (lp_scanner.hpp), with a look at those ahead.
class LpLexer {
 public:
  LpLexer(LineSource& source, LpDialect dialect) : source_(source), pieces_(source, dialect) {}

  /// The token `ahead` places further on; 0 is the next one.
  LpToken const& peek(std::size_t ahead = 0);
  LpToken next();
  /// Steps over the next token if it is the symbol `c`.
  bool skip(char c);

  /// Throws the ReadError for a token.
  [[noreturn]] void fail(LpToken const& token, std::string expected) const;
  [[noreturn]] void fail(LpToken const& token, std::string expected, std::string found) const;

 private:
  void drop();

  LineSource& source_;
  std::deque<LpToken> ahead_;
  LpPieces pieces_;
};

}  // namespace osi_cuda::readers
