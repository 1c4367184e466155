// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "readers/lp_builder.hpp"
#include "readers/lp_pieces.hpp"

namespace osi_cuda::readers {

/// What both LP dialects share: expressions, and relations between two or three of them.
class LpExpressions {
 public:
  LpExpressions(LpLexer& lexer, LpBuilder& builder) : lexer_(lexer), builder_(builder) {}
  virtual ~LpExpressions() = default;

 protected:
  /// Where a sum of constants ends: `line` also at the end of a line, as it is followed by a row
  /// that may begin with a coefficient or sign, and nothing else tells them apart.
  enum class ConstantEnd { nothing, line };

  /// A relation: two or three sides, between them <=, >= or =.
  struct Relation {
    std::vector<LpExpression> sides;
    std::vector<LpToken> operators;
    LpToken start;
  };
  /// A relation brought to lower <= terms <= upper; terms are summed.
  struct Row {
    std::vector<LpExpression::Term> terms;
    double lower;
    double upper;
  };

  /// Is the name that comes next no part of an expression, since it begins something new?
  virtual bool beginsSomethingNew() = 0;

  LpExpression readExpression(ConstantEnd end);
  /// What a relation may begin with: an expression, or at once with its operator.
  enum class LeftSide { expression, maybeNothing };
  Relation readRelation(ConstantEnd end, LeftSide left = LeftSide::expression);
  Row rowOf(Relation const& relation);
  /// Begins a special ordered set.
  void beginSet(std::string name, int type);
  /// "column:weight" of the last set; without a weight its place is the weight.
  void readMember();
  /// Reads the objective, from its first term on.
  void readObjective();

  LpLexer& lexer_;
  LpBuilder& builder_;

 private:
  void readTerm(LpExpression& expression, ConstantEnd end);
  void readNumber(LpExpression& expression, double sign, ConstantEnd end);
  void refuseProducts();
  std::vector<LpExpression::Term> summed(LpToken const& place,
                                         std::vector<LpExpression::Term> const& terms);
};

/// Is the word one for infinity?
bool isInfinityWord(LpToken const& token);

/// Relations read from the other side: <= becomes >=.
LpToken::Kind reversed(LpToken::Kind relation);

}  // namespace osi_cuda::readers
