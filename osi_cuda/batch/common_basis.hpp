// SPDX-License-Identifier: EPL-2.0
#pragma once

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

}  // namespace osi_cuda::batch
