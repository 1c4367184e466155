// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/factors/sparse_lu.hpp"

namespace osi_cuda::factors {

/// The inverse of a basis matrix B: sparse LU factors of all its columns, slacks first, and a
/// product in their middle for the exchanges since (the middle product form: Elble and Sahinidis
/// 2012). With w = L^-1 a of the column a that takes the place of basic column r,
///
///     L U + (a - L U e_r) e_r'  =  L (I + (w - U e_r) v') U,   v = U^-T e_r,
///
/// and the next exchange adds a factor behind that one. w is what solve() passes on its way, v what
/// solveTransposed() passes. So L and U stay as they are: copies of a basis share them, and
/// exchanges are forgotten exactly by forgetting their factors.
///
/// Row positions are the numbers of LU's pivots, for constraints as well: position k belongs to the
/// basic variable basicVariables()[k] and to the constraint constraintAt(k).
template <class Number>
class FactoredBasis {
 public:
  using Vector = PatternVector<Number>;

  /// Factors the basis `basic` (by variable). Columns that depend on others are dropped for slacks
  /// of rows without a pivot; `basic` is changed accordingly.
  Refactorisation factor(StandardForm const& form, std::vector<char>& basic,
                         std::function<bool()> const& stop);

  /// The basic variables of the last factorisation by row position, length m.
  std::vector<int> basicVariables() const;
  int constraintAt(int position) const { return lu_->rowOf(position); }
  int positionOf(int constraint) const { return lu_->pivotOfRow(constraint); }

  // With `middle` x is of a pivot, its entries near 1, and what is surely rounding is dropped on
  // the way: where sums cancel that may be half of the entries. Without, any scale is right.
  /// x <- B^-1 x, length m; `middle`, if given, becomes w.
  void solve(Vector& x, Vector* middle = nullptr) const;
  /// x <- B^-T x, length m; `middle`, if given, becomes v for a unit vector.
  void solveTransposed(Vector& x, Vector* middle = nullptr) const;
  /// The first part of solveTransposed alone: x <- v for a unit vector.
  void solveUpperTransposed(Vector& x) const {
    lu_->solveUpperTransposed(x, Precision<Number>::smallestEntry);
  }

  /// The variable of row position r is exchanged for the one of these w and v; `pivot` is the entry
  /// of its column B^-1 a in row position r.
  void exchange(int r, Number const& pivot, Vector const& w, Vector const& v);
  int exchanges() const { return static_cast<int>(left_.count()); }
  /// Whether the factors of exchanges have so many entries that a factorisation pays.
  bool worn() const;
  /// Entries of factors that factorisations and solves have passed, about: alike in every run.
  double passedEntries() const { return counted_; }

 private:
  std::vector<int> order_;  ///< the basic variables of the last factorisation, by column of LU
  std::shared_ptr<SparseLu<Number> const> lu_;
  // By number of the exchange: (w - U e_r) / pivot, and v.
  Lines<Number> left_, right_;
  std::size_t passed_ = 0;  ///< entries of both, summed over the exchanges
  mutable Vector work_;
  mutable double counted_ = 0.0;

  void count(Vector const& x) const {
    double const share = static_cast<double>(x.marks().count()) / std::max(1, x.size());
    counted_ += share * static_cast<double>(lu_->entries()) +
                static_cast<double>(left_.entryCount() + right_.entryCount());
  }
};

}  // namespace osi_cuda::factors
