// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"

/// Small problems over the rationals, by a textbook simplex that shares no code with the solver.
namespace osi_cuda::testing {

using Rational = mpq_class;

/// One side of a range; nothing: there is none.
using Bound = std::optional<Rational>;

/// Minimise cost'x.
struct ExactLp {
  std::vector<std::vector<Rational>> rows;  ///< m x n
  std::vector<Rational> cost;               ///< length n
  std::vector<Bound> columnLower, columnUpper, rowLower, rowUpper;

  std::size_t columns() const { return cost.size(); }
};

/// The problem with its doubles taken at their word; of a maximisation the costs' signs change.
ExactLp exactOf(LinearProgram const& lp);

struct ExactAnswer {
  Status status = Status::infeasible;  ///< optimal, infeasible or unbounded
  Rational objective;
  std::vector<Rational> x;
};

/// Two phases on a dense tableau by Bland's rule.
ExactAnswer solveExactly(ExactLp const& lp);

/// The basic solution of a basis; prices are reduced costs of the minimisation, of rows their
/// duals.
struct ExactBasis {
  bool singular = false;
  std::vector<Rational> value, price;  ///< length n + m

  /// Whether every value is within its bounds and every price has its sign, up to `tolerance`.
  bool optimal(ExactLp const& lp, Basis const& basis, Rational const& tolerance) const;
};

/// `rowCost`: costs of row activities, length m; or empty.
ExactBasis basicSolution(ExactLp const& lp, Basis const& basis,
                         std::vector<Rational> const& rowCost = {});

/// A small problem in which numbers of very different magnitude stand side by side: coefficients
/// from 2^-52 to 2^52, bounds up to 2^50 beside bounds of 1, costs down to 1e-10, near-duplicate
/// rows, vertices where more bounds meet than there are columns. x = 0 or a bound of each column
/// need not be feasible.
LinearProgram hostileLp(std::uint64_t seed);

}  // namespace osi_cuda::testing
