// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <memory>

#include "osi_cuda/model/scaling.hpp"
#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {
namespace {

SparseMatrix& unshared(std::shared_ptr<SparseMatrix>& matrix) {
  if (matrix.use_count() > 1) matrix = std::make_shared<SparseMatrix>(*matrix);
  return *matrix;
}

int keptOf(std::vector<int> const& map) {
  return static_cast<int>(std::ranges::count_if(map, [](int old) { return old >= 0; }));
}

}  // namespace

void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change) {
  auto const oldRows = static_cast<int>(form.rowScale.size()),
             oldColumns = static_cast<int>(form.columnScale.size());
  int const keptRows = keptOf(change.rows), keptColumns = keptOf(change.columns);
  reshape(form.rowScale, change.rows, 1.0);
  reshape(form.columnScale, change.columns, 1.0);
  form.full_ = false;
  form.scaled_.reset();
  form.newRows_ = rowsFrom(lp.matrix, keptRows);
  SparseMatrix added{lp.rows(), 0, {0}, {}, {}};
  for (int j = keptColumns; j < lp.columns(); ++j) {
    for (auto const [i, a] : lp.matrix.column(j)) added.add(i, a);
    added.endColumn();
  }
  form.newColumns_ = added.columns > 0 ? rowsFrom(added.transposed(), 0) : added;
  if (form.isScaled_) {
    fitScales(form.newRows_, form.columnScale, form.rowScale);
    fitScales(form.newColumns_, form.rowScale, form.columnScale);
  }
  if (keptColumns < std::max(oldColumns, lp.columns())) {
    form.transposed_.reset();
  } else if (form.transposed_) {
    std::vector<int> const number = newNumbers(change.rows, oldRows);
    std::vector<int> lost;
    for (int i = 0; i < oldRows; ++i)
      if (number[at(i)] < 0) lost.push_back(i);
    removeColumns(unshared(form.transposed_), lost);
    appendColumns(*form.transposed_, form.newRows_);
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
}

}  // namespace osi_cuda
