// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/host/basis_factor.hpp"
#include "osi_cuda/engine/precise/sparse_lu.hpp"

namespace osi_cuda::precise {

using Vector = std::vector<DoubleDouble>;

/// The inverse of a basis matrix B in double-double arithmetic: sparse LU factors of the block that
/// structurals and tight rows make (host::BasisPartition), and product form for the exchanges since
/// (Dantzig and Orchard-Hays 1954). Row positions: the basic structurals, then the slacks.
class PreciseBasis {
 public:
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
  int exchanges() const { return static_cast<int>(etas_.size()); }

 private:
  struct Eta {
    int row;
    DoubleDouble pivot;
    std::vector<Entry> rest;
  };

  StandardForm const* form_ = nullptr;
  host::BasisPartition part_;
  std::vector<int> tightPlace_;  ///< constraint -> row of P, or -1
  std::vector<int> slackPlace_;  ///< constraint -> row position of its basic slack, or -1
  SparseLu lu_;
  std::vector<Eta> etas_;
};

}  // namespace osi_cuda::precise
