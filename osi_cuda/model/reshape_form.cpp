// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "osi_cuda/model/scaling.hpp"
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

int keptOf(std::vector<int> const& map) {
  return static_cast<int>(std::ranges::count_if(map, [](int old) { return old >= 0; }));
}

}  // namespace

SparseMatrix StandardForm::newEntries(Reshape const& change) const {
  int const keptRows = keptOf(change.rows);
  SparseMatrix fresh;
  fresh.rows = rows();
  for (int j = 0; j < columns(); ++j) {
    auto const indices = original_->columnIndices(j);
    auto const values = original_->columnValues(j);
    bool const whole = change.columns[at(j)] < 0;
    std::size_t e = indices.size();
    while (e > 0 && (whole || indices[e - 1] >= keptRows)) --e;
    for (; e < indices.size(); ++e) fresh.add(indices[e], values[e]);
    fresh.endColumn();
  }
  return scaledBy(rowScale, columnScale, std::move(fresh));
}

void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change) {
  auto const lostRows = lostOf(change.rows, static_cast<int>(form.rowScale.size()));
  auto const oldColumns = static_cast<int>(form.columnScale.size());
  int const keptRows = keptOf(change.rows), keptColumns = keptOf(change.columns);
  reshape(form.rowScale, change.rows, 1.0);
  reshape(form.columnScale, change.columns, 1.0);
  form.full_ = false;
  form.scaled_.reset();
  if (form.isScaled_) {
    SparseMatrix const fresh = rowsFrom(lp.matrix, keptRows);
    for (int k = 0; k < fresh.columns; ++k)
      form.rowScale[at(keptRows + k)] = fittingScale(fresh, k, form.columnScale);
    for (int j = keptColumns; j < lp.columns(); ++j)
      form.columnScale[at(j)] = fittingScale(lp.matrix, j, form.rowScale);
  }
  if (keptColumns < std::max(oldColumns, lp.columns())) {
    form.transposed_.reset();
  } else if (form.transposed_) {
    removeColumns(unshared(form.transposed_), lostRows);
    appendColumns(*form.transposed_, rowsFrom(form.newEntries(change), keptRows));
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
}

}  // namespace osi_cuda
