// SPDX-License-Identifier: EPL-2.0
#include "readers/model_names.hpp"

#include "readers/solution_text.hpp"

namespace osi_cuda::readers {

ModelNames::ModelNames(LineSource const& source, LinearProgram const& lp)
    : source_(source),
      lp_(lp),
      columns_(lp.columns(), [&lp](int j) { return lp.columnName(j); }),
      rows_(lp.rows(), [&lp](int i) { return lp.rowName(i); }) {}

int ModelNames::find(std::string_view name, bool isRows, int position) const {
  bool const isThere = position < size(isRows) &&
                       name == (isRows ? lp_.rowName(position) : lp_.columnName(position));
  return isThere ? position : (isRows ? rows_ : columns_).find(name);
}

int ModelNames::index(std::string_view name, bool isRows, int position) const {
  int const index = find(name, isRows, position);
  if (index == NameTable::absent)
    source_.fail(name, isRows ? "the name of a row" : "the name of a column");
  return index;
}

int ModelNames::count(std::string_view word, bool isRows, bool orNone) const {
  std::string const expected =
      concat("the number of ", isRows ? "rows" : "columns", ", ", size(isRows));
  int const found = solutionIndex(source_, word, size(isRows), expected);
  if (found != size(isRows) && !(orNone && found == 0)) source_.fail(word, expected);
  return found;
}

}  // namespace osi_cuda::readers
