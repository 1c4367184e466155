// SPDX-License-Identifier: EPL-2.0
#include "readers/lp_lexer.hpp"

#include <charconv>

#include "readers/number.hpp"
#include "readers/read_error.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool isOneOf(char c, std::string_view characters) {
  return characters.find(c) != characters.npos;
}

bool isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

bool LpLexer::isNameStart(char c) const {
  if (isLetter(c) || c == '_') return true;
  return dialect_ == LpDialect::cplex && isOneOf(c, "!\"#$%&(),;?@'`{}~|");
}

bool LpLexer::isNameCharacter(char c) const {
  if (isNameStart(c) || isDigit(c) || c == '.') return true;
  return isOneOf(c, dialect_ == LpDialect::cplex ? "[]/" : "[]{}/&#$%~'@^");
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

/// To the next character that belongs to a token; false at the end of the file.
bool LpLexer::skipToToken() {
  for (;;) {
    while (!rest_.empty() && isSpace(rest_[0])) rest_.remove_prefix(1);
    bool const isComment =
        dialect_ == LpDialect::cplex ? rest_.starts_with('\\') : rest_.starts_with("//");
    if (isComment) rest_ = rest_.substr(rest_.size());
    if (rest_.empty()) {
      if (!source_.next()) return false;
      rest_ = source_.line();
      atLineStart_ = true;
      started_ = true;
    } else if (dialect_ == LpDialect::lpSolve && rest_.starts_with("/*")) {
      skipBlockComment();
    } else {
      return true;
    }
  }
}

void LpLexer::skipBlockComment() {
  std::int64_t const line = source_.lineNumber();
  std::int64_t const column = rest_.data() - source_.line().data() + 1;
  rest_.remove_prefix(2);
  std::size_t end = rest_.find("*/");
  while (end == rest_.npos) {
    if (!source_.next()) source_.failAt(line, column, "a comment that ends", "the end of the file");
    rest_ = source_.line();
    atLineStart_ = true;
    end = rest_.find("*/");
  }
  rest_.remove_prefix(end + 2);
}

LpToken LpLexer::scan() {
  LpToken token;
  bool const found = skipToToken();
  token.line = source_.lineNumber();
  token.column = started_ ? rest_.data() - source_.line().data() + 1 : 1;
  if (!found) return token;
  token.isFirst = atLineStart_;
  atLineStart_ = false;

  char const c = rest_[0];
  bool const isPoint = c == '.' && rest_.size() > 1 && isDigit(rest_[1]);
  std::size_t length = 1;
  if (isDigit(c) || isPoint) {
    scanNumber(token);
    return token;
  }
  if (c == '<' || c == '>' || c == '=') {
    scanRelation(token);
    return token;
  }
  if (isNameStart(c)) {
    token.kind = LpToken::Kind::name;
    while (length < rest_.size() && isNameCharacter(rest_[length])) ++length;
  } else {
    token.kind = LpToken::Kind::symbol;
  }
  token.text = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return token;
}

void LpLexer::scanNumber(LpToken& token) {
  char const* end = rest_.data() + rest_.size();
  double unused = 0.0;
  char const* const stop = std::from_chars(rest_.data(), end, unused).ptr;
  token.kind = LpToken::Kind::number;
  token.text = rest_.substr(0, static_cast<std::size_t>(stop - rest_.data()));
  rest_.remove_prefix(token.text.size());
  Number const number = parseNumber(token.text);
  if (number.fault != NumberFault::none) fail(token, describe(number.fault));
  token.value = number.value;
}

void LpLexer::scanRelation(LpToken& token) {
  char const c = rest_[0];
  char const second = rest_.size() > 1 ? rest_[1] : ' ';
  bool const isPair = (c != '=' && second == '=') ||
                      (c == '=' && (second == '<' || second == '>' || second == '='));
  token.text = rest_.substr(0, isPair ? 2 : 1);
  rest_.remove_prefix(token.text.size());
  if (token.text.find('<') != token.text.npos) {
    token.kind = LpToken::Kind::lessEqual;
  } else if (token.text.find('>') != token.text.npos) {
    token.kind = LpToken::Kind::greaterEqual;
  } else {
    token.kind = LpToken::Kind::equal;
  }
}

}  // namespace osi_cuda::readers
