// SPDX-License-Identifier: EPL-2.0
// In a file of its own: the device's side needs no more, and would have the host's engine with the
// libraries that it stands on linked to it.
#include "osi_cuda/batch/variant_base.hpp"

namespace osi_cuda::batch {

VariantBase baseOf(LinearProgram const& lp, CommonBasis const& common) {
  VariantBase base;
  base.rows = lp.rows();
  base.columns = lp.columns();
  base.sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  base.offset = lp.objectiveOffset;
  base.objective = lp.objective.data();
  base.columnLower = lp.columnLower.data();
  base.columnUpper = lp.columnUpper.data();
  base.rowLower = lp.rowLower.data();
  base.rowUpper = lp.rowUpper.data();
  base.rowVariable = common.rowVariable.data();
  base.columnVariable = common.columnVariable.data();
  base.position = common.position.data();
  base.rowValue = common.rowValue.data();
  base.columnValue = common.columnValue.data();
  base.reducedCost = common.reducedCost.data();
  return base;
}

std::vector<int> longLinesOf(SparseMatrix const& matrix) {
  std::vector<int> lines;
  for (int l = 0; l < matrix.columns; ++l) {
    auto const begin = matrix.starts.begin() + l;
    if (begin[1] - begin[0] > shortLine) lines.push_back(l);
  }
  return lines;
}

LinesView linesOf(SparseMatrix const& matrix, std::vector<int> const& longLines) {
  return {matrix.starts.data(), matrix.indices.data(), matrix.values.data(), longLines.data(),
          static_cast<int>(longLines.size())};
}

}  // namespace osi_cuda::batch
