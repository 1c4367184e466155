// SPDX-License-Identifier: EPL-2.0
#include "readers/lp_pieces.hpp"

#include <algorithm>

#include "readers/read_error.hpp"

namespace osi_cuda::readers {

/// The tokens from `start` on, a place in the line that `line` lines precede; with a start other
/// than 0 that line's first tokens are behind a comment.
LpPieces::Tokens LpPieces::cut(TextPiece piece, LpDialect dialect, std::size_t start,
                               std::int64_t line) {
  std::string_view const text = piece.text;
  std::size_t const before = start == 0 ? text.npos : text.rfind('\n', start - 1);
  std::size_t const lineStart = before == text.npos ? 0 : before + 1;
  LpScanner scanner(text.substr(lineStart), line, dialect);
  if (start > 0) scanner.skip(start - lineStart);
  Tokens result;
  constexpr std::size_t bytesOfToken = 4;
  result.tokens.reserve(text.size() / bytesOfToken);
  try {
    for (LpToken token = scanner.scan(); token.kind != LpToken::Kind::end; token = scanner.scan())
      result.tokens.push_back(std::move(token));
  } catch (LpScanner::Fault const& fault) {
    result.fault = fault;
  } catch (LpScanner::OpenComment const& comment) {
    result.openComment = comment.place;
  }
  result.lines = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
  result.owner = std::move(piece);
  return result;
}

/// Makes the next piece the present one; false at the end of the file.
bool LpPieces::takePiece() {
  if (source_.rest().empty() && !source_.step()) return false;
  int const threads = source_.readAhead().threads;
  if (threads > 1 && source_.isLarge()) workers_.start(threads);
  std::size_t const most = 1 + at(workers_.size());
  while (ahead_.size() < most) {
    TextPiece piece = source_.piece(ahead_.size());
    if (piece.text.empty()) break;
    ahead_.push_back(workers_.submit(
        [piece = std::move(piece), dialect = dialect_] { return cut(piece, dialect, 0, 0); }));
  }
  before_.push_back(std::move(present_));
  present_ = ahead_.front().get();
  ahead_.pop_front();
  used_ = 0;
  firstLine_ = linesBefore_;
  linesBefore_ += present_.lines;
  source_.skip(present_.owner.text.size(), present_.lines);
  if (comment_) skipComment(present_);
  for (LpToken& token : present_.tokens) token.line += firstLine_;
  if (present_.openComment) {
    comment_ = present_.openComment;
    comment_->line += firstLine_;
  }
  return true;
}

/// The piece begins within a comment, and what was taken for tokens is none up to its end.
void LpPieces::skipComment(Tokens& tokens) {
  std::string_view const text = tokens.owner.text;
  std::size_t const end = text.find("*/");
  if (end == text.npos) {
    tokens.tokens.clear();
    tokens.fault.reset();
    tokens.openComment.reset();
    return;
  }
  comment_.reset();
  std::int64_t const line = std::ranges::count(text.substr(0, end), '\n');
  tokens = cut(tokens.owner, dialect_, end + 2, line);
}

LpToken LpPieces::copyNext() {
  while (used_ == present_.tokens.size()) {
    if (present_.fault)
      source_.failAt(present_.fault->place.line + firstLine_, present_.fault->place.column,
                     present_.fault->expected, present_.fault->found);
    if (takePiece()) continue;
    if (comment_)
      source_.failAt(comment_->line, comment_->column, "a comment that ends",
                     "the end of the file");
    LpToken end;
    end.line = source_.lineNumber();
    bool const isEmpty = end.line == 0;
    end.column = isEmpty ? 1 : static_cast<std::int64_t>(source_.line().size()) + 1;
    return end;
  }
  return present_.tokens[used_++];
}

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
