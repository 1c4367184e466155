// SPDX-License-Identifier: EPL-2.0
#include "readers/lp_expressions.hpp"

#include <algorithm>
#include <cmath>

#include "readers/words.hpp"

namespace osi_cuda::readers {

using Kind = LpToken::Kind;

bool isInfinityWord(LpToken const& token) {
  // Asked of every name: mostly the first letter tells.
  return token.kind == Kind::name && asLower(token.text[0]) == 'i' &&
         isOneOf(token.text, "inf infinity");
}

Kind reversed(Kind relation) {
  if (relation == Kind::lessEqual) return Kind::greaterEqual;
  if (relation == Kind::greaterEqual) return Kind::lessEqual;
  return relation;
}

/// Behind a factor that another one must not follow.
void LpExpressions::refuseProducts() {
  LpToken const& token = lexer_.peek();
  if (token.is('^') || token.is('*'))
    lexer_.fail(token, "a linear program", "a product of columns");
}

void LpExpressions::readNumber(LpExpression& expression, double sign, ConstantEnd end) {
  double const value = sign * lexer_.next().value;
  bool const isProduct = lexer_.skip('*');
  LpToken const& token = lexer_.peek();
  bool const isName = token.kind == Kind::name && !isInfinityWord(token);
  bool const isNextLine =
      end == ConstantEnd::line && token.isFirst && expression.terms.empty() && !isProduct;
  if (isName && !isNextLine && !beginsSomethingNew()) {
    expression.terms.push_back({builder_.column(lexer_.next().text), value});
    return refuseProducts();
  }
  if (isProduct) lexer_.fail(token, "the name of a column");
  if (token.kind == Kind::number && !isNextLine)
    lexer_.fail(token, "an operator or the name of a column");
  expression.constant += value;
  expression.hasConstant = true;
}

void LpExpressions::beginSet(std::string name, int type) {
  builder_.lp().choices.sets.push_back({std::move(name), type, 0, {}, {}});
}

void LpExpressions::readMember() {
  LpToken const name = lexer_.next();
  if (name.kind != Kind::name) lexer_.fail(name, "the name of a column");
  double weight = static_cast<double>(builder_.lp().choices.sets.back().columns.size()) + 1.0;
  if (lexer_.skip(':')) {
    double const sign = lexer_.skip('-') ? -1.0 : 1.0;
    LpToken const number = lexer_.next();
    if (number.kind != Kind::number) lexer_.fail(number, "a weight");
    weight = sign * number.value;
  }
  if (!builder_.addMember(builder_.column(name.text), weight))
    lexer_.fail(name, "each column once in a set");
}

/// Signs, then a number, a name, or both.
void LpExpressions::readTerm(LpExpression& expression, ConstantEnd end) {
  double sign = 1.0;
  while (lexer_.peek().is('+') || lexer_.peek().is('-'))
    if (lexer_.next().is('-')) sign = -sign;
  LpToken const& token = lexer_.peek();
  if (token.kind == Kind::number) return readNumber(expression, sign, end);
  if (token.is('[')) lexer_.fail(token, "a linear program", "quadratic terms");
  if (isInfinityWord(token)) {
    expression.constant += sign * infinity;
    expression.hasConstant = true;
    lexer_.next();
    return;
  }
  if (token.kind != Kind::name || beginsSomethingNew())
    lexer_.fail(token, "a number or the name of a column");
  expression.terms.push_back({builder_.column(lexer_.next().text), sign});
  refuseProducts();
}

LpExpression LpExpressions::readExpression(ConstantEnd end) {
  LpExpression expression;
  for (;;) {
    readTerm(expression, end);
    LpToken const& token = lexer_.peek();
    if (!token.is('+') && !token.is('-')) return expression;
    if (token.is('-') && lexer_.peek(1).text == ">")
      lexer_.fail(token, "a linear program", "an indicator constraint");
    if (end == ConstantEnd::line && token.isFirst && expression.terms.empty()) return expression;
  }
}

LpExpressions::Relation LpExpressions::readRelation(ConstantEnd end, LeftSide left) {
  Relation relation;
  relation.start = lexer_.peek();
  if (left == LeftSide::maybeNothing && lexer_.peek().isRelation()) {
    relation.sides.emplace_back();
  } else {
    relation.sides.push_back(readExpression(ConstantEnd::nothing));
  }
  constexpr std::size_t mostOperators = 2;
  while (lexer_.peek().isRelation()) {
    if (relation.operators.size() == mostOperators)
      lexer_.fail(lexer_.peek(), "at most two relations");
    relation.operators.push_back(lexer_.next());
    relation.sides.push_back(readExpression(end));
  }
  LpToken const& next = lexer_.peek();
  if (relation.operators.empty())
    lexer_.fail(next, next.is(':') ? "a row name that does not begin with a digit before the :"
                                   : "<=, >= or =");
  return relation;
}

std::vector<LpExpression::Term> LpExpressions::summed(
    LpToken const& place, std::vector<LpExpression::Term> const& terms) {
  try {
    return builder_.summed(terms);
  } catch (LpBuilder::Overflow const& overflow) {
    lexer_.fail(place, "coefficients that fit a double",
                "terms of column " + quoted(overflow.column) + " whose sum does not");
  }
}

void LpExpressions::readObjective() {
  LpToken const place = lexer_.peek();
  LpExpression const expression = readExpression(ConstantEnd::nothing);
  if (!std::isfinite(expression.constant)) lexer_.fail(place, "finite numbers in the objective");
  for (auto const& [column, coefficient] : summed(place, expression.terms))
    builder_.lp().objective[column] = coefficient;
  builder_.lp().objectiveOffset = expression.constant;
}

LpExpressions::Row LpExpressions::rowOf(Relation const& relation) {
  std::vector<LpExpression> const& sides = relation.sides;
  // The side with the terms; with terms on both sides of one relation all are moved to the left.
  std::size_t middle = 0;
  while (middle + 1 < sides.size() && sides[middle].terms.empty()) ++middle;
  bool const empty = sides[middle].terms.empty() && !sides[0].hasConstant;  // nothing on the left
  if (empty) middle = 0;
  Row row{sides[middle].terms, -infinity, infinity};
  double const constant = sides[middle].constant;
  LargeBounds& large = builder_.large();
  if (std::isnan(constant) || large.areInfinite(constant))
    lexer_.fail(relation.start, "a finite constant beside columns");

  double offset = constant;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (k == middle || sides[k].terms.empty()) continue;
    if (sides.size() > 2)
      lexer_.fail(relation.operators[std::min(k, relation.operators.size() - 1)],
                  "columns on one side of a double relation only");
    for (auto const& [column, coefficient] : sides[k].terms)
      row.terms.push_back({column, -coefficient});
  }
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (k == middle) continue;
    // Side k stands left of operator k if it is left of the middle, else right of operator k - 1.
    LpToken const& sign = relation.operators[k < middle ? k : k - 1];
    Kind const kind = k < middle ? reversed(sign.kind) : sign.kind;
    double const bound = large(large(sides[k].constant) - offset);
    if (kind == Kind::equal && sides.size() > 2) lexer_.fail(sign, "<= or >=");
    if (std::isnan(bound)) lexer_.fail(relation.start, "a number");
    bool const bindsLower = kind != Kind::lessEqual;
    bool const bindsUpper = kind != Kind::greaterEqual;
    if ((bindsLower && bound == infinity) || (bindsUpper && bound == -infinity))
      lexer_.fail(sign, "a bound that can be reached (" + large.meaning() + ")");
    if (sides.size() > 2 && (bindsLower ? row.lower > -infinity : row.upper < infinity))
      lexer_.fail(sign, "a lower and an upper bound");
    if (bindsLower) row.lower = bound;
    if (bindsUpper) row.upper = bound;
  }
  row.terms = summed(relation.start, row.terms);
  return row;
}

int LpBuilder::column(std::string_view name) {
  int const known = columns_.find(name);
  if (known != NameTable::absent) return known;
  lp_.objective.push_back(0.0);
  lp_.columnLower.push_back(0.0);
  lp_.columnUpper.push_back(infinity);
  lp_.integer.push_back(0);
  isSemicontinuous_.push_back(0);
  place_.push_back(-1);
  return columns_.add(name);
}

int LpBuilder::findRow(std::string_view name) const {
  int const known = rows_.find(name);
  if (known != NameTable::absent) return rowOf_[known];
  // A row without a name goes by the one that it will get.
  if (!name.starts_with('R')) return NameTable::absent;
  int const number = wholeNumber<int>(name.substr(1)).value_or(0);
  bool const isRow = number >= 1 && number <= byRows_.columns;
  return isRow && nameOf_[number - 1] == NameTable::absent ? number - 1 : NameTable::absent;
}

std::vector<LpExpression::Term> LpBuilder::summed(std::vector<LpExpression::Term> const& terms) {
  std::vector<LpExpression::Term> sum;
  for (auto const& [column, coefficient] : terms) {
    if (place_[column] < 0) {
      place_[column] = static_cast<int>(sum.size());
      sum.push_back({column, coefficient});
    } else {
      sum[place_[column]].coefficient += coefficient;
      ++repeated_;
    }
  }
  for (auto const& term : sum) place_[term.column] = -1;
  for (auto const& term : sum)
    if (!std::isfinite(term.coefficient)) throw Overflow{std::string(columns_[term.column])};
  std::erase_if(sum, [](auto const& term) { return term.coefficient == 0.0; });
  std::ranges::sort(sum, {}, &LpExpression::Term::column);
  return sum;
}

bool LpBuilder::addRow(std::optional<std::string_view> name,
                       std::vector<LpExpression::Term> const& terms, double lower, double upper) {
  int position = NameTable::absent;
  if (name) {
    position = rows_.add(*name);
    if (position == NameTable::absent) return false;
    rowOf_.push_back(byRows_.columns);
  }
  nameOf_.push_back(position);
  for (auto const& [column, coefficient] : terms) byRows_.add(column, coefficient);
  byRows_.endColumn();
  lp_.rowLower.push_back(lower);
  lp_.rowUpper.push_back(upper);
  return true;
}

ReadResult LpBuilder::finish(std::vector<std::string> notices) {
  byRows_.rows = columns_.size();
  lp_.matrix = byRows_.transposed();
  int crossed = 0;
  for (int j = 0; j < lp_.columns(); ++j) {
    if (lp_.columnLower[j] == 0.0 && lp_.columnUpper[j] < 0.0) ++crossed;
    if (isSemicontinuous_[j])
      lp_.choices.addSemicontinuous(j, lp_.columnLower[j], lp_.columnUpper[j]);
  }
  for (int i = 0; i < byRows_.columns; ++i) {
    if (nameOf_[i] != NameTable::absent) {
      lp_.rowNames.push_back(rows_[nameOf_[i]]);
      continue;
    }
    std::string name = concat("R", i + 1);
    while (rows_.add(name) == NameTable::absent) name += '_';
    lp_.rowNames.push_back(std::move(name));
  }
  lp_.columnNames = columns_.release();
  auto const report = [&notices](int count, char const* text) {
    if (count > 0) notices.push_back(concat(count, text));
  };
  report(repeated_, " repeated term(s) of a column in a row or the objective are summed.");
  report(crossed, " column(s) have a negative upper bound and the lower bound 0.");
  if (std::string large = large_.notice(); !large.empty()) notices.push_back(std::move(large));
  lp_.choices.sortSets();
  if (std::ranges::find(lp_.integer, 1) == lp_.integer.end()) lp_.integer.clear();
  return {std::move(lp_), std::move(notices)};
}

}  // namespace osi_cuda::readers
