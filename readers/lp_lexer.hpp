// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <deque>
#include <string>

#include "readers/line_source.hpp"
#include "readers/lp_pieces.hpp"
#include "readers/lp_token.hpp"

namespace osi_cuda::readers {

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
