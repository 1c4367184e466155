// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "readers/lp_token.hpp"
#include "readers/number.hpp"

namespace osi_cuda::readers {

/// Cuts lines into tokens, without comments: from \ to the end of the line in CPLEX's dialect, from
/// // or between /* and */ in that of lp_solve. Lines has next(), line(), lineNumber() as
/// LineSource has, failAt() for words that make no sense, and failInComment() for a comment that
/// does not end.
template <class Lines>
class LpScanner {
 public:
  LpScanner(Lines& lines, LpDialect dialect) : lines_(lines), dialect_(dialect) {}

  /// Goes on within the present line, behind a comment that began in one before.
  void beginAt(std::string_view rest) {
    rest_ = rest;
    atLineStart_ = true;
    started_ = true;
  }

  /// The next token; behind the last line one of kind end.
  LpToken scan() {
    LpToken token;
    bool const found = skipToToken();
    token.line = lines_.lineNumber();
    token.column = started_ ? rest_.data() - lines_.line().data() + 1 : 1;
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

 private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  static bool isOneOf(char c, std::string_view characters) {
    return characters.find(c) != characters.npos;
  }
  static bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  bool isNameStart(char c) const {
    if (isLetter(c) || c == '_') return true;
    return dialect_ == LpDialect::cplex && isOneOf(c, "!\"#$%&(),;?@'`{}~|");
  }
  bool isNameCharacter(char c) const {
    if (isNameStart(c) || isDigit(c) || c == '.') return true;
    return isOneOf(c, dialect_ == LpDialect::cplex ? "[]/" : "[]{}/&#$%~'@^");
  }

  /// To the next character that belongs to a token; false at the end of the lines.
  bool skipToToken() {
    for (;;) {
      while (!rest_.empty() && isSpace(rest_[0])) rest_.remove_prefix(1);
      bool const isComment =
          dialect_ == LpDialect::cplex ? rest_.starts_with('\\') : rest_.starts_with("//");
      if (isComment) rest_ = rest_.substr(rest_.size());
      if (rest_.empty()) {
        if (!lines_.next()) return false;
        rest_ = lines_.line();
        atLineStart_ = true;
        started_ = true;
      } else if (dialect_ == LpDialect::lpSolve && rest_.starts_with("/*")) {
        skipBlockComment();
      } else {
        return true;
      }
    }
  }

  void skipBlockComment() {
    std::int64_t const line = lines_.lineNumber();
    std::int64_t const column = rest_.data() - lines_.line().data() + 1;
    rest_.remove_prefix(2);
    std::size_t end = rest_.find("*/");
    while (end == rest_.npos) {
      if (!lines_.next()) lines_.failInComment(line, column);
      rest_ = lines_.line();
      atLineStart_ = true;
      end = rest_.find("*/");
    }
    rest_.remove_prefix(end + 2);
  }

  void scanNumber(LpToken& token) {
    char const* end = rest_.data() + rest_.size();
    double value = 0.0;
    auto const [stop, code] = std::from_chars(rest_.data(), end, value);
    token.kind = LpToken::Kind::number;
    token.text = rest_.substr(0, static_cast<std::size_t>(stop - rest_.data()));
    rest_.remove_prefix(token.text.size());
    if (code != std::errc{}) {  // too small or too large
      Number const number = parseNumber(token.text);
      if (number.fault != NumberFault::none)
        lines_.failAt(token.line, token.column, describe(number.fault), token.text);
      value = number.value;
    }
    token.value = value;
  }

  void scanRelation(LpToken& token) {
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

  Lines& lines_;
  LpDialect dialect_;
  std::string_view rest_;  // of the current line
  bool atLineStart_ = true;
  bool started_ = false;
};

}  // namespace osi_cuda::readers
