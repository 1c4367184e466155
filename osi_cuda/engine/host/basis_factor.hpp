// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda::host {

/// Throws Interrupted where `stop` is not empty and answers true.
void throwIfStopped(std::function<bool()> const& stop);

/// Partition of variables and constraints that a basis makes: p basic structurals S, p constraints
/// R1 whose slack is nonbasic, the other constraints R2 with a basic slack. Ascending.
struct BasisPartition {
  std::vector<int> basicStructural;   ///< S
  std::vector<int> tightRows;         ///< R1
  std::vector<int> slackRows;         ///< R2
  std::vector<int> otherStructurals;  ///< nonbasic structurals

  BasisPartition() = default;
  BasisPartition(StandardForm const& form, std::vector<char> const& basic);
};

/// LU factors of a basis by its p x p block P = A[R1, S]; the rest of B is triangular:
///
///     x_S = P^-1 b_R1,   x_R2 = b_R2 - A[R2, S] x_S
class BasisFactor {
 public:
  /// Factors P with partial pivoting (LAPACK dgetrf). Where a column of S depends on the others it
  /// is dropped for the slack of the row left without a pivot, and the factors are formed again.
  /// `basic` is changed accordingly.
  /// Where `stop` (may be empty) answers true in between, Interrupted is thrown; std::bad_alloc
  /// also where LAPACK finds no memory.
  BasisFactor(StandardForm const& form, std::vector<char>& basic,
              std::function<bool()> const& stop);

  BasisPartition const& partition() const { return partition_; }
  std::vector<int> const& dropped() const { return dropped_; }
  std::vector<int> const& added() const { return added_; }

  /// X <- P^-1 X for a row-major X with p rows, `width` columns and leading dimension `stride`.
  void solveBlock(double* x, int width, int stride, std::function<bool()> const& stop) const;
  /// z <- P^-T z, length p.
  void solveBlockTransposed(double* z) const;

  int size() const { return static_cast<int>(partition_.basicStructural.size()); }

 private:
  std::vector<int> findDependent() const;
  void factor(StandardForm const& form, std::function<bool()> const& stop);
  void eliminate(std::function<bool()> const& stop);
  void giveUpPanel(int first, int width);
  void exchangeRows(double* x, int first, int last, int width, int stride) const;

  BasisPartition partition_;
  std::vector<double> lu_;   ///< p x p by rows, L below the diagonal (unit), U on and above
  std::vector<int> pivots_;  ///< LAPACK row exchanges, counted from 1
  std::vector<int> dropped_, added_;
};

}  // namespace osi_cuda::host
