// SPDX-License-Identifier: EPL-2.0
#include "readers/split_ranges.hpp"

namespace osi_cuda::readers {

LinearProgram withSplitRanges(LinearProgram const& lp) {
  LinearProgram split = lp;
  split.rowNames.clear();
  split.rowLower.clear();
  split.rowUpper.clear();
  SparseMatrix const byRows = lp.matrix.transposed();
  SparseMatrix newRows;  // the rows of the result as its columns
  newRows.rows = lp.columns();
  auto const add = [&](int i, std::string const& name, double lower, double upper) {
    auto const columns = byRows.columnIndices(i);
    auto const values = byRows.columnValues(i);
    newRows.indices.insert(newRows.indices.end(), columns.begin(), columns.end());
    newRows.values.insert(newRows.values.end(), values.begin(), values.end());
    newRows.starts.push_back(static_cast<std::int64_t>(newRows.indices.size()));
    ++newRows.columns;
    split.rowNames.push_back(name);
    split.rowLower.push_back(lower);
    split.rowUpper.push_back(upper);
  };
  for (int i = 0; i < lp.rows(); ++i) {
    double const lower = lp.rowLower[i], upper = lp.rowUpper[i];
    bool const isRange = lower > -infinity && upper < infinity && lower != upper;
    add(i, lp.rowName(i), isRange ? -infinity : lower, upper);
    if (isRange) add(i, lp.rowName(i) + "_low", lower, infinity);
  }
  split.matrix = newRows.transposed();
  return split;
}

}  // namespace osi_cuda::readers
