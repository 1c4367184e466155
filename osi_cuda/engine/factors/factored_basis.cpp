// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/factored_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace osi_cuda::factors {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

template <class Number>
Refactorisation FactoredBasis<Number>::factor(StandardForm const& form, std::vector<char>& basic,
                                              std::function<bool()> const& stop) {
  form_ = &form;
  exchanged_.clear();
  others_.clear();
  Refactorisation change;
  int const m = form.rows(), n = form.columns();
  for (;;) {
    part_ = host::BasisPartition(form, basic);
    tightPlace_.assign(at(m), -1);
    slackPlace_.assign(at(m), -1);
    int const p = static_cast<int>(part_.basicStructural.size());
    for (int a = 0; a < p; ++a) tightPlace_[at(part_.tightRows[at(a)])] = a;
    for (std::size_t k = 0; k < part_.slackRows.size(); ++k)
      slackPlace_[at(part_.slackRows[k])] = p + static_cast<int>(k);
    structuralPlace_.assign(at(n), -1);
    for (int b = 0; b < p; ++b) structuralPlace_[at(part_.basicStructural[at(b)])] = b;
    columns_.clear();
    basicNonzeros_ = 0;
    for (int b = 0; b < p; ++b) {
      auto const indices = form.matrix().columnIndices(part_.basicStructural[at(b)]);
      auto const values = form.matrix().columnValues(part_.basicStructural[at(b)]);
      for (std::size_t e = 0; e < indices.size(); ++e)
        if (tightPlace_[at(indices[e])] >= 0) columns_.add(tightPlace_[at(indices[e])], values[e]);
      columns_.endLine();
      basicNonzeros_ += indices.size();
    }
    lu_ = SparseLu<Number>(p, columns_, stop);
    auto const& rows = lu_.unpivotedRows();
    auto const& dependent = lu_.unpivotedColumns();
    if (dependent.empty()) return change;
    for (std::size_t k = 0; k < dependent.size(); ++k) {
      int const column = part_.basicStructural[at(dependent[k])];
      int const slack = n + part_.tightRows[at(rows[k])];
      basic[at(column)] = 0;
      basic[at(slack)] = 1;
      change.dropped.push_back(column);
      change.added.push_back(slack);
    }
  }
}

template <class Number>
std::vector<int> FactoredBasis<Number>::basicVariables() const {
  std::vector<int> variables = part_.basicStructural;
  for (int const i : part_.slackRows) variables.push_back(form_->columns() + i);
  return variables;
}

// x_S = P^-1 b_R1,  x_R2 = b_R2 - A[R2, S] x_S; then the exchanges in their order.
template <class Number>
void FactoredBasis<Number>::solve(Vector& x) const {
  std::size_t const p = part_.basicStructural.size();
  block_.resize(p);
  whole_.resize(x.size());
  for (std::size_t a = 0; a < p; ++a) block_[a] = x[at(part_.tightRows[a])];
  lu_.solve(block_);
  for (std::size_t k = 0; k < part_.slackRows.size(); ++k)
    whole_[p + k] = x[at(part_.slackRows[k])];
  for (std::size_t a = 0; a < p; ++a) {
    whole_[a] = block_[a];
    if (isZero(block_[a])) continue;
    auto const indices = form_->matrix().columnIndices(part_.basicStructural[a]);
    auto const values = form_->matrix().columnValues(part_.basicStructural[a]);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      int const place = slackPlace_[at(indices[e])];
      if (place >= 0) whole_[at(place)] -= block_[a] * values[e];
    }
  }
  for (std::size_t k = 0; k < exchanged_.size(); ++k) {
    Number& own = whole_[at(exchanged_[k].row)];
    if (isZero(own)) continue;
    own = own / exchanged_[k].pivot;
    Number const value = own;
    for (auto entry = others_.begin(k); entry != others_.end(k); ++entry)
      whole_[at(entry->index)] -= entry->value * value;
  }
  std::swap(x, whole_);
}

template <class Number>
void FactoredBasis<Number>::solveTransposed(Vector& x) const {
  for (std::size_t k = exchanged_.size(); k-- > 0;) {
    Number& own = x[at(exchanged_[k].row)];
    Number sum = own;
    for (auto entry = others_.begin(k); entry != others_.end(k); ++entry) {
      Number const& other = x[at(entry->index)];
      if (!isZero(other)) sum -= entry->value * other;
    }
    own = isZero(sum) ? sum : sum / exchanged_[k].pivot;
  }
  std::size_t const p = part_.basicStructural.size();
  block_.resize(p);
  std::fill(whole_.begin(), whole_.end(), Number{});
  whole_.resize(x.size());
  for (std::size_t k = 0; k < part_.slackRows.size(); ++k)
    whole_[at(part_.slackRows[k])] = x[p + k];
  std::copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(p), block_.begin());
  subtractSlackRows();
  lu_.solveTransposed(block_);
  for (std::size_t a = 0; a < p; ++a) whole_[at(part_.tightRows[a])] = block_[a];
  std::swap(x, whole_);
}

// block_ -= A[R2, S]' y_R2, with y in whole_: by rows of A where few of y's numbers differ from
// zero, else by the columns of S.
template <class Number>
void FactoredBasis<Number>::subtractSlackRows() const {
  std::size_t rowEntries = 0;
  for (int const i : part_.slackRows)
    if (!isZero(whole_[at(i)])) rowEntries += form_->transposed().columnIndices(i).size();
  if (rowEntries < basicNonzeros_) {
    for (int const i : part_.slackRows) {
      Number const y = whole_[at(i)];
      if (isZero(y)) continue;
      auto const indices = form_->transposed().columnIndices(i);
      auto const values = form_->transposed().columnValues(i);
      for (std::size_t e = 0; e < indices.size(); ++e) {
        int const place = structuralPlace_[at(indices[e])];
        if (place >= 0) block_[at(place)] -= y * values[e];
      }
    }
    return;
  }
  for (std::size_t a = 0; a < block_.size(); ++a) {
    auto const indices = form_->matrix().columnIndices(part_.basicStructural[a]);
    auto const values = form_->matrix().columnValues(part_.basicStructural[a]);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      Number const& y = whole_[at(indices[e])];  // zero still for the tight rows
      if (!isZero(y)) block_[a] -= y * values[e];
    }
  }
}

template <class Number>
void FactoredBasis<Number>::exchange(int r, Vector const& u) {
  exchanged_.push_back({r, u[at(r)]});
  for (std::size_t i = 0; i < u.size(); ++i)
    if (std::fabs(rounded(u[i])) > Precision<Number>::smallestEntry && static_cast<int>(i) != r)
      others_.add(static_cast<int>(i), u[i]);
  others_.endLine();
}

template class FactoredBasis<double>;
template class FactoredBasis<DoubleDouble>;

}  // namespace osi_cuda::factors
