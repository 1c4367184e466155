// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/standard_form.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda {
namespace {

double powerOfTwo(double logarithm) {
  return std::exp2(std::round(logarithm));
}

/// One pass of geometric scaling: divides each column of `matrix` (given the factors of the other
/// dimension, as logarithms) by the geometric mean of its entries.
void centre(SparseMatrix const& matrix, std::vector<double> const& other,
            std::vector<double>& own) {
  for (int j = 0; j < matrix.columns; ++j) {
    double sum = 0.0;
    std::int64_t count = 0;
    auto const indices = matrix.columnIndices(j);
    auto const values = matrix.columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      if (values[e] == 0.0) continue;
      sum += std::log2(std::fabs(values[e])) + other[static_cast<std::size_t>(indices[e])];
      ++count;
    }
    own[static_cast<std::size_t>(j)] = count > 0 ? -sum / static_cast<double>(count) : 0.0;
  }
}

/// Spread of the entries' magnitudes: mean square of log2 |a_ij r_i c_j|.
double spread(SparseMatrix const& matrix, std::vector<double> const& row,
              std::vector<double> const& column) {
  double sum = 0.0;
  std::int64_t count = 0;
  for (int j = 0; j < matrix.columns; ++j) {
    auto const indices = matrix.columnIndices(j);
    auto const values = matrix.columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      if (values[e] == 0.0) continue;
      double const l = std::log2(std::fabs(values[e])) + row[static_cast<std::size_t>(indices[e])] +
                       column[static_cast<std::size_t>(j)];
      sum += l * l;
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

void chooseScales(StandardForm& form) {
  auto const m = static_cast<std::size_t>(form.rows()),
             n = static_cast<std::size_t>(form.columns());
  std::vector<double> row(m, 0.0), column(n, 0.0);
  double const before = spread(form.matrix, row, column);
  for (int pass = 0; pass < 4; ++pass) {
    centre(form.transposed, column, row);
    centre(form.matrix, row, column);
  }
  // Entries that are near each other already gain nothing, and keep the file's own numbers.
  if (spread(form.matrix, row, column) > 0.5 * before) return;
  form.scaled = true;
  for (std::size_t j = 0; j < n; ++j) {  // equilibrate: largest entry of a column near 1
    double largest = -1e300;
    auto const indices = form.matrix.columnIndices(static_cast<int>(j));
    auto const values = form.matrix.columnValues(static_cast<int>(j));
    for (std::size_t e = 0; e < indices.size(); ++e)
      if (values[e] != 0.0)
        largest = std::max(largest, std::log2(std::fabs(values[e])) +
                                        std::round(row[static_cast<std::size_t>(indices[e])]));
    form.columnScale[j] = largest > -1e300 ? powerOfTwo(-largest) : 1.0;
  }
  for (std::size_t i = 0; i < m; ++i) form.rowScale[i] = powerOfTwo(row[i]);
}

void applyScales(StandardForm& form) {
  for (int j = 0; j < form.columns(); ++j)
    for (std::int64_t e = form.matrix.starts[static_cast<std::size_t>(j)];
         e < form.matrix.starts[static_cast<std::size_t>(j) + 1]; ++e)
      form.matrix.values[static_cast<std::size_t>(e)] *=
          form.columnScale[static_cast<std::size_t>(j)] *
          form.rowScale[static_cast<std::size_t>(form.matrix.indices[static_cast<std::size_t>(e)])];
}

}  // namespace

StandardForm makeStandardForm(LinearProgram const& lp, bool scale) {
  StandardForm form;
  form.matrix = lp.matrix;
  form.rowScale.assign(static_cast<std::size_t>(lp.rows()), 1.0);
  form.columnScale.assign(static_cast<std::size_t>(lp.columns()), 1.0);
  form.transposed = form.matrix.transposed();
  if (scale) {
    chooseScales(form);
    applyScales(form);
    form.transposed = form.matrix.transposed();
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
  return form;
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
