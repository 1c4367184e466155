// SPDX-License-Identifier: EPL-2.0
#include <cmath>
#include <memory>

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
  std::vector<char> kept(at(size), 0);
  for (int const old : map)
    if (old >= 0) kept[at(old)] = 1;
  std::vector<int> lost;
  for (int i = 0; i < size; ++i)
    if (!kept[at(i)]) lost.push_back(i);
  return lost;
}

/// The rows of `matrix` from number `first` on, as columns; those before are left empty. They were
/// appended: in each column they come last.
SparseMatrix rowsFrom(SparseMatrix const& matrix, int first) {
  SparseMatrix rows;
  rows.rows = matrix.columns;
  rows.columns = matrix.rows;
  rows.starts.assign(at(matrix.rows) + 1, 0);
  auto const eachEntry = [&](auto const& visit) {
    for (int j = 0; j < matrix.columns; ++j) {
      auto const indices = matrix.columnIndices(j);
      std::size_t begin = indices.size();
      while (begin > 0 && indices[begin - 1] >= first) --begin;
      for (std::size_t e = begin; e < indices.size(); ++e) visit(at(indices[e]), j, e);
    }
  };
  eachEntry([&](std::size_t i, int, std::size_t) { ++rows.starts[i + 1]; });
  for (std::size_t i = at(first); i < rows.starts.size() - 1; ++i)
    rows.starts[i + 1] += rows.starts[i];
  std::vector<std::int64_t> next(rows.starts.begin(), rows.starts.end() - 1);
  rows.indices.resize(at(rows.starts.back()));
  rows.values.resize(rows.indices.size());
  eachEntry([&](std::size_t i, int j, std::size_t e) {
    auto const place = at(next[i]++);
    rows.indices[place] = j;
    rows.values[place] = matrix.columnValues(j)[e];
  });
  return rows;
}

/// The columns of `matrix` from number `first` on, scaled.
SparseMatrix tail(SparseMatrix const& matrix, int first, std::vector<double> const& own,
                  std::vector<double> const& other) {
  SparseMatrix part;
  part.rows = matrix.rows;
  for (int j = first; j < matrix.columns; ++j) {
    for (auto const [i, a] : matrix.column(j)) part.add(i, a * own[at(j)] * other[at(i)]);
    part.endColumn();
  }
  return part;
}

}  // namespace

void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change) {
  auto const oldRows = static_cast<int>(form.rowScale.size());
  auto const oldColumns = static_cast<int>(form.columnScale.size());
  reshape(form.rowScale, change.rows, 1.0);
  reshape(form.columnScale, change.columns, 1.0);
  form.transposed_.reset();
  form.full_ = false;
  if (form.scaled_) {
    bool const own = form.scaled_.use_count() == 1;
    auto changed = own ? std::move(form.scaled_) : std::make_shared<SparseMatrix>(*form.scaled_);
    auto const lostRows = lostOf(change.rows, oldRows);
    auto const lostColumns = lostOf(change.columns, oldColumns);
    if (!lostRows.empty()) removeRows(*changed, lostRows);
    if (!lostColumns.empty()) removeColumns(*changed, lostColumns);
    int const keptRows = changed->rows, keptColumns = changed->columns;
    if (keptRows < lp.rows()) {
      SparseMatrix const byRow = rowsFrom(lp.matrix, keptRows);
      for (int i = keptRows; i < lp.rows(); ++i)
        form.rowScale[at(i)] = fittingScale(byRow, i, form.columnScale);
      appendRows(*changed, tail(byRow, keptRows, form.rowScale, form.columnScale));
    }
    if (keptColumns < lp.columns()) {
      for (int j = keptColumns; j < lp.columns(); ++j)
        form.columnScale[at(j)] = fittingScale(lp.matrix, j, form.rowScale);
      appendColumns(*changed, tail(lp.matrix, keptColumns, form.columnScale, form.rowScale));
    }
    form.scaled_ = std::move(changed);
  }
  refreshBounds(form, lp);
  refreshCosts(form, lp);
}

}  // namespace osi_cuda
