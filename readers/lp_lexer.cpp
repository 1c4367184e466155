// SPDX-License-Identifier: EPL-2.0
#include "readers/lp_lexer.hpp"

#include "readers/read_error.hpp"

namespace osi_cuda::readers {

// Tokens of a piece are looked at where they lie. Only those at its end, which are looked at
// together with some of the next piece, go into the queue.
LpToken const& LpLexer::peek(std::size_t ahead) {
  if (ahead_.empty())
    if (LpToken const* const token = pieces_.present(ahead)) return *token;
  while (ahead_.size() <= ahead) ahead_.push_back(pieces_.copyNext());
  return ahead_[ahead];
}

LpToken LpLexer::next() {
  LpToken token = peek();
  drop();
  return token;
}

/// Steps over the next token, which was looked at.
void LpLexer::drop() {
  if (ahead_.empty())
    pieces_.step();
  else
    ahead_.pop_front();
  pieces_.forget();
}

bool LpLexer::skip(char c) {
  if (!peek().is(c)) return false;
  drop();
  return true;
}

void LpLexer::fail(LpToken const& token, std::string expected, std::string found) const {
  source_.failAt(token.line, token.column, std::move(expected), std::move(found));
}

void LpLexer::fail(LpToken const& token, std::string expected) const {
  bool const atEnd = token.kind == LpToken::Kind::end;
  fail(token, std::move(expected), atEnd ? "the end of the file" : quoted(token.text));
}

}  // namespace osi_cuda::readers
