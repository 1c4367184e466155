// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/precise/precise_basis.hpp"

#include <cmath>
#include <utility>

namespace osi_cuda::precise {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Entries of the scaled matrix are near 1; what the data make of differences in the last bit of
/// two such numbers is some 1e-16, what the arithmetic adds is some 1e-32 times growth.
constexpr double smallestEntry = 1e-24;

}  // namespace

Refactorisation PreciseBasis::factor(StandardForm const& form, std::vector<char>& basic,
                                     std::function<bool()> const& stop) {
  form_ = &form;
  etas_.clear();
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
    std::vector<std::vector<Entry>> columns(at(p));
    for (int b = 0; b < p; ++b) {
      auto const indices = form.matrix().columnIndices(part_.basicStructural[at(b)]);
      auto const values = form.matrix().columnValues(part_.basicStructural[at(b)]);
      for (std::size_t e = 0; e < indices.size(); ++e)
        if (tightPlace_[at(indices[e])] >= 0)
          columns[at(b)].push_back({tightPlace_[at(indices[e])], values[e]});
    }
    lu_ = SparseLu(p, columns, smallestEntry, stop);
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

std::vector<int> PreciseBasis::basicVariables() const {
  std::vector<int> variables = part_.basicStructural;
  for (int const i : part_.slackRows) variables.push_back(form_->columns() + i);
  return variables;
}

// x_S = P^-1 b_R1,  x_R2 = b_R2 - A[R2, S] x_S; then the exchanges in their order.
void PreciseBasis::solve(Vector& x) const {
  std::size_t const p = part_.basicStructural.size();
  Vector block(p), z(x.size());
  for (std::size_t a = 0; a < p; ++a) block[a] = x[at(part_.tightRows[a])];
  lu_.solve(block);
  for (std::size_t k = 0; k < part_.slackRows.size(); ++k) z[p + k] = x[at(part_.slackRows[k])];
  for (std::size_t a = 0; a < p; ++a) {
    z[a] = block[a];
    if (block[a].isZero()) continue;
    auto const indices = form_->matrix().columnIndices(part_.basicStructural[a]);
    auto const values = form_->matrix().columnValues(part_.basicStructural[a]);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      int const place = slackPlace_[at(indices[e])];
      if (place >= 0) z[at(place)] -= block[a] * values[e];
    }
  }
  for (Eta const& eta : etas_) {
    DoubleDouble& own = z[at(eta.row)];
    if (own.isZero()) continue;
    own = own / eta.pivot;
    for (Entry const& entry : eta.rest) z[at(entry.index)] -= entry.value * own;
  }
  x = std::move(z);
}

void PreciseBasis::solveTransposed(Vector& x) const {
  for (auto eta = etas_.rbegin(); eta != etas_.rend(); ++eta) {
    DoubleDouble sum = x[at(eta->row)];
    for (Entry const& entry : eta->rest)
      if (!x[at(entry.index)].isZero()) sum -= entry.value * x[at(entry.index)];
    x[at(eta->row)] = sum / eta->pivot;
  }
  std::size_t const p = part_.basicStructural.size();
  Vector block(p), y(x.size());
  for (std::size_t k = 0; k < part_.slackRows.size(); ++k) y[at(part_.slackRows[k])] = x[p + k];
  for (std::size_t a = 0; a < p; ++a) {
    DoubleDouble sum = x[a];
    auto const indices = form_->matrix().columnIndices(part_.basicStructural[a]);
    auto const values = form_->matrix().columnValues(part_.basicStructural[a]);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      DoubleDouble const& other = y[at(indices[e])];  // zero still for the tight rows
      if (!other.isZero()) sum -= other * values[e];
    }
    block[a] = sum;
  }
  lu_.solveTransposed(block);
  for (std::size_t a = 0; a < p; ++a) y[at(part_.tightRows[a])] = block[a];
  x = std::move(y);
}

void PreciseBasis::exchange(int r, Vector const& u) {
  Eta eta{r, u[at(r)], {}};
  for (std::size_t i = 0; i < u.size(); ++i)
    if (static_cast<int>(i) != r && std::fabs(u[i].hi) > smallestEntry)
      eta.rest.push_back({static_cast<int>(i), u[i]});
  etas_.push_back(std::move(eta));
}

}  // namespace osi_cuda::precise
