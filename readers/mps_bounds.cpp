// SPDX-License-Identifier: EPL-2.0
//
// The sections RHS, RANGES, BOUNDS and SOS, and what follows from them at the end.
#include <algorithm>
#include <array>
#include <cmath>

#include "readers/mps_parser.hpp"
#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

/// [set] row number [row number]: an odd number of fields begins with the name of the set.
MpsParser::Pairs MpsParser::parseSetPairs(MpsFields const& fields, bool mayBeInfinite) {
  Pairs line;
  int const first = fields.count() % 2;
  if (first == 1) line.name = fields[0];
  line.pairs[line.count++] = parsePair(fields, first, mayBeInfinite);
  if (fields.count() > first + 2)
    line.pairs[line.count++] = parsePair(fields, first + 2, mayBeInfinite);
  expectEnd(fields, first + 4);
  return line;
}

void MpsParser::applyRhs(Pairs const& line) {
  if (!isFirst(rhsSets_, line.name, "RHS")) return;
  for (int k = 0; k < line.count; ++k) {
    auto const& [row, value, place, valuePlace] = line.pairs[k];
    if (hasRhs_[row]) source_.fail(place, "one right-hand side per row");
    hasRhs_[row] = 1;
    char const type = rowTypes_[row];
    if (type == 'N') {  // the objective row reads c'x - constant
      if (std::isinf(value)) source_.fail(valuePlace, "a finite number");
      if (modelRows_[row] == objectiveRow) result_.lp.objectiveOffset = 0.0 - value;
      continue;
    }
    rhs_[row] = large_(value);
    if (std::isinf(rhs_[row]) && (type == 'E' || (type == 'L') == (value < 0.0)))
      source_.fail(valuePlace, concat("a right-hand side that a row of type ", type, " can reach (",
                                      large_.meaning(), ")"));
  }
}

void MpsParser::applyRanges(Pairs const& line) {
  if (!isFirst(rangeSets_, line.name, "RANGES")) return;
  for (int k = 0; k < line.count; ++k) {
    auto const& [row, value, place, valuePlace] = line.pairs[k];
    if (hasRange_[row]) source_.fail(place, "one range per row");
    if (rowTypes_[row] == 'N') notice("a range on a row of type N is ignored.");
    hasRange_[row] = 1;
    ranges_[row] = {value, encoded_ ? value : parseExtended(valuePlace)};
  }
}

namespace {

/// What a type makes of one of the two bounds.
enum class Becomes { kept, value, minusInfinity, infinity, zero, one };
struct BoundRule {
  std::string_view name;
  Becomes lower, upper;
  bool makesInteger = false;
  bool isSemicontinuous = false;

  bool needsValue() const { return lower == Becomes::value || upper == Becomes::value; }
};
constexpr std::array<BoundRule, 10> boundRules{
    {{"UP", Becomes::kept, Becomes::value},
     {"LO", Becomes::value, Becomes::kept},
     {"FX", Becomes::value, Becomes::value},
     {"FR", Becomes::minusInfinity, Becomes::infinity},
     {"MI", Becomes::minusInfinity, Becomes::kept},
     {"PL", Becomes::kept, Becomes::infinity},
     {"BV", Becomes::zero, Becomes::one, true},
     {"LI", Becomes::value, Becomes::kept, true},
     {"UI", Becomes::kept, Becomes::value, true},
     {"SC", Becomes::kept, Becomes::value, false, true}}};

/// The rules with that property, a bit each.
template <class Property>
std::uint16_t rulesWith(Property has) {
  unsigned bits = 0;
  for (std::size_t k = 0; k < boundRules.size(); ++k) bits |= unsigned{has(boundRules[k])} << k;
  return static_cast<std::uint16_t>(bits);
}

}  // namespace

/// type [set] column [number]
MpsParser::BoundLine MpsParser::parseBound(MpsFields const& fields) const {
  auto const type = std::ranges::find_if(
      boundRules, [&](auto const& known) { return equalsIgnoringCase(known.name, fields[0]); });
  if (type == boundRules.end())
    source_.fail(fields[0], "a bound type (UP, LO, FX, FR, MI, PL, BV, LI, UI or SC)");
  int columnField = 0;
  // SC without a number: there is no upper bound.
  bool const isOpen = type->isSemicontinuous && fields.count() < 4 &&
                      (fields.count() < 3 || columnNames_.find(fields[1]) == NameTable::absent);
  if (type->needsValue() && !isOpen) {
    columnField = fields.count() >= 4 ? 2 : 1;
  } else {
    // Some writers add a number that means nothing: type column number, type set column number.
    bool const second = columnNames_.find(fields[2]) != NameTable::absent;
    columnField = fields.count() >= 4 || second ? 2 : 1;
  }
  BoundLine bound{};
  bound.rule = static_cast<int>(type - boundRules.begin());
  if (columnField == 2) bound.set = fields[1];
  bound.place = fields[columnField];
  bound.column = columnNames_.find(bound.place);
  if (bound.column == NameTable::absent)
    source_.fail(bound.place,
                 bound.place.empty() ? "the name of a column" : "the name of a column in COLUMNS");
  expectEnd(fields, columnField + 2);
  bound.valuePlace = fields[columnField + 1];
  bool const hasValue = fields.count() > columnField + 1;
  bound.value = infinity;
  if ((!type->needsValue() || isOpen) && !hasValue) return bound;
  Number const found = number(bound.valuePlace);
  if (found.fault != NumberFault::none && found.fault != NumberFault::infinite)
    source_.fail(bound.valuePlace, describe(found.fault));
  bound.value = found.value;
  return bound;
}

void MpsParser::applyBound(BoundLine const& bound) {
  if (!isFirst(boundSets_, bound.set, "BOUNDS")) return;
  auto const bit = static_cast<std::uint16_t>(1u << bound.rule);
  if (boundsSeen_[bound.column] & bit)
    source_.fail(bound.place, "one bound of each type per column");
  boundsSeen_[bound.column] |= bit;

  BoundRule const& rule = boundRules[at(bound.rule)];
  double const value = large_(bound.value);
  bool const isBeyond = (rule.lower == Becomes::value && value == infinity) ||
                        (rule.upper == Becomes::value && value == -infinity);
  if (isBeyond)
    source_.fail(bound.valuePlace, "a bound that can be reached (" + large_.meaning() + ")");
  auto const become = [value](Becomes what, double& side) {
    if (what == Becomes::kept) return;
    constexpr double values[] = {0.0, 0.0, -infinity, infinity, 0.0, 1.0};
    side = what == Becomes::value ? value : values[static_cast<int>(what)];
  };
  become(rule.lower, result_.lp.columnLower[bound.column]);
  become(rule.upper, result_.lp.columnUpper[bound.column]);
  if (rule.makesInteger) result_.lp.integer[bound.column] = 1;
}

/// S1|S2 [set] name [priority] begins a set; its members are lines of [set] column weight; a
/// column alone has its place as its weight.
MpsParser::SetLine MpsParser::parseOrderedSet(MpsFields const& fields) const {
  std::vector<OrderedSet> const& sets = result_.lp.choices.sets;
  int const last = fields.count() - 1, first = last > 1 ? 1 : 0;
  Number const found = number(fields[last]);
  bool const isNumber = found.fault == NumberFault::none;
  SetLine line{"", "", columnNames_.find(fields[first]), found.value, fields[first]};
  bool const isMember = last == 1 && isNumber && line.column != NameTable::absent;
  if (isOneOf(fields[0], "S1 S2") && (sets.empty() || !isMember)) {  // no column's name
    bool const hasPriority = last > 1 && isNumber;
    if (!hasPriority) line.number = 0.0;
    if (std::abs(line.number) > 1e9 || line.number != std::trunc(line.number))
      source_.fail(fields[last], "a whole number, the priority of a set");
    line.type = fields[0];
    if (last > 0) line.name = fields[last - hasPriority];
    expectEnd(fields, 3 + hasPriority);
    checkName(line.name, "set");
    return line;
  }
  if (sets.empty()) source_.fail(fields[0], "S1 or S2, which begins a set");
  if (line.column == NameTable::absent)
    source_.fail(line.place, "the name of a column in COLUMNS, or S1 or S2");
  expectEnd(fields, 3);
  if (last == 0) line.number = static_cast<double>(sets.back().columns.size()) + 1.0;
  if (last > 0 && !isNumber) source_.fail(fields[last], describe(found.fault));
  return line;
}

void MpsParser::applyOrderedSet(SetLine const& line) {
  if (!line.type.empty())
    result_.lp.choices.sets.push_back(
        {std::string(line.name), line.type[1] - '0', static_cast<int>(line.number), {}, {}});
  else if (!setMembers_.add(result_.lp, line.column, line.number))
    source_.fail(line.place, "each column once in a set");
}

/// The rules that speak of what was not said about a column.
void MpsParser::finishBounds() {
  LinearProgram& lp = result_.lp;
  auto const setLower = rulesWith([](auto const& rule) { return rule.lower != Becomes::kept; });
  auto const semicontinuous = rulesWith([](auto const& rule) { return rule.isSemicontinuous; });
  int negativeUppers = 0;
  int binaries = 0;
  for (int j = 0; j < lp.columns(); ++j) {
    std::uint16_t const seen = boundsSeen_[j];
    if (lp.columnUpper[j] < 0.0 && !(seen & setLower)) {
      lp.columnLower[j] = -infinity;
      ++negativeUppers;
    }
    if (lp.integer[j] && seen == 0) {
      lp.columnUpper[j] = 1.0;
      ++binaries;
    }
    if (seen & semicontinuous)
      lp.choices.addSemicontinuous(j, lp.columnLower[j], lp.columnUpper[j]);
  }
  auto const report = [this](int count, char const* text) {
    if (count > 0) result_.notices.push_back(concat(count, text));
  };
  report(
      negativeUppers,
      " column(s) with a negative upper bound and no lower bound get the lower bound -infinity.");
  report(binaries, " integer column(s) without bounds get the upper bound 1.");
  lp.choices.sortSets();
  if (std::ranges::find(lp.integer, 1) == lp.integer.end()) lp.integer.clear();
}

/// Row bounds from type, right-hand side R and range r: E gives [R, R + r] or [R + r, R] by the
/// sign of r, L gives [R - |r|, R], G gives [R, R + |r|].
void MpsParser::finishRows() {
  LinearProgram& lp = result_.lp;
  lp.rowLower.assign(lp.rows(), -infinity);
  lp.rowUpper.assign(lp.rows(), infinity);
  for (int row = 0; row < rowNames_.size(); ++row) {
    int const i = modelRows_[row];
    char const type = rowTypes_[row];
    double const rhs = rhs_[row];
    bool const isFree = type == 'N' || std::isinf(rhs);  // whatever its range
    if (i < 0 || isFree) continue;
    Range const range = ranges_[row];
    auto const bound = [&](double sign) {
      return sumOf(rhs, sign * range.value, sign * range.extended);
    };
    double const away = range.extended < 0.0L ? -1.0 : 1.0;
    double lower = rhs;
    double upper = rhs;
    if (type == 'L') lower = hasRange_[row] ? bound(-away) : -infinity;
    if (type == 'G') upper = hasRange_[row] ? bound(away) : infinity;
    if (type == 'E' && range.extended > 0.0L) upper = bound(1.0);
    if (type == 'E' && range.extended < 0.0L) lower = bound(1.0);
    lp.rowLower[i] = large_(lower);
    lp.rowUpper[i] = large_(upper);
  }
}

}  // namespace osi_cuda::readers
