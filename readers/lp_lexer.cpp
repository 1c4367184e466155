// SPDX-License-Identifier: EPL-2.0
#include "readers/lp_lexer.hpp"

#include "readers/lp_scanner.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

/// Token by token from the lines of the source, as pieces are tested against.
class LpLexer::ByLine {
 public:
  ByLine(LineSource& source, LpDialect dialect) : source_(source), scanner_(*this, dialect) {}
  LpToken scan() { return scanner_.scan(); }

  bool next() { return source_.next(); }
  std::string_view line() const { return source_.line(); }
  std::int64_t lineNumber() const { return source_.lineNumber(); }
  [[noreturn]] void failAt(std::int64_t line, std::int64_t column, std::string expected,
                           std::string const& word) const {
    source_.failAt(line, column, std::move(expected), quoted(word));
  }
  [[noreturn]] void failInComment(std::int64_t line, std::int64_t column) const {
    source_.failAt(line, column, "a comment that ends", "the end of the file");
  }

 private:
  LineSource& source_;
  LpScanner<ByLine> scanner_;
};

LpLexer::LpLexer(LineSource& source, LpDialect dialect) : source_(source) {
  if (source.readAhead().threads > 0)
    byPieces_ = std::make_unique<LpPieces>(source, dialect);
  else
    byLine_ = std::make_unique<ByLine>(source, dialect);
}

LpLexer::~LpLexer() = default;

// Tokens of a piece are looked at where they lie. Only those at its end, which are looked at
// together with some of the next piece, go into the queue.
LpToken const& LpLexer::peek(std::size_t ahead) {
  if (byPieces_ && ahead_.empty())
    if (LpToken const* const token = byPieces_->present(ahead)) return *token;
  while (ahead_.size() <= ahead)
    ahead_.push_back(byPieces_ ? byPieces_->copyNext() : byLine_->scan());
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
    byPieces_->step();
  else
    ahead_.pop_front();
  if (byPieces_) byPieces_->forget();
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
