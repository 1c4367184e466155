// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "readers/number.hpp"
#include "readers/read_error.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

/// The two languages that are called LP format.
enum class LpDialect { cplex, lpSolve };

struct LpToken {
  enum class Kind {
    end,  ///< of the file
    name,
    number,
    lessEqual,     ///< <, <=, =<
    greaterEqual,  ///< >, >=, =>
    equal,
    symbol  ///< any other character: + - * / ^ : ; , [ ]
  };
  Kind kind = Kind::end;
  std::string text;
  double value = 0.0;  ///< of a number
  std::int64_t line = 0;
  std::int64_t column = 0;
  bool isFirst = false;  ///< the first one of its line

  bool is(char c) const { return kind == Kind::symbol && text[0] == c; }
  bool isRelation() const {
    return kind == Kind::lessEqual || kind == Kind::greaterEqual || kind == Kind::equal;
  }
};

/// Cuts a text into tokens, without comments: from \ to the end of the line in CPLEX's dialect,
/// from
/// // or between /* and */ in that of lp_solve.
class LpScanner {
 public:
  struct Place {
    std::int64_t line;
    std::int64_t column;
  };
  /// Thrown for a word that makes no sense.
  struct Fault {
    Place place;
    std::string expected, found;
  };
  /// Thrown for a comment that begins there and does not end.
  struct OpenComment {
    Place place;
  };

  /// `line`: lines before the first one of `text`.
  LpScanner(std::string_view text, std::int64_t line, LpDialect dialect)
      : text_(text), lineNumber_(line), dialect_(dialect) {}

  /// Steps over the beginning of the first line, `bytes` of it, which is behind a comment.
  void skip(std::size_t bytes) {
    nextLine();
    rest_ = line_.substr(std::min(bytes, line_.size()));
  }

  /// The next token; behind the last line one of kind end.
  LpToken scan() {
    LpToken token;
    if (!skipToToken()) return token;
    token.line = lineNumber_;
    token.column = columnOf(rest_);
    token.isFirst = atLineStart_;
    atLineStart_ = false;

    char const c = rest_[0];
    bool const isPoint = c == '.' && rest_.size() > 1 && isDigit(rest_[1]);
    std::size_t length = isDigit(c) ? numericLabel() : 0;
    if (length == 0 && (isDigit(c) || isPoint)) {
      scanNumber(token);
      return token;
    }
    if (c == '<' || c == '>' || c == '=') {
      scanRelation(token);
      return token;
    }
    if (length > 0 || isNameStart(c)) {
      token.kind = LpToken::Kind::name;
      if (length == 0) length = nameLength();
    } else {
      token.kind = LpToken::Kind::symbol;
      length = 1;
    }
    token.text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return token;
  }

 private:
  static bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  static bool isAmong(char c, std::string_view characters) {
    return characters.find(c) != characters.npos;
  }
  static bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  /// Steps to the next line; false behind the last one.
  bool nextLine() {
    if (text_.empty()) return false;
    std::size_t const end = std::min(text_.find('\n'), text_.size());
    line_ = text_.substr(0, end);
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++lineNumber_;
    rest_ = line_;
    atLineStart_ = true;
    return true;
  }
  std::int64_t columnOf(std::string_view rest) const { return rest.data() - line_.data() + 1; }

  bool isNameStart(char c) const {
    if (isLetter(c) || c == '_') return true;
    return dialect_ == LpDialect::cplex && isAmong(c, "!\"#$%&(),;?@'`{}~|");
  }
  bool isNameCharacter(char c) const {
    if (isNameStart(c) || isDigit(c) || c == '.') return true;
    return isAmong(c, dialect_ == LpDialect::cplex ? "[]/" : "[]{}/&#$%~'@^");
  }

  std::size_t nameLength() const {
    std::size_t length = 1;
    while (length < rest_.size() && isNameCharacter(rest_[length])) ++length;
    return length;
  }
  /// Length of a name that begins with a digit, as CPLEX' dialect has it of rows: a colon follows.
  std::size_t numericLabel() const {
    if (dialect_ != LpDialect::cplex) return 0;
    std::size_t const length = nameLength();
    std::size_t const next = rest_.find_first_not_of(" \t", length);
    return next != rest_.npos && rest_[next] == ':' ? length : 0;
  }

  /// To the next character that belongs to a token; false at the end of the lines.
  bool skipToToken() {
    for (;;) {
      while (!rest_.empty() && isSpace(rest_[0])) rest_.remove_prefix(1);
      bool const isComment =
          dialect_ == LpDialect::cplex ? rest_.starts_with('\\') : rest_.starts_with("//");
      if (isComment) rest_ = rest_.substr(rest_.size());
      if (rest_.empty()) {
        if (!nextLine()) return false;
      } else if (dialect_ == LpDialect::lpSolve && rest_.starts_with("/*")) {
        skipBlockComment();
      } else {
        return true;
      }
    }
  }

  void skipBlockComment() {
    Place const begin{lineNumber_, columnOf(rest_)};
    rest_.remove_prefix(2);
    std::size_t end = rest_.find("*/");
    while (end == rest_.npos) {
      if (!nextLine()) throw OpenComment{begin};
      end = rest_.find("*/");
    }
    rest_.remove_prefix(end + 2);
  }

  void scanNumber(LpToken& token) {
    char const* end = rest_.data() + rest_.size();
    double value = 0.0;
    auto const [stop, code] = std::from_chars(rest_.data(), end, value);
    token.kind = LpToken::Kind::number;
    token.text = rest_.substr(0, at(stop - rest_.data()));
    std::size_t length = token.text.size();
    if (length + 1 < rest_.size() && rest_[length] == '/' && isDigit(rest_[length + 1])) {
      while (++length < rest_.size() && isDigit(rest_[length])) {
      }
      token.text = rest_.substr(0, length);  // a fraction
    }
    rest_.remove_prefix(length);
    // Too small or too large, a fraction, or digits that may have to be kept.
    constexpr std::size_t briefDigits = 15;
    if (code != std::errc{} || (length > briefDigits && fractionsAreKept()) ||
        token.text.find('/') != token.text.npos) {
      Number const number = parseNumber(token.text);
      if (number.fault != NumberFault::none)
        throw Fault{
            {token.line, token.column}, describe(number.fault), readers::quoted(token.text)};
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

  std::string_view text_;  // behind the present line
  std::int64_t lineNumber_;
  LpDialect dialect_;
  std::string_view line_;
  std::string_view rest_;  // of the present line
  bool atLineStart_ = true;
};

}  // namespace osi_cuda::readers
