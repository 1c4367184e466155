// SPDX-License-Identifier: EPL-2.0
#include "cli/variants.hpp"

#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "readers/model_names.hpp"
#include "readers/number.hpp"
#include "shell/csv_table.hpp"

namespace osi_cuda::cli {
namespace {

using shell::CsvTable;

enum class Kind { cost, columnLower, columnUpper, rowLower, rowUpper, coefficient, rightHandSide };
static_assert(static_cast<int>(Kind::coefficient) ==
              static_cast<int>(VariantChange::What::coefficient));

constexpr std::pair<std::string_view, Kind> kinds[] = {
    {"cost", Kind::cost},         {"lower", Kind::columnLower},  {"upper", Kind::columnUpper},
    {"rhs", Kind::rightHandSide}, {"row-lower", Kind::rowLower}, {"row-upper", Kind::rowUpper}};

bool isOfRow(Kind kind) {
  return kind == Kind::rightHandSide || kind == Kind::rowLower || kind == Kind::rowUpper;
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
    using What = VariantChange::What;
    double const value = numberOf(table, cell, kind);
    auto const k = at(index);
    if (kind != Kind::rightHandSide)
      return changes.push_back({static_cast<What>(kind), index, value, row});
    if (std::isfinite(lp_.rowLower[k])) changes.push_back({What::rowLower, index, value});
    if (std::isfinite(lp_.rowUpper[k])) changes.push_back({What::rowUpper, index, value});
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
  for (auto const& [text, kind] : kinds) {
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
  for (auto const& [text, kind] : kinds)
    if (word == text) return kind;
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

}  // namespace osi_cuda::cli
