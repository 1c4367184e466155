// SPDX-License-Identifier: EPL-2.0
#include <cmath>

#include "readers/formats.hpp"
#include "readers/lp_expressions.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

using Kind = LpToken::Kind;

class LpSolveReader final : LpExpressions {
 public:
  using LpExpressions::LpExpressions;

  ReadResult read() {
    objective();
    while (lexer_.peek().kind != Kind::end) {
      if (lexer_.skip(';')) continue;
      Declaration const declaration = declarationAhead();
      declaration == Declaration::none ? statement() : declare(declaration);
    }
    return builder_.finish(std::move(notices_));
  }

 private:
  enum class Declaration {
    none,
    integer,
    binary,
    semicontinuous,
    semicontinuousInteger,
    free,
    sets
  };

  bool beginsSomethingNew() override { return false; }

  void expectSemicolon() {
    if (!lexer_.skip(';')) lexer_.fail(lexer_.peek(), "an operator or ;");
  }

  /// "max: expression;", "min: expression;" or "expression;"
  void objective() {
    LpToken const start = lexer_.peek();
    bool const hasLabel = start.kind == Kind::name && lexer_.peek(1).is(':');
    bool const isMaximum = hasLabel && isOneOf(start.text, "max maximise maximize");
    bool const isMinimum = hasLabel && isOneOf(start.text, "min minimise minimize");
    if (isMaximum) builder_.lp().sense = Sense::maximize;
    if (isMaximum || isMinimum) {
      lexer_.next();
      lexer_.next();
    } else if (!start.is(';')) {
      notices_.push_back(
          concat("Line ", start.line, ": the objective without max: or min: is minimized."));
    }
    if (lexer_.skip(';')) return;
    readObjective();
    expectSemicolon();
  }

  Declaration declarationAhead() {
    static constexpr std::pair<std::string_view, Declaration> words[] = {
        {"int", Declaration::integer},        {"bin", Declaration::binary},
        {"sec", Declaration::semicontinuous}, {"sin", Declaration::semicontinuousInteger},
        {"free", Declaration::free},          {"sos sos1 sos2", Declaration::sets}};
    // A column may have such a name: then an operator follows, or a colon if a row has it.
    if (lexer_.peek().kind != Kind::name || lexer_.peek(1).kind != Kind::name)
      return Declaration::none;
    for (auto const& [text, declaration] : words)
      if (isOneOf(lexer_.peek().text, text)) return declaration;
    return Declaration::none;
  }

  /// "int x, y;" and the like.
  void declare(Declaration declaration) {
    LpToken const word = lexer_.next();
    if (declaration == Declaration::sets) return sets(word.text[word.text.size() - 1] - '0');
    do {
      LpToken const name = lexer_.next();
      if (name.kind != Kind::name) lexer_.fail(name, "the name of a column");
      declareColumn(declaration, name);
      lexer_.skip(',');
    } while (!lexer_.peek().is(';') && lexer_.peek().kind != Kind::end);
    expectSemicolon();
  }

  /// "[name:] column[:weight], ... <= type[:priority];" several times; where the section says the
  /// type, only the priority follows <=.
  void sets(int type) {
    bool const isKnown = type == 1 || type == 2;
    while (lexer_.peek().kind == Kind::name && declarationAhead() == Declaration::none) {
      bool const hasName = lexer_.peek(1).is(':') && lexer_.peek(2).kind == Kind::name;
      beginSet(hasName ? lexer_.next().text : std::string(), type);
      if (hasName) lexer_.next();
      do {
        readMember();
        lexer_.skip(',');
      } while (lexer_.peek().kind == Kind::name);
      OrderedSet& set = builder_.lp().choices.sets.back();
      LpToken const sign = lexer_.peek();
      if (sign.kind == Kind::lessEqual) {
        lexer_.next();
        if (!isKnown) set.type = wholeNumber(1, 2, "1 or 2, the type of the set");
        if (isKnown || lexer_.skip(':'))
          set.priority = wholeNumber(0, 1e9, "a whole number, the priority of the set");
      } else if (!isKnown) {
        lexer_.fail(sign, "<= and the type of the set");
      }
      expectSemicolon();
    }
  }

  int wholeNumber(double least, double most, char const* expected) {
    LpToken const token = lexer_.next();
    bool const fits = token.kind == Kind::number && token.value >= least && token.value <= most;
    if (!fits || token.value != std::trunc(token.value)) lexer_.fail(token, expected);
    return static_cast<int>(token.value);
  }

  void declareColumn(Declaration declaration, LpToken const& name) {
    int const column = builder_.column(name.text);
    LinearProgram& lp = builder_.lp();
    switch (declaration) {
      case Declaration::integer:
        lp.integer[column] = 1;
        return;
      case Declaration::binary:
        lp.integer[column] = 1;
        lp.columnLower[column] = 0.0;
        lp.columnUpper[column] = 1.0;
        return;
      case Declaration::semicontinuousInteger:
        lp.integer[column] = 1;
        [[fallthrough]];
      case Declaration::semicontinuous:
        builder_.markSemicontinuous(column);
        return;
      case Declaration::free:
        if (lp.columnLower[column] != 0.0)
          lexer_.fail(name, "a column without a lower bound to be declared free");
        lp.columnLower[column] = -infinity;
        return;
      case Declaration::none:
      case Declaration::sets:
        return;
    }
  }

  void statement() {
    std::optional<std::string> name;
    LpToken const label = lexer_.peek();
    if (label.kind == Kind::name && lexer_.peek(1).is(':')) {
      name = lexer_.next().text;
      lexer_.next();
      if (lexer_.peek().isRelation()) return rangeOf(label);
    }
    Relation const relation = readRelation(ConstantEnd::nothing);
    if (!name && isBound(relation)) {
      setBounds(relation);
    } else {
      Row const row = rowOf(relation);
      if (!builder_.addRow(name, row.terms, row.lower, row.upper))
        lexer_.fail(label, "a new row name");
    }
    expectSemicolon();
  }

  /// "R1: <= 8;" gives row R1, which has one bound, the other one.
  void rangeOf(LpToken const& label) {
    int const row = builder_.findRow(label.text);
    if (row == NameTable::absent) lexer_.fail(label, "the name of a row that stands above");
    LpToken const sign = lexer_.next();
    LpToken const place = lexer_.peek();
    LpExpression const expression = readExpression(ConstantEnd::nothing);
    if (!expression.terms.empty()) lexer_.fail(place, "a number");
    expectSemicolon();
    double& lower = builder_.lp().rowLower[row];
    double& upper = builder_.lp().rowUpper[row];
    double const bound = builder_.large()(expression.constant);
    bool const fitsLower = sign.kind == Kind::greaterEqual && lower == -infinity;
    bool const fitsUpper = sign.kind == Kind::lessEqual && upper == infinity;
    if (!fitsLower && !fitsUpper) lexer_.fail(sign, "the bound that the row does not have yet");
    if (std::isnan(bound) || (fitsLower ? bound == infinity : bound == -infinity))
      lexer_.fail(place, "a bound that can be reached (" + builder_.large().meaning() + ")");
    (fitsLower ? lower : upper) = bound;
  }

  /// Without a label, a relation that has one term is a bound.
  bool isBound(Relation const& relation) const {
    std::size_t terms = 0;
    for (LpExpression const& side : relation.sides) terms += side.terms.size();
    return terms == 1;
  }

  void setBounds(Relation const& relation) {
    Row const row = rowOf(relation);
    if (row.terms.empty()) lexer_.fail(relation.start, "a bound with a coefficient other than 0");
    auto const [column, coefficient] = row.terms[0];
    LargeBounds& large = builder_.large();
    double lower = large(row.lower / coefficient);
    double upper = large(row.upper / coefficient);
    if (coefficient < 0.0) std::swap(lower, upper);
    if (lower == infinity || upper == -infinity)
      lexer_.fail(relation.start, "a bound that can be reached (" + large.meaning() + ")");
    // An infinite bound counts as well: "x >= -1e30" frees a column.
    LinearProgram& lp = builder_.lp();
    hasLower_.resize(lp.columnLower.size());
    // As in lp_solve, a looser bound leaves the one above, but for the lower bound 0 of all.
    auto const set = [&](char const* side, double& bound, double value, bool looser) {
      if (!looser) return void(bound = value);
      notices_.push_back(concat("Line ", relation.start.line, ": the ", side,
                                " bound is looser than one above, and ignored."));
    };
    std::size_t middle = 0;
    while (relation.sides[middle].terms.empty()) ++middle;
    for (std::size_t k = 0; k < relation.operators.size(); ++k) {
      Kind kind = relation.operators[k].kind;
      if (k < middle) kind = reversed(kind);
      if (coefficient < 0.0) kind = reversed(kind);
      if (kind != Kind::lessEqual) {
        double& bound = lp.columnLower[column];
        set("lower", bound, lower, hasLower_[column] && lower < bound);
        hasLower_[column] = 1;
      }
      double& bound = lp.columnUpper[column];
      if (kind != Kind::greaterEqual) set("upper", bound, upper, upper > bound);
    }
  }

  std::vector<std::string> notices_;
  std::vector<char> hasLower_;  // per column: a lower bound stands in the file
};

}  // namespace

ReadResult readLpSolveLp(LineSource& source, ReadOptions const& options) {
  LpLexer lexer(source, LpDialect::lpSolve);
  LpBuilder builder(options.infiniteFrom);
  return LpSolveReader(lexer, builder).read();
}

}  // namespace osi_cuda::readers
