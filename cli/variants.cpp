// SPDX-License-Identifier: EPL-2.0
#include "cli/variants.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "readers/formats.hpp"
#include "readers/input.hpp"
#include "readers/name_table.hpp"
#include "readers/npz_arrays.hpp"
#include "readers/number.hpp"
#include "readers/read_error.hpp"
#include "shell/csv_table.hpp"

namespace osi_cuda::cli {

namespace {

using readers::NpzArray;
using readers::ReadError;
using shell::CsvTable;
using What = VariantChange::What;

enum class Kind { cost, columnLower, columnUpper, rowLower, rowUpper, coefficient, rightHandSide };
static_assert(static_cast<int>(Kind::coefficient) == static_cast<int>(What::coefficient));

/// What files change, and what it is called in CSV files and among arrays.
struct Sort {
  Kind kind;
  std::string_view word;
  char const* array;
};
constexpr Sort sorts[] = {{Kind::cost, "cost", "c"},
                          {Kind::columnLower, "lower", "lower"},
                          {Kind::columnUpper, "upper", "upper"},
                          {Kind::rowLower, "row-lower", "row_lower"},
                          {Kind::rowUpper, "row-upper", "row_upper"},
                          {Kind::rightHandSide, "rhs", "rhs"}};
constexpr std::array knownNames{"c", "lower", "upper", "row_lower", "row_upper", "rhs", "names"};

bool isOfRow(Kind kind) {
  return kind == Kind::rightHandSide || kind == Kind::rowLower || kind == Kind::rowUpper;
}

/// give(what) for each number that one of that kind replaces in column or row k: a right-hand side
/// is the bounds that the row has.
void forReplaced(LinearProgram const& lp, Kind kind, std::size_t k, auto const& give) {
  if (kind != Kind::rightHandSide) return give(static_cast<What>(kind));
  if (std::isfinite(lp.rowLower[k])) give(What::rowLower);
  if (std::isfinite(lp.rowUpper[k])) give(What::rowUpper);
}

/// Turns names and texts of cells into changes of a model.
struct ChangeReader {
  /// The column or row whose numbers of that kind change; `before` stands before its name.
  int find(CsvTable const& table, std::size_t cell, std::string const& name, Kind kind,
           std::string const& before = "") const {
    bool const row = isOfRow(kind);
    int const index = (row ? rows_ : columns_).find(name);
    if (index == readers::NameTable::absent)
      table.fail(cell, before + "the name of a " + (row ? "row" : "column") + " of the model");
    if (kind == Kind::rightHandSide && !hasOneSide(lp_, index))
      table.fail(cell, "a row with one right-hand side (others have row-lower and row-upper)");
    return index;
  }

  /// Appends what the number in that cell changes.
  void add(CsvTable const& table, std::size_t cell, Kind kind, int index, int row,
           std::vector<VariantChange>& changes) const {
    double const value = numberOf(table, cell, kind);
    forReplaced(lp_, kind, at(index), [&](What what) {
      changes.push_back({what, index, value, row});
    });
  }

  double numberOf(CsvTable const& table, std::size_t cell, Kind kind) const {
    readers::Number const number = readers::parseNumber(table.text(cell));
    bool const bound = kind != Kind::cost && kind != Kind::coefficient;
    if (number.fault == readers::NumberFault::none)
      return bound ? large_(number.value) : number.value;
    if (bound && number.fault == readers::NumberFault::infinite) return number.value;
    table.fail(cell, bound ? "a number, inf or -inf" : "a number");
  }

  LinearProgram const& lp_;
  LargeBounds& large_;
  readers::NameTable const columns_{lp_.columns(), [this](int j) { return lp_.columnName(j); }},
      rows_{lp_.rows(), [this](int i) { return lp_.rowName(i); }};
};

/// What one column of a file with a line a variant changes; nothing: it names the lines.
using Target = std::optional<std::pair<Kind, int>>;

Target targetOf(CsvTable const& table, std::size_t c, ChangeReader const& reader) {
  std::string const& word = table.header()[c];
  if (word == "name") return {};
  for (auto const& [kind, text, array] : sorts) {
    std::string const prefix = std::string(text) + ':';
    if (!word.starts_with(prefix)) continue;
    return std::pair(kind,
                     reader.find(table, c, word.substr(prefix.size()), kind, prefix + " and "));
  }
  table.fail(c,
             "name, cost:COLUMN, lower:COLUMN, upper:COLUMN, rhs:ROW, row-lower:ROW or "
             "row-upper:ROW");
}

Variants readLineAVariant(CsvTable& table, ChangeReader const& reader) {
  std::vector<Target> targets;
  for (std::size_t c = 0; c < table.header().size(); ++c)
    targets.push_back(targetOf(table, c, reader));
  Variants variants;
  while (table.next()) {
    std::string name;
    std::vector<VariantChange> changes;
    for (std::size_t c = 0; c < targets.size(); ++c) {
      std::string const text = table.text(c);
      if (!targets[c])
        name = text;
      else if (!text.empty())
        reader.add(table, c, targets[c]->first, targets[c]->second, 0, changes);
    }
    variants.names.push_back(std::move(name));
    variants.changes.add(changes);
  }
  return variants;
}

Kind kindOf(CsvTable const& table, std::size_t cell) {
  std::string const word = table.text(cell);
  if (word == "coefficient") return Kind::coefficient;
  for (auto const& sort : sorts)
    if (word == sort.word) return sort.kind;
  table.fail(cell, "cost, lower, upper, rhs, row-lower, row-upper or coefficient");
}

Variants readLineAChange(CsvTable& table, ChangeReader const& reader) {
  std::size_t const variant = table.need("variant"), kindCell = table.need("kind"),
                    nameCell = table.need("name"), valueCell = table.need("value");
  std::optional<std::size_t> const rowCell = table.find("row");
  auto const indexOf = [&](std::size_t cell, Kind kind) {
    return reader.find(table, cell, table.text(cell), kind);
  };
  std::map<std::string, std::size_t> places;
  Variants variants;
  std::vector<std::vector<VariantChange>> changes;
  while (table.next()) {
    std::string const name = table.text(variant);
    auto const [place, fresh] = places.try_emplace(name, changes.size());
    if (fresh) {
      variants.names.push_back(name);
      changes.emplace_back();
    }
    // A variant without changes has a line with nothing but its name.
    if (table.text(kindCell).empty() && table.text(nameCell).empty()) continue;
    Kind const kind = kindOf(table, kindCell);
    int const index = indexOf(nameCell, kind);
    if (kind == Kind::coefficient && !rowCell)
      table.fail(kindCell, "a column `row` in the header for coefficients");
    // Found as the row of a limit is.
    int const row = kind == Kind::coefficient ? indexOf(*rowCell, Kind::rowLower) : 0;
    reader.add(table, valueCell, kind, index, row, changes[place->second]);
  }
  for (std::vector<VariantChange> const& own : changes) variants.changes.add(own);
  return variants;
}

class ArrayReader final : readers::NpzArchive {
 public:
  ArrayReader(readers::RandomAccess const& file, std::string const& path, LinearProgram const& lp,
              LargeBounds& large)
      : NpzArchive(file, path, knownNames, std::numeric_limits<std::uint64_t>::max()),
        path_(path),
        lp_(lp),
        large_(large) {}

  Variants read() {
    std::vector<std::vector<VariantChange>> changes(count());
    for (Sort const& sort : sorts)
      if (NpzArray const* const array = find(sort.array)) take(sort, *array, changes);
    Variants variants;
    variants.names = names();
    for (std::vector<VariantChange> const& own : changes) variants.changes.add(own);
    return variants;
  }

 private:
  /// K, which all arrays have to agree on.
  std::size_t count() const {
    if (arrays().empty()) throw ReadError(path_, "archive", "arrays of variants", "none");
    for (NpzArray const& array : arrays())
      if (array.header().shape.empty())
        fail(array.name(), "variants in the first dimension", array.shapeText());
    std::uint64_t const first = arrays().front().header().shape.front();
    for (NpzArray const& array : arrays()) {
      std::uint64_t const own = array.header().shape.front();
      if (own != first)
        fail(array.name(), concat(first, " variants, as in ", arrays().front().name()),
             std::to_string(own));
    }
    return first;
  }

  void take(Sort const& sort, NpzArray const& array,
            std::vector<std::vector<VariantChange>>& changes) const {
    std::size_t const lines = changes.size(),
                      width = at(isOfRow(sort.kind) ? lp_.rows() : lp_.columns());
    std::string const expected = concat(lines, " x ", width);
    auto const& shape = array.header().shape;
    if (!array.isNumber() || shape.size() != 2 || shape[1] != width)
      fail(sort.array, "numbers of shape " + expected,
           array.isNumber() ? array.shapeText() : "texts");
    std::vector<double> const values = of(sort.array, [&] { return array.numbers({}); });
    bool const fortran = array.header().fortranOrder;
    for (std::size_t k = 0; k < lines; ++k)
      for (std::size_t i = 0; i < width; ++i) {
        double const value = values[fortran ? i * lines + k : k * width + i];
        if (std::isnan(value)) continue;  // the model's own
        if (sort.kind == Kind::cost && std::isinf(value))
          fail(sort.array, "a finite number or NaN" + placeOf(k, i), "inf");
        add(sort, k, i, value, changes[k]);
      }
  }

  static std::string placeOf(std::size_t k, std::size_t i) {
    return concat(" at [", k, ", ", i, "]");
  }

  /// Appends the change, if it is one.
  void add(Sort const& sort, std::size_t k, std::size_t i, double number,
           std::vector<VariantChange>& changes) const {
    double const value = sort.kind == Kind::cost ? number : large_(number);
    auto const index = static_cast<int>(i);
    if (sort.kind == Kind::rightHandSide && !hasOneSide(lp_, index))
      fail(sort.array,
           "NaN" + placeOf(k, i) + ", for row " + lp_.rowName(index) +
               " has no single right-hand side (others have row_lower and row_upper)",
           std::to_string(number));
    forReplaced(lp_, sort.kind, i, [&](What what) {
      if (numberOf(lp_, what, i) != value) changes.push_back({what, index, value});
    });
  }

  std::vector<std::string> names() const {
    std::size_t const lines = arrays().front().header().shape.front();
    NpzArray const* const array = find("names");
    if (!array) return std::vector<std::string>(lines);
    if (!array->isText() || array->header().shape.size() != 1)
      fail("names", concat(lines, " texts"), array->isText() ? array->shapeText() : "numbers");
    return of("names", [&] { return array->texts({}); });
  }

  std::string const& path_;
  LinearProgram const& lp_;
  LargeBounds& large_;
};

}  // namespace

bool hasOneSide(LinearProgram const& lp, int row) {
  auto const i = at(row);
  bool const lower = std::isfinite(lp.rowLower[i]), upper = std::isfinite(lp.rowUpper[i]);
  return lower != upper || (lower && lp.rowLower[i] == lp.rowUpper[i]);
}

Variants readVariants(std::string const& path, LinearProgram const& lp, LargeBounds& large) {
  if (std::optional<Variants> arrays = readVariantArrays(path, lp, large))
    return std::move(*arrays);
  ChangeReader const reader{lp, large};
  CsvTable table(path);
  if (!table.find("kind")) return readLineAVariant(table, reader);
  // Cells that a change has no use for may be left out.
  CsvTable changes(path, shell::ShortLines::emptyCells);
  return readLineAChange(changes, reader);
}

std::optional<Variants> readVariantArrays(std::string const& path, LinearProgram const& lp,
                                          LargeBounds& large) {
  using namespace std::string_view_literals;
  // An archive begins with its first member, or, where it is empty, with the end of its directory:
  // the plain one, or that of large archives, which some programs write for all.
  std::unique_ptr<readers::RandomAccess> file;
  for (std::string_view const start : {readers::zipStart, "PK\x05\x06"sv, "PK\x06\x06"sv})
    if (!file) file = readers::openRandomAccess(path, start);
  if (!file) return std::nullopt;
  return ArrayReader(*file, path, lp, large).read();
}

}  // namespace osi_cuda::cli
