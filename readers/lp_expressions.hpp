// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/large_bounds.hpp"
#include "readers/lp_pieces.hpp"
#include "readers/name_table.hpp"
#include "readers/number.hpp"
#include "readers/read.hpp"
#include "readers/set_members.hpp"

namespace osi_cuda::readers {

/// A linear expression of an LP file as it stands there.
struct LpExpression {
  struct Term {
    int column;
    double coefficient;
  };
  std::vector<Term> terms;
  double constant = 0.0;
  bool hasConstant = false;
};

/// Puts a model together row by row, as LP files have it. Columns are numbered in the order in
/// which they are mentioned first.
class LpBuilder {
 public:
  explicit LpBuilder(double infiniteFrom) : large_(infiniteFrom, fileInfinity) {}
  LinearProgram& lp() { return lp_; }
  /// What the file says as a bound or side becomes one by this.
  LargeBounds& large() { return large_; }

  int column(std::string_view name);
  int findRow(std::string_view name) const;
  /// One term per column, in order of the columns; those that cancel are left out. Throws Overflow.
  std::vector<LpExpression::Term> summed(std::vector<LpExpression::Term> const& terms);
  /// A sum of terms that no double holds, and the name of its column.
  struct Overflow {
    std::string column;
  };
  /// Adds a row of summed terms; without a name it gets one later. False when the name is taken.
  bool addRow(std::optional<std::string_view> name, std::vector<LpExpression::Term> const& terms,
              double lower, double upper);
  /// The column is 0 or within the bounds that it has in the end.
  void markSemicontinuous(int column) { isSemicontinuous_[column] = 1; }
  /// A member of the last set in lp().choices; false: it was one already.
  bool addMember(int column, double weight) { return members_.add(lp_, column, weight); }

  /// The model, and notices about what was summed.
  ReadResult finish(std::vector<std::string> notices);

 private:
  LinearProgram lp_;
  LargeBounds large_;
  NameTable columns_;
  NameTable rows_;           // the names that were given
  std::vector<int> rowOf_;   // per name in rows_: the row
  std::vector<int> nameOf_;  // per row: position in rows_, or absent
  SparseMatrix byRows_;      // the transpose of the matrix
  std::vector<int> place_;   // per column: where its term is in the sum that is being made
  std::vector<char> isSemicontinuous_;
  SetMembers members_;
  int repeated_ = 0;
};

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
