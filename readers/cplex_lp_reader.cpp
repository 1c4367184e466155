// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <array>

#include "readers/formats.hpp"
#include "readers/lp_expressions.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

using Kind = LpToken::Kind;

enum class Section {
  none,
  maximize,
  minimize,
  constraints,
  bounds,
  integers,
  binaries,
  semicontinuous,
  sets,
  sets1,
  sets2,
  unsupported,
  end
};

struct Keyword {
  std::string_view words;  // any one of these
  Section section;
  std::string_view second = "";  // a word that has to follow
};

constexpr std::array keywords{
    Keyword{"max maximize maximise maximum", Section::maximize},
    Keyword{"min minimize minimise minimum", Section::minimize},
    Keyword{"subject", Section::constraints, "to"},
    Keyword{"such", Section::constraints, "that"},
    Keyword{"st s.t. st.", Section::constraints},
    Keyword{"bound bounds", Section::bounds},
    Keyword{"general", Section::unsupported, "constraints"},
    Keyword{"general generals gen integer integers int", Section::integers},
    Keyword{"binary binaries bin", Section::binaries},
    Keyword{"semi semis", Section::semicontinuous},
    Keyword{"sos", Section::sets},
    Keyword{"sos1", Section::sets1},
    Keyword{"sos2", Section::sets2},
    Keyword{"pwlobj", Section::unsupported},
    Keyword{"lazy", Section::unsupported, "constraints"},
    Keyword{"user", Section::unsupported, "cuts"},
    Keyword{"end", Section::end},
};

class CplexLpReader final : LpExpressions {
 public:
  using LpExpressions::LpExpressions;

  ReadResult read(FreeColumns freeColumns) {
    freeColumns_ = freeColumns;
    Section section = enterSection();
    if (section != Section::maximize && section != Section::minimize)
      lexer_.fail(lexer_.peek(), "Maximize or Minimize first");
    if (section == Section::maximize) builder_.lp().sense = Sense::maximize;
    objective();
    while ((section = enterSection()) != Section::end) {
      if (section == Section::constraints)
        constraints();
      else if (section == Section::bounds)
        bounds();
      else if (section == Section::integers || section == Section::binaries ||
               section == Section::semicontinuous)
        marks(section);
      else if (section >= Section::sets && section <= Section::sets2)
        sets(static_cast<int>(section) - static_cast<int>(Section::sets));
      else
        lexer_.fail(lexer_.peek(), "one objective");
    }
    if (lexer_.peek().kind != Kind::end) notices_.push_back("Text behind End is ignored.");
    return builder_.finish(std::move(notices_));
  }

 private:
  bool beginsSomethingNew() override { return isLabel() || atSection(); }

  /// The section that the next tokens begin. Its keyword is the first word of a line, and neither a
  /// label nor a column in a relation: rows and columns may be called like sections.
  Section sectionAhead() {
    LpToken const& token = lexer_.peek();
    if (token.kind == Kind::end) return Section::end;
    if (token.kind != Kind::name || !token.isFirst) return Section::none;
    for (Keyword const& keyword : keywords) {
      if (!isOneOf(token.text, keyword.words)) continue;
      LpToken const& second = lexer_.peek(1);
      if (second.is(':') || second.isRelation()) return Section::none;
      if (!keyword.second.empty() && !equalsIgnoringCase(second.text, keyword.second)) continue;
      return keyword.section;
    }
    return Section::none;
  }

  Section enterSection() {
    Section const section = sectionAhead();
    LpToken const token = lexer_.peek();
    if (section == Section::none) lexer_.fail(token, "the name of a section");
    if (token.kind == Kind::end) lexer_.fail(token, "End");
    lexer_.next();
    if (section == Section::unsupported)
      lexer_.fail(token, "a linear program", "section " + token.text);
    bool const isTwoWords = std::ranges::any_of(keywords, [&](Keyword const& keyword) {
      return !keyword.second.empty() && isOneOf(token.text, keyword.words) &&
             equalsIgnoringCase(keyword.second, lexer_.peek().text);
    });
    if (isTwoWords) lexer_.next();
    if (section == Section::semicontinuous && lexer_.peek().is('-')) {  // semi-continuous
      lexer_.next();
      if (!equalsIgnoringCase(lexer_.peek().text, "continuous"))
        lexer_.fail(lexer_.peek(), "continuous");
      lexer_.next();
    }
    return section;
  }

  bool isLabel() { return lexer_.peek().kind == Kind::name && lexer_.peek(1).is(':'); }
  bool atSection() { return sectionAhead() != Section::none; }

  void objective() {
    if (isLabel()) {
      builder_.lp().objectiveName = lexer_.next().text;
      lexer_.next();
    }
    if (atSection()) return;  // an empty objective
    readObjective();
    if (!atSection()) lexer_.fail(lexer_.peek(), "an operator or section Subject To");
  }

  void constraints() {
    while (!atSection()) {
      std::optional<std::string> name;
      LpToken const place = lexer_.peek();
      if (isLabel()) {
        name = lexer_.next().text;
        lexer_.next();
      }
      // "con932: = +0" is a row without terms, as other programs write one.
      LeftSide const left = name ? LeftSide::maybeNothing : LeftSide::expression;
      Relation const relation = readRelation(ConstantEnd::line, left);
      Row const row = rowOf(relation);
      if (!builder_.addRow(name, row.terms, row.lower, row.upper))
        lexer_.fail(place, "a new row name");
    }
  }

  void bounds() {
    while (!atSection()) bound();
  }

  /// "[number op] name [op number]" or "name free".
  void bound() {
    std::optional<double> left;
    LpToken leftOperator;
    if (lexer_.peek().kind != Kind::name || isInfinityWord(lexer_.peek())) {
      left = boundValue();
      leftOperator = lexer_.next();
      if (!leftOperator.isRelation()) lexer_.fail(leftOperator, "<=, >= or =");
    }
    LpToken const name = lexer_.next();
    if (name.kind != Kind::name) lexer_.fail(name, "the name of a column");
    int const before = static_cast<int>(builder_.lp().objective.size());
    int const column = builder_.column(name.text);
    if (column == before)
      notices_.push_back(concat("Line ", name.line, ": column ", quoted(name.text),
                                " is mentioned in no row and not in the objective."));
    if (left) setBound(column, reversed(leftOperator.kind), *left, leftOperator);
    LpToken const behind = lexer_.peek();
    if (behind.isRelation()) {
      lexer_.next();
      setBound(column, behind.kind, boundValue(), behind);
    } else if (!left) {
      if (!equalsIgnoringCase(behind.text, "free")) lexer_.fail(behind, "<=, >=, = or free");
      lexer_.next();
      builder_.lp().columnLower[column] = -infinity;
      if (freeColumns_ == FreeColumns::bothBounds) builder_.lp().columnUpper[column] = infinity;
    }
  }

  /// A number with signs, or a word for infinity.
  double boundValue() {
    double sign = 1.0;
    while (lexer_.peek().is('+') || lexer_.peek().is('-'))
      if (lexer_.next().is('-')) sign = -sign;
    LpToken const token = lexer_.next();
    if (isInfinityWord(token)) return sign * infinity;
    if (token.kind != Kind::number) lexer_.fail(token, "a number or infinity");
    return builder_.large()(sign * token.value);
  }

  void setBound(int column, Kind kind, double value, LpToken const& place) {
    bool const isLower = kind != Kind::lessEqual;
    bool const isUpper = kind != Kind::greaterEqual;
    if ((isLower && value == infinity) || (isUpper && value == -infinity))
      lexer_.fail(place, "a bound that can be reached (" + builder_.large().meaning() + ")");
    if (isLower) builder_.lp().columnLower[column] = value;
    if (isUpper) builder_.lp().columnUpper[column] = value;
  }

  /// Names of columns that are integer, binary or semicontinuous.
  void marks(Section section) {
    while (!atSection()) {
      LpToken const name = lexer_.next();
      if (name.kind != Kind::name)
        lexer_.fail(name, "the name of a column, which does not begin with a digit, or a section");
      int const column = builder_.column(name.text);
      LinearProgram& lp = builder_.lp();
      if (section == Section::semicontinuous) {
        builder_.markSemicontinuous(column);
        continue;
      }
      lp.integer[column] = 1;
      // Bounds that the file gives stay, as in HiGHS, GLPK and CPLEX; those that it leaves become
      // 0 and 1.
      if (section != Section::binaries) continue;
      double& lower = lp.columnLower[column];
      double& upper = lp.columnUpper[column];
      if (lower == -infinity) lower = 0.0;
      if (upper == infinity) upper = 1.0;
      if (lower < 0.0 || upper > 1.0)
        notices_.push_back(concat("Line ", name.line, ": binary column ", quoted(name.text),
                                  " keeps its bounds outside of [0, 1]."));
    }
  }

  /// "name: S1:: column:weight column:weight ..."; S1:: may be missing where the section says it.
  void sets(int type) {
    while (!atSection()) {
      LpToken const name = lexer_.peek();
      if (!isLabel()) lexer_.fail(name, "the name of a set, or a section");
      lexer_.next();
      lexer_.next();
      LpToken const kind = lexer_.peek();
      bool const isKind =
          kind.kind == Kind::name && lexer_.peek(1).is(':') && lexer_.peek(2).is(':');
      if (isKind ? !isOneOf(kind.text, "S1 S2") : type == 0) lexer_.fail(kind, "S1:: or S2::");
      beginSet(name.text, isKind ? kind.text[1] - '0' : type);
      for (int k = 0; isKind && k < 3; ++k) lexer_.next();
      while (isLabel() && (lexer_.peek(2).kind == Kind::number || lexer_.peek(2).is('-')))
        readMember();
    }
  }

  FreeColumns freeColumns_ = FreeColumns::bothBounds;
  std::vector<std::string> notices_;
};

}  // namespace

ReadResult readCplexLp(LineSource& source, ReadOptions const& options) {
  LpLexer lexer(source, LpDialect::cplex);
  LpBuilder builder(options.infiniteFrom);
  return CplexLpReader(lexer, builder).read(options.freeColumns);
}

}  // namespace osi_cuda::readers
