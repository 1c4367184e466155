// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace osi_cuda::readers
