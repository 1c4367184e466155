// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "readers/line_source.hpp"

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

/// Cuts a source into tokens, without comments: from \ to the end of the line in CPLEX's dialect,
/// from // or between /* and */ in that of lp_solve.
class LpLexer {
 public:
  LpLexer(LineSource& source, LpDialect dialect) : source_(source), dialect_(dialect) {}

  /// The token `ahead` places further on; 0 is the next one.
  LpToken const& peek(std::size_t ahead = 0);
  LpToken next();
  /// Steps over the next token if it is the symbol `c`.
  bool skip(char c);

  /// Throws the ReadError for a token.
  [[noreturn]] void fail(LpToken const& token, std::string expected) const;
  [[noreturn]] void fail(LpToken const& token, std::string expected, std::string found) const;

 private:
  LpToken scan();
  bool skipToToken();
  void skipBlockComment();
  bool isNameStart(char c) const;
  bool isNameCharacter(char c) const;
  void scanNumber(LpToken& token);
  void scanRelation(LpToken& token);

  LineSource& source_;
  LpDialect dialect_;
  std::deque<LpToken> ahead_;
  std::string_view rest_;  // of the current line
  bool atLineStart_ = true;
  bool started_ = false;
};

}  // namespace osi_cuda::readers
