// SPDX-License-Identifier: EPL-2.0
#include "readers/lp_builder.hpp"

#include <algorithm>
#include <cmath>

#include "readers/number.hpp"

namespace osi_cuda::readers {

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
