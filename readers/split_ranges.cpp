// SPDX-License-Identifier: EPL-2.0
#include "readers/format_writers.hpp"

namespace osi_cuda::readers {

bool hasTwoBounds(LinearProgram const& lp, int row) {
  double const lower = lp.rowLower[row], upper = lp.rowUpper[row];
  return lower > -infinity && upper < infinity && lower != upper;
}

LinearProgram withSplitRanges(LinearProgram const& lp, bool freeRows) {
  LinearProgram split = lp;
  split.rowNames.clear();
  split.rowLower.clear();
  split.rowUpper.clear();
  SparseMatrix const byRows = lp.matrix.transposed();
  SparseMatrix newRows;  // the rows of the result as its columns
  newRows.rows = lp.columns();
  auto const add = [&](int i, std::string const& name, double lower, double upper) {
    for (auto const [j, a] : byRows.column(i)) newRows.add(j, a);
    newRows.endColumn();
    split.rowNames.push_back(name);
    split.addRow(lower, upper);
  };
  for (int i = 0; i < lp.rows(); ++i) {
    double const lower = lp.rowLower[i], upper = lp.rowUpper[i];
    if (!freeRows && lower == -infinity && upper == infinity) continue;
    bool const isRange = hasTwoBounds(lp, i);
    add(i, lp.rowName(i), isRange ? -infinity : lower, upper);
    if (isRange) add(i, lp.rowName(i) + "_low", lower, infinity);
  }
  split.matrix = newRows.transposed();
  return split;
}

}  // namespace osi_cuda::readers
