// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <vector>

#include "osi_cuda/model/change_set.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

namespace osi_cuda {

/// The computational form, scaled by powers of two (so that scaling rounds nothing):
///
///     min c'x   subject to   A x + s = 0,   lower <= (x, s) <= upper
///
/// with n structural variables x and m slacks s; variable n + i is the slack of row i, the negative
/// of the row's activity. A maximisation is negated; the objective offset is left out.
///
/// Where no factor differs from one, the matrix is that of the LinearProgram, not a copy: the
/// program has to stay where it is, with its matrix unchanged, as long as the form is in use.
class StandardForm {
 public:
  StandardForm() = default;
  /// The same form of an equal problem.
  StandardForm(StandardForm const& other, LinearProgram const& lp) : StandardForm(other) {
    if (original_) original_ = &lp.matrix;
  }

  std::vector<double> cost;         ///< length n + m; zero for slacks
  std::vector<double> lower;        ///< length n + m
  std::vector<double> upper;        ///< length n + m
  std::vector<double> rowScale;     ///< length m, powers of two: row i of A is multiplied by it
  std::vector<double> columnScale;  ///< length n, powers of two: column j is multiplied by it
  double costScale = 1.0;           ///< power of two, negative for a maximisation

  int rows() const { return original_ ? original_->rows : 0; }
  int columns() const { return original_ ? original_->columns : 0; }
  int variables() const { return rows() + columns(); }

  /// Of A, as those of the LinearProgram.
  std::int64_t nonzeros() const { return original_->nonzeros(); }
  double density() const { return original_->density(); }
  /// A scaled, m x n by columns. Formed anew by the first call after a reshapeForm(): an engine
  /// that keeps its tableau mostly needs no entry but the new ones. That call, and the first one
  /// of transposed(), must not meet another.
  SparseMatrix const& matrix() const;
  /// Whether every column is known to list all rows in order: the scaling looked, or the matrix
  /// stands on a DenseArray.
  bool full() const { return full_ || (original_ && original_->isDense()); }
  /// The rows of A.
  SparseMatrix const& transposed() const;
  /// Before threads read the form.
  void formMatrices() const {
    matrix();
    transposed();
  }
  /// What the last reshapeForm() added, scaled, indices ascending: rows, as columns, and columns.
  SparseMatrix const& newRows() const { return newRows_; }
  SparseMatrix const& newColumns() const { return newColumns_; }

  /// (unscaled value of variable v) = factor(v) * (scaled value).
  double factor(int v) const {
    return v < columns() ? columnScale[v] : -1.0 / rowScale[v - columns()];
  }

 private:
  friend StandardForm makeStandardForm(LinearProgram const& lp, bool scale);
  friend void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change);

  SparseMatrix const* original_ = nullptr;
  bool isScaled_ = false;  ///< some factor may differ from one
  mutable std::shared_ptr<SparseMatrix const> scaled_;
  mutable std::shared_ptr<SparseMatrix> transposed_;  ///< changed only where nobody shares it
  SparseMatrix newRows_, newColumns_;
  bool full_ = false;
};

/// Builds the form: geometric scaling (Fulkerson and Wolfe 1962), a few passes, then equilibration,
/// each factor rounded to a power of two; no scaling when `scale` is false. The form refers to lp.
StandardForm makeStandardForm(LinearProgram const& lp, bool scale);
StandardForm makeStandardForm(LinearProgram&& lp, bool scale) = delete;

/// Bounds and costs anew after the LinearProgram's changed, scale factors kept. `changed`:
/// variables whose bounds may be others.
void refreshBounds(StandardForm& form, LinearProgram const& lp,
                   ChangeSet const& changed = ChangeSet::all());
void refreshCosts(StandardForm& form, LinearProgram const& lp);

/// Rows and columns of the form after those of the LinearProgram that it refers to were added or
/// removed. What stays keeps its scale factors; what is new, either rows or columns, gets factors
/// that fit the rest. `lp` has the change already.
void reshapeForm(StandardForm& form, LinearProgram const& lp, Reshape const& change);

}  // namespace osi_cuda
