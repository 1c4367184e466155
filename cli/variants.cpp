// SPDX-License-Identifier: EPL-2.0
#include "cli/variants.hpp"

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "readers/name_index.hpp"
#include "readers/number.hpp"
#include "shell/csv_table.hpp"

namespace osi_cuda::cli {

using What = VariantChange::What;
namespace {

constexpr std::pair<std::string_view, What> kinds[] = {
    {"cost:", What::cost},         {"lower:", What::columnLower},  {"upper:", What::columnUpper},
    {"rhs:", What::rightHandSide}, {"row-lower:", What::rowLower}, {"row-upper:", What::rowUpper}};

bool isOfColumn(What what) {
  return what == What::cost || what == What::columnLower || what == What::columnUpper;
}

/// What one column of the file changes; nothing: it names the lines.
using Target = std::optional<std::pair<What, int>>;

class Header {
 public:
  explicit Header(LinearProgram const& lp)
      : lp_(lp),
        columns_(lp.columns(), [&](int j) { return lp.columnName(j); }),
        rows_(lp.rows(), [&](int i) { return lp.rowName(i); }) {}

  /// `table` has just been opened.
  std::vector<Target> read(shell::CsvTable const& table) const {
    std::vector<Target> targets;
    for (std::size_t c = 0; c < table.header().size(); ++c) {
      std::string const& word = table.header()[c];
      targets.push_back(word == "name" ? Target() : targetOf(table, c, word));
    }
    return targets;
  }

 private:
  Target targetOf(shell::CsvTable const& table, std::size_t c, std::string const& word) const {
    for (auto const& [prefix, what] : kinds) {
      if (!word.starts_with(prefix)) continue;
      bool const ofColumn = isOfColumn(what);
      int const index = (ofColumn ? columns_ : rows_).find(word.substr(prefix.size()));
      if (index == readers::NameIndex::absent)
        table.fail(c, std::string(prefix) + " and the name of a " + (ofColumn ? "column" : "row") +
                          " of the model");
      if (what == What::rightHandSide) checkRightHandSide(table, c, index);
      return std::pair(what, index);
    }
    table.fail(c,
               "name, cost:COLUMN, lower:COLUMN, upper:COLUMN, rhs:ROW, row-lower:ROW or "
               "row-upper:ROW");
  }

  void checkRightHandSide(shell::CsvTable const& table, std::size_t c, int row) const {
    auto const i = static_cast<std::size_t>(row);
    bool const lower = std::isfinite(lp_.rowLower[i]), upper = std::isfinite(lp_.rowUpper[i]);
    if (lower != upper || (lower && lp_.rowLower[i] == lp_.rowUpper[i])) return;
    table.fail(c, "a row with one right-hand side (others have row-lower and row-upper)");
  }

  LinearProgram const& lp_;
  readers::NameIndex columns_, rows_;
};

double numberOf(shell::CsvTable const& table, std::size_t c, What what) {
  readers::Number const number = readers::parseNumber(table.text(c));
  bool const bound = what != What::cost;
  if (number.fault == readers::NumberFault::none)
    return bound ? readers::withInfinity(number.value) : number.value;
  if (bound && number.fault == readers::NumberFault::infinite) return number.value;
  table.fail(c, bound ? "a number, inf or -inf" : "a number");
}

}  // namespace

std::vector<Variant> readVariants(std::string const& path, LinearProgram const& lp) {
  shell::CsvTable table(path);
  std::vector<Target> const targets = Header(lp).read(table);
  std::vector<Variant> variants;
  while (table.next()) {
    Variant variant;
    for (std::size_t c = 0; c < targets.size(); ++c) {
      std::string const text = table.text(c);
      if (!targets[c])
        variant.name = text;
      else if (!text.empty())
        variant.changes.push_back(
            {targets[c]->first, targets[c]->second, numberOf(table, c, targets[c]->first)});
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

LinearProgram applied(LinearProgram const& lp, Variant const& variant) {
  LinearProgram changed = lp;
  for (VariantChange const& change : variant.changes) {
    auto const k = static_cast<std::size_t>(change.index);
    switch (change.what) {
      case What::cost:
        changed.objective[k] = change.value;
        break;
      case What::columnLower:
        changed.columnLower[k] = change.value;
        break;
      case What::columnUpper:
        changed.columnUpper[k] = change.value;
        break;
      case What::rowLower:
        changed.rowLower[k] = change.value;
        break;
      case What::rowUpper:
        changed.rowUpper[k] = change.value;
        break;
      case What::rightHandSide:
        if (std::isfinite(lp.rowLower[k])) changed.rowLower[k] = change.value;
        if (std::isfinite(lp.rowUpper[k])) changed.rowUpper[k] = change.value;
        break;
    }
  }
  return changed;
}

}  // namespace osi_cuda::cli
