// SPDX-License-Identifier: EPL-2.0
#include <cmath>
#include <memory>
#include <span>

#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {
namespace {

/// The power of two that brings the geometric mean of a vector's entries, given the factors of the
/// other dimension, near 1.
double fittingScale(SparseMatrix const& matrix, int j, std::vector<double> const& other) {
  double sum = 0.0;
  int count = 0;
  for (auto const [i, value] : matrix.column(j)) {
    double const size = std::fabs(value * other[at(i)]);
    if (size == 0.0) continue;
    sum += std::log2(size);
    ++count;
  }
  return count > 0 ? std::exp2(std::round(-sum / count)) : 1.0;
}

std::vector<int> lostOf(std::vector<int> const& map, int size) {
  std::vector<int> const number = newNumbers(map, size);
  std::vector<int> lost;
  for (int i = 0; i < size; ++i)
    if (number[at(i)] < 0) lost.push_back(i);
  return lost;
}

SparseMatrix& unshared(std::shared_ptr<SparseMatrix>& matrix) {
  if (matrix.use_count() > 1) matrix = std::make_shared<SparseMatrix>(*matrix);
  return *matrix;
}

/// The columns of `matrix` from number `first` on, scaled; `own` has the new ones' factors.
SparseMatrix scaledFrom(SparseMatrix const& matrix, int first, std::span<double const> own,
                        std::vector<double> const& other) {
  SparseMatrix part;
  part.rows = matrix.rows;
  for (int j = first; j < matrix.columns; ++j) {
    for (auto const [i, a] : matrix.column(j)) part.add(i, a * own[at(j - first)] * other[at(i)]);
    part.endColumn();
  }
  return part;
}

}  // namespace

void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change) {
  auto const lostRows = lostOf(change.rows, static_cast<int>(form.rowScale.size()));
  auto const lostColumns = lostOf(change.columns, static_cast<int>(form.columnScale.size()));
  auto const keptRows = static_cast<int>(form.rowScale.size() - lostRows.size());
  auto const keptColumns = static_cast<int>(form.columnScale.size() - lostColumns.size());
  bool const columnsStay = lostColumns.empty() && keptColumns == lp.columns();
  reshape(form.rowScale, change.rows, 1.0);
  reshape(form.columnScale, change.columns, 1.0);
  form.full_ = false;
  SparseMatrix fresh;
  if (keptRows < lp.rows()) fresh = rowsFrom(lp.matrix, keptRows);
  if (form.scaled_) {
    SparseMatrix& changed = unshared(form.scaled_);
    removeColumns(changed, lostColumns);
    std::span const ofRows = std::span(form.rowScale).subspan(at(keptRows));
    for (int k = 0; k < fresh.columns; ++k)
      ofRows[at(k)] = fittingScale(fresh, k, form.columnScale);
    fresh = scaledFrom(fresh, 0, ofRows, form.columnScale);
    replaceRows(changed, lostRows, fresh);
    std::span const ofColumns = std::span(form.columnScale).subspan(at(keptColumns));
    for (int j = keptColumns; j < lp.columns(); ++j)
      form.columnScale[at(j)] = fittingScale(lp.matrix, j, form.rowScale);
    appendColumns(changed, scaledFrom(lp.matrix, keptColumns, ofColumns, form.rowScale));
  }
  if (!columnsStay) {
    form.transposed_.reset();
  } else if (form.transposed_) {
    removeColumns(unshared(form.transposed_), lostRows);
    appendColumns(*form.transposed_, fresh);
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
}

}  // namespace osi_cuda
