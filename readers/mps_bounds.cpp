// SPDX-License-Identifier: EPL-2.0
//
// The sections RHS, RANGES and BOUNDS, and what follows from them at the end.
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
      source_.fail(valuePlace, std::string("a right-hand side that a row of type ") + type +
                                   " can reach (" + large_.meaning() + ")");
  }
}

void MpsParser::applyRanges(Pairs const& line) {
  if (!isFirst(rangeSets_, line.name, "RANGES")) return;
  for (int k = 0; k < line.count; ++k) {
    auto const& [row, value, place, valuePlace] = line.pairs[k];
    if (hasRange_[row]) source_.fail(place, "one range per row");
    if (rowTypes_[row] == 'N') notice("a range on a row of type N is ignored.");
    hasRange_[row] = 1;
    ranges_[row] = encoded_ ? value : parseExtended(valuePlace);
  }
}

namespace {

struct BoundTypeName {
  std::string_view name;
  bool needsValue;
};
// In the order of MpsParser::BoundType.
constexpr std::array<BoundTypeName, 10> boundTypes{{{"UP", true},
                                                    {"LO", true},
                                                    {"FX", true},
                                                    {"FR", false},
                                                    {"MI", false},
                                                    {"PL", false},
                                                    {"BV", false},
                                                    {"LI", true},
                                                    {"UI", true},
                                                    {"SC", true}}};

}  // namespace

/// type [set] column [number]
MpsParser::BoundLine MpsParser::parseBound(MpsFields const& fields) const {
  auto const type = std::ranges::find_if(
      boundTypes, [&](auto const& known) { return equalsIgnoringCase(known.name, fields[0]); });
  if (type == boundTypes.end())
    source_.fail(fields[0], "a bound type (UP, LO, FX, FR, MI, PL, BV, LI, UI or SC)");
  int columnField = 0;
  if (type->needsValue) {
    columnField = fields.count() >= 4 ? 2 : 1;
  } else {
    // Some writers add a number that means nothing: type column number, type set column number.
    bool const second = columnNames_.find(fields[2]) != NameTable::absent;
    columnField = fields.count() >= 4 || second ? 2 : 1;
  }
  BoundLine bound{};
  bound.type = static_cast<BoundType>(type - boundTypes.begin());
  if (columnField == 2) bound.set = fields[1];
  bound.place = fields[columnField];
  bound.column = columnNames_.find(bound.place);
  if (bound.column == NameTable::absent)
    source_.fail(bound.place,
                 bound.place.empty() ? "the name of a column" : "the name of a column in COLUMNS");
  expectEnd(fields, columnField + 2);
  bound.valuePlace = fields[columnField + 1];
  bool const hasValue = fields.count() > columnField + 1;
  if (!type->needsValue && !hasValue) return bound;
  Number const found = number(bound.valuePlace);
  if (found.fault != NumberFault::none && found.fault != NumberFault::infinite)
    source_.fail(bound.valuePlace, describe(found.fault));
  bound.value = found.value;
  return bound;
}

void MpsParser::applyBound(BoundLine const& bound) {
  if (!isFirst(boundSets_, bound.set, "BOUNDS")) return;
  auto const bit = static_cast<std::uint16_t>(1u << static_cast<int>(bound.type));
  if (boundsSeen_[bound.column] & bit)
    source_.fail(bound.place, "one bound of each type per column");
  boundsSeen_[bound.column] |= bit;

  double& lower = result_.lp.columnLower[bound.column];
  double& upper = result_.lp.columnUpper[bound.column];
  char& integer = result_.lp.integer[bound.column];
  double const value = large_(bound.value);
  auto const refuse = [&](double impossible) {
    if (value == impossible)
      source_.fail(bound.valuePlace, "a bound that can be reached (" + large_.meaning() + ")");
  };
  switch (bound.type) {
    case BoundType::ui:
      integer = 1;
      [[fallthrough]];
    case BoundType::sc:
    case BoundType::up:
      refuse(-infinity);
      upper = value;
      return;
    case BoundType::li:
      integer = 1;
      [[fallthrough]];
    case BoundType::lo:
      refuse(infinity);
      lower = value;
      return;
    case BoundType::fx:
      refuse(infinity);
      refuse(-infinity);
      lower = upper = value;
      return;
    case BoundType::fr:
      lower = -infinity;
      upper = infinity;
      return;
    case BoundType::mi:
      lower = -infinity;
      return;
    case BoundType::pl:
      upper = infinity;
      return;
    case BoundType::bv:
      integer = 1;
      lower = 0.0;
      upper = 1.0;
      return;
  }
}

/// The rules that speak of what was not said about a column.
void MpsParser::finishBounds() {
  LinearProgram& lp = result_.lp;
  auto const bits = [](auto... types) {
    return static_cast<std::uint16_t>(((1u << static_cast<int>(types)) | ...));
  };
  std::uint16_t const setLower = bits(BoundType::lo, BoundType::li, BoundType::fx, BoundType::fr,
                                      BoundType::mi, BoundType::bv);
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
    if (seen & bits(BoundType::sc)) {
      lp.columnLower[j] = std::min(lp.columnLower[j], 0.0);
      lp.columnUpper[j] = std::max(lp.columnUpper[j], 0.0);
      ++lp.semicontinuous;
    }
  }
  auto const report = [this](int count, char const* text) {
    if (count > 0) result_.notices.push_back(std::to_string(count) + text);
  };
  report(
      negativeUppers,
      " column(s) with a negative upper bound and no lower bound get the lower bound -infinity.");
  report(binaries, " integer column(s) without bounds get the upper bound 1.");
  report(lp.semicontinuous,
         " semicontinuous column(s) are relaxed: the value 0 joins the range of the bounds.");
  if (std::ranges::find(lp.integer, 1) == lp.integer.end()) lp.integer.clear();
}

/// Row bounds from type, right-hand side R and range r: E gives [R, R + r] or [R + r, R] by the
/// sign of r, L gives [R - |r|, R], G gives [R, R + |r|].
void MpsParser::finishRows() {
  LinearProgram& lp = result_.lp;
  auto const bound = [](double rhs, long double range) { return static_cast<double>(rhs + range); };
  lp.rowLower.assign(lp.rows(), -infinity);
  lp.rowUpper.assign(lp.rows(), infinity);
  for (int row = 0; row < rowNames_.size(); ++row) {
    int const i = modelRows_[row];
    char const type = rowTypes_[row];
    double const rhs = rhs_[row];
    bool const isFree = type == 'N' || std::isinf(rhs);  // whatever its range
    if (i < 0 || isFree) continue;
    long double const range = ranges_[row];
    double lower = rhs;
    double upper = rhs;
    if (type == 'L') lower = hasRange_[row] ? bound(rhs, -std::abs(range)) : -infinity;
    if (type == 'G') upper = hasRange_[row] ? bound(rhs, std::abs(range)) : infinity;
    if (type == 'E' && range > 0.0L) upper = bound(rhs, range);
    if (type == 'E' && range < 0.0L) lower = bound(rhs, range);
    lp.rowLower[i] = large_(lower);
    lp.rowUpper[i] = large_(upper);
  }
}

}  // namespace osi_cuda::readers
