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

LpToken LpLexer::scan() {
  return byPieces_ ? byPieces_->next() : byLine_->scan();
}

LpToken const& LpLexer::peek(std::size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(scan());
  return ahead_[ahead];
}

LpToken LpLexer::next() {
  peek();
  LpToken token = std::move(ahead_.front());
  ahead_.pop_front();
  return token;
}

bool LpLexer::skip(char c) {
  if (!peek().is(c)) return false;
  next();
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
