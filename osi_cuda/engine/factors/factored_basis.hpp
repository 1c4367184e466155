// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/factors/sparse_lu.hpp"
#include "osi_cuda/engine/host/basis_factor.hpp"

namespace osi_cuda::factors {

/// The inverse of a basis matrix B: sparse LU factors of the block that structurals and tight rows
/// make (host::BasisPartition), and product form for the exchanges since (Dantzig and Orchard-Hays
/// 1954). Row positions: the basic structurals, then the slacks, both by their numbers.
template <class Number>
class FactoredBasis {
 public:
  using Vector = std::vector<Number>;

  /// Factors the basis `basic` (by variable). Columns that depend on others are dropped for slacks
  /// of rows without a pivot; `basic` is changed accordingly.
  Refactorisation factor(StandardForm const& form, std::vector<char>& basic,
                         std::function<bool()> const& stop);

  /// The basic variables of the last factorisation by row position, length m.
  std::vector<int> basicVariables() const;

  /// x <- B^-1 x: by constraint in, by row position out. Length m.
  void solve(Vector& x) const;
  /// x <- B^-T x: by row position in, by constraint out.
  void solveTransposed(Vector& x) const;

  /// The variable of row position r is exchanged for one whose column is u = B^-1 a.
  void exchange(int r, Vector const& u);
  int exchanges() const { return static_cast<int>(exchanged_.size()); }

 private:
  void subtractSlackRows() const;

  struct Exchanged {
    int row;
    Number pivot;
  };

  StandardForm const* form_ = nullptr;
  host::BasisPartition part_;
  std::vector<int> tightPlace_;       ///< constraint -> row of P, or -1
  std::vector<int> slackPlace_;       ///< constraint -> row position of its basic slack, or -1
  std::vector<int> structuralPlace_;  ///< structural -> column of P, or -1
  SparseLu<Number> lu_;
  std::size_t basicNonzeros_ = 0;  ///< of the basic structurals' columns
  Lines<Number> columns_;          ///< work: the columns of P
  // By number of the exchange: where, and the other entries of its column.
  std::vector<Exchanged> exchanged_;
  Lines<Number> others_;
  mutable Vector block_, whole_;  ///< work
};

}  // namespace osi_cuda::factors
