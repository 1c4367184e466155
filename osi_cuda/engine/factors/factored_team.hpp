// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/engine/factors/factored_tableau.hpp"
#include "osi_cuda/engine/host/loop_team.hpp"

namespace osi_cuda::factors {

/// A weight that has to be formed anew.
inline constexpr double unknownWeight = -1.0;

/// The Team of team.hpp by solves with the basis, for one run: only the run's own calls change
/// values, bounds and reduced costs in the meantime. It keeps track of the rows that violate a
/// bound and of the columns that improve the objective, so that choosing among them needs no pass
/// over all.
template <class Number>
class FactoredTeam : public host::LoopTeam {
 public:
  /// `exactWeights`: rows are chosen by weights that change where the column has entries, and
  /// nowhere else.
  FactoredTeam(FactoredTableau<Number>& tableau, host::Positions& positions, Algorithm algorithm,
               bool exactWeights = false)
      : LoopTeam(positions), tableau_(tableau), algorithm_(algorithm), exactWeights_(exactWeights) {
    rowPattern_ = &tableau.columnEntries();
    columnPattern_ = &tableau.rowEntries();
  }

  void column(int q) {
    pollStop();
    tableau_.formColumn(q);
    tableau_.placeColumn();
  }
  void row(int r) { tableau_.placeRow(r); }
  void combineRows() {
    tableau_.combineRows(rows_.change, columns_.change);
    attractedKnown_ = false;  // reduced costs change by what came out
  }
  // Variables flip at kinks before the last turn only.
  void combineColumns() {
    auto const& moved = tableau_.combineColumns(kinks_.places(), columns_.change);
    changedRows_.clear();
    moved.marks().sweepUp([&](int i) {
      rows_.change[i] = rounded(moved[i]);
      changedRows_.push_back(i);
    });
  }
  void forChangedRows(auto f) {
    for (int const i : changedRows_) f(i);
  }
  void steepestProducts() { tableau_.combineRows(rows_.entry, columns_.product); }
  // B^-1 of the row of B^-1 that was formed last; nobody looks at it where the column has no entry.
  // At the pivot's own row, which nobody looks at either, it differs from what the slack columns
  // alone would make.
  void dualSteepestProducts() {
    auto const& z = tableau_.solveInverseRow();
    for (int const i : *rowPattern_) rows_.product[i] = rounded(z[i]);
  }
  // The slack columns of the row are the row of the inverse, less those of basic slacks.
  double inverseRowSquare(bool) {
    auto const& y = tableau_.inverseRow();
    double sum = 0.0;
    y.marks().sweepUp([&](int k) { sum += rounded(y[k]) * rounded(y[k]); });
    return sum;
  }
  // The loops are never asked for the rules of the next three: see FactoredEngine::pricingOf.
  void shortestSteps(auto, auto) {
    throw std::logic_error("an engine without a tableau has no greatest improvement");
  }
  void updateColumnSketch(Exchange const&) {
    throw std::logic_error("an engine without a tableau keeps no sketch");
  }
  void updateRowSketch(Exchange const&) {
    throw std::logic_error("an engine without a tableau keeps no sketch");
  }

  // The best row of each block of the marks is kept until a row of the block changes: what a pivot
  // looks at are the rows beside those that the last one has changed.
  template <class T, class F, class Combine>
  T reduceViolated(T const& zero, F f, Combine) {
    if (!violatedKnown_) {
      violated_.resize(p_.m);
      for (int i = 0; i < p_.m; ++i) violated_.set(i, violates(i));
      bestOfBlock_.assign(at(violated_.blocks()), zero);
      changedBlocks_.resize(violated_.blocks());
      changedBlocks_.setAll(violated_.blocks());
      violatedKnown_ = true;
    }
    if (!exactWeights_) changedBlocks_.setAll(violated_.blocks());
    changedBlocks_.takeAll([&](int block) {
      T& best = bestOfBlock_[at(block)] = zero;
      violated_.sweepBlock(block, [&](int i) { f(best, i); });
    });
    T const* result = &zero;
    for (T const& best : bestOfBlock_)
      if (rules::precedes(best, *result)) result = &best;
    return *result;
  }
  template <class T, class F, class Combine>
  T reduceAttracted(T const& zero, F f, Combine) {
    if (!attractedKnown_) {
      attracted_.resize(p_.n);
      for (int j = 0; j < p_.n; ++j) attracted_.set(j, attracts(j));
      attractedKnown_ = true;
    }
    T result = zero;
    attracted_.sweepUp([&](int j) { f(result, j); });
    return result;
  }
  void setColumnValue(int q, double x) {
    LoopTeam::setColumnValue(q, x);
    if (attractedKnown_) attracted_.set(q, attracts(q));
  }

  /// The exchange in factors and positions alone, after column(q): values by variable stay, those
  /// of basic variables and reduced costs are to be formed anew.
  void exchangeVariables(int r, int q) {
    tableau_.exchangeFactors(r, q);
    p_.used = std::min(tableau_.basis().exchanges(), p_.capacity);
    Exchange x;
    x.row = r;
    x.column = q;
    x.enteringValue = columns_.value[q];
    x.leavingValue = rows_.value[r];
    swapVariables(x);
  }

  // The entry of the pivot comes from its row and from its column: where the two are far apart, the
  // factors have had their time.
  void exchange(Exchange const& x) {
    constexpr double apart = 1e-6;
    double const alpha = rounded(tableau_.formedColumn()[x.row]);
    bool const doubtful = std::fabs(alpha - x.alpha) > apart * std::fabs(alpha);
    tableau_.exchange(x.row, x.column);
    FactoredBasis<Number> const& basis = tableau_.basis();
    p_.used = doubtful || basis.worn() ? p_.capacity : std::min(basis.exchanges(), p_.capacity);
    swapVariables(x);
    // The run keeps the weights of its own algorithm.
    (algorithm_ == Algorithm::dual ? columns_.weight[x.column] : rows_.weight[x.row]) =
        unknownWeight;
    follow(x);
  }

 private:
  bool violates(int i) const {
    return rows_.value[i] < rows_.lower[i] || rows_.value[i] > rows_.upper[i];
  }
  bool attracts(int j) const {
    return rules::attraction(columns_.reducedCost[j], columns_.value[j], columns_.lower[j],
                             columns_.upper[j]) != 0.0;
  }
  void followRow(int i) {
    violated_.set(i, violates(i));
    changedBlocks_.set(Marks::blockOf(i));
  }
  void follow(Exchange const& x) {
    if (violatedKnown_) {
      for (int const i : *rowPattern_) followRow(i);
      for (int const i : changedRows_) followRow(i);
      followRow(x.row);
    }
    changedRows_.clear();
    if (attractedKnown_) {
      for (int const j : *columnPattern_) attracted_.set(j, attracts(j));
      attracted_.set(x.column, attracts(x.column));
    }
  }

  FactoredTableau<Number>& tableau_;
  Algorithm const algorithm_;
  bool const exactWeights_;
  Marks violated_, attracted_;
  Marks changedBlocks_;  ///< of rows, since the last choice among them
  std::vector<rules::Candidate> bestOfBlock_;
  bool violatedKnown_ = false, attractedKnown_ = false;
  std::vector<int> changedRows_;  ///< by the flips of the present pivot
};

}  // namespace osi_cuda::factors
