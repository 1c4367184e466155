// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/standard_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/model/scaling.hpp"

namespace osi_cuda {
namespace {

double powerOfTwo(double logarithm) {
  return std::exp2(std::round(logarithm));
}

}  // namespace

StandardForm makeStandardForm(LinearProgram const& lp, bool scale) {
  StandardForm form;
  form.original_ = &lp.matrix;
  form.rowScale.assign(static_cast<std::size_t>(lp.rows()), 1.0);
  form.columnScale.assign(static_cast<std::size_t>(lp.columns()), 1.0);
  if (scale) {
    Scales scales = chooseScales(lp.matrix);
    if (scales.change)
      form.scaled_ = std::make_shared<SparseMatrix const>(scaledBy(scales, lp.matrix));
    form.full_ = scales.full;
    form.rowScale = std::move(scales.row);
    form.columnScale = std::move(scales.column);
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
  return form;
}

SparseMatrix const& StandardForm::transposed() const {
  if (!transposed_) transposed_ = std::make_shared<SparseMatrix const>(matrix().transposed());
  return *transposed_;
}

void refreshBounds(StandardForm& form, LinearProgram const& lp) {
  auto const n = static_cast<std::size_t>(lp.columns()), m = static_cast<std::size_t>(lp.rows());
  form.lower.resize(n + m);
  form.upper.resize(n + m);
  for (std::size_t j = 0; j < n; ++j) {
    form.lower[j] = lp.columnLower[j] / form.columnScale[j];
    form.upper[j] = lp.columnUpper[j] / form.columnScale[j];
  }
  for (std::size_t i = 0; i < m; ++i) {
    form.lower[n + i] = -lp.rowUpper[i] * form.rowScale[i];
    form.upper[n + i] = -lp.rowLower[i] * form.rowScale[i];
  }
  // Bounds that cross by rounding only mean a fixed variable.
  for (std::size_t v = 0; v < n + m; ++v) {
    double const size = std::fabs(form.lower[v]) + std::fabs(form.upper[v]);
    if (form.lower[v] > form.upper[v] && form.lower[v] - form.upper[v] <= 1e-9 * size)
      form.lower[v] = form.upper[v] = 0.5 * (form.lower[v] + form.upper[v]);
  }
}

void refreshCosts(StandardForm& form, LinearProgram const& lp) {
  auto const n = static_cast<std::size_t>(lp.columns());
  form.cost.assign(n + static_cast<std::size_t>(lp.rows()), 0.0);
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

}  // namespace osi_cuda
