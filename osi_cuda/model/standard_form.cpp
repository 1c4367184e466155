// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/standard_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/scaling.hpp"

namespace osi_cuda {

namespace {

double powerOfTwo(double logarithm) {
  return std::exp2(std::round(logarithm));
}

SparseMatrix& unshared(std::shared_ptr<SparseMatrix>& matrix) {
  if (matrix.use_count() > 1) matrix = std::make_shared<SparseMatrix>(*matrix);
  return *matrix;
}

int keptOf(std::vector<int> const& map) {
  return static_cast<int>(std::ranges::count_if(map, [](int old) { return old >= 0; }));
}

}  // namespace

StandardForm makeStandardForm(LinearProgram const& lp, bool scale) {
  StandardForm form;
  form.original_ = &lp.matrix;
  form.rowScale.assign(at(lp.rows()), 1.0);
  form.columnScale.assign(at(lp.columns()), 1.0);
  if (scale) {
    Scales scales = chooseScales(lp.matrix);
    form.isScaled_ = scales.change;
    form.full_ = scales.full;
    form.rowScale = std::move(scales.row);
    form.columnScale = std::move(scales.column);
    form.matrix();
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
  return form;
}

SparseMatrix const& StandardForm::matrix() const {
  if (!isScaled_) return *original_;
  if (!scaled_)
    scaled_ = std::make_shared<SparseMatrix const>(scaledBy(rowScale, columnScale, *original_));
  return *scaled_;
}

SparseMatrix const& StandardForm::transposed() const {
  if (!transposed_) transposed_ = std::make_shared<SparseMatrix>(matrix().transposed());
  return *transposed_;
}

void refreshBounds(StandardForm& form, LinearProgram const& lp, ChangeSet const& changed) {
  int const n = lp.columns();
  form.lower.resize(at(n) + at(lp.rows()));
  form.upper.resize(form.lower.size());
  changed.each(n + lp.rows(), [&](int variable) {
    double& lower = form.lower[at(variable)];
    double& upper = form.upper[at(variable)];
    if (variable < n) {
      lower = lp.columnLower[at(variable)] / form.columnScale[at(variable)];
      upper = lp.columnUpper[at(variable)] / form.columnScale[at(variable)];
    } else {
      lower = -lp.rowUpper[at(variable - n)] * form.rowScale[at(variable - n)];
      upper = -lp.rowLower[at(variable - n)] * form.rowScale[at(variable - n)];
    }
    // Bounds that cross by rounding only mean a fixed variable.
    double const size = std::fabs(lower) + std::fabs(upper);
    if (lower > upper && lower - upper <= 1e-9 * size) lower = upper = 0.5 * (lower + upper);
  });
}

void refreshCosts(StandardForm& form, LinearProgram const& lp) {
  auto const n = at(lp.columns());
  form.cost.assign(n + at(lp.rows()), 0.0);
  double largest = 0.0;
  for (std::size_t j = 0; j < n; ++j)
    largest = std::max(largest, std::fabs(lp.objective[j] * form.columnScale[j]));
  // Tolerances are absolute: bring costs of wild size near 1.
  double const magnitude = largest > 1024.0 || (largest > 0.0 && largest < 1.0 / 1024.0)
                               ? powerOfTwo(-std::log2(largest))
                               : 1.0;
  form.costScale = lp.sense == Sense::maximize ? -magnitude : magnitude;
  for (std::size_t j = 0; j < n; ++j)
    form.cost[j] = lp.objective[j] * form.columnScale[j] * form.costScale;
}

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
