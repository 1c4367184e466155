// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::batch {

/// The basis that variants begin at, by position, in the problem's own units.
struct CommonBasis {
  std::vector<int> rowVariable, columnVariable;
  std::vector<int> position;  ///< by variable: row position, or ~(column position)
  std::vector<double> rowValue, columnValue;
  std::vector<double> reducedCost;  ///< of the minimisation, by column position
};

/// The basis by variable, columns and rows; slacks where it is none of the problem.
std::vector<VariableStatus> statusesOf(LinearProgram const& lp, Basis const& basis);

/// Reads where everything is from an engine that is at a basis, with the form that it has loaded.
CommonBasis readBasis(Engine& engine, StandardForm const& form);

/// Makes `basis` that of the engine, repaired where it is singular, and reads where everything is.
/// `form` is of `lp`, without scaling. The engine's tableau is fresh then.
CommonBasis settleBasis(Engine& engine, StandardForm const& form, LinearProgram const& lp,
                        Basis const& basis);

/// What variants share, in the processor's memory.
class HostVariantBase {
 public:
  /// Forms the tableau by `threads` threads; lp must outlive the object. Where `stop` (may be
  /// empty), polled meanwhile, answers true, Interrupted is thrown. `other`, which has to outlive
  /// the object, too, lends it the matrix.
  HostVariantBase(LinearProgram const& lp, Basis const& basis, int threads,
                  std::function<bool()> const& stop = {}, HostVariantBase const* other = nullptr);

  VariantBase const& view() const { return view_; }
  /// Of the tableau and its weights.
  std::size_t bytes() const {
    return (tableau_.size() + rowWeight_.size() + columnWeight_.size()) * sizeof(double);
  }

 private:
  void formTableau(Engine& engine, std::function<bool()> const& stop);
  void formWeights();

  LinearProgram const& lp_;
  SparseMatrix transposed_;
  std::vector<int> longRows_, longColumns_;
  CommonBasis common_;
  std::vector<double> tableau_, rowWeight_, columnWeight_;
  VariantBase view_;
};

/// The parts of `base` that are the problem's own numbers and the positions of the common basis,
/// wherever the vectors lie. Matrix, tableau and weights are left to the caller.
VariantBase baseOf(LinearProgram const& lp, CommonBasis const& common);

/// Lines of more than shortLine entries, ascending.
std::vector<int> longLinesOf(SparseMatrix const& matrix);
/// The matrix by lines: as it is by columns, or transposed by rows.
LinesView linesOf(SparseMatrix const& matrix, std::vector<int> const& longLines);

}  // namespace osi_cuda::batch
