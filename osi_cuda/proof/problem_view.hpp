// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/proof/implied_bounds.hpp"
#include "osi_cuda/proof/reductions.hpp"

namespace osi_cuda::proof {

/// A linear program as the reductions see it; it must outlive the view.
struct ProblemView {
  LinearProgram const& lp;
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  double const* const objective = lp.objective.data();

  double lowerOfColumn(int j) const { return lp.columnLower[static_cast<std::size_t>(j)]; }
  double upperOfColumn(int j) const { return lp.columnUpper[static_cast<std::size_t>(j)]; }
  double lowerOfRow(int i) const { return lp.rowLower[static_cast<std::size_t>(i)]; }
  double upperOfRow(int i) const { return lp.rowUpper[static_cast<std::size_t>(i)]; }

  InOrder inOrder() const { return {lp.rows(), lp.columns()}; }
};

/// The same with other bounds.
struct BoundedView {
  ProblemView const& problem;
  ImpliedBounds const& bounds;
  double const sign = problem.sign;
  double const* const objective = problem.objective;

  double lowerOfColumn(int j) const { return bounds.columnLower[static_cast<std::size_t>(j)]; }
  double upperOfColumn(int j) const { return bounds.columnUpper[static_cast<std::size_t>(j)]; }
  double lowerOfRow(int i) const { return bounds.rowLower[static_cast<std::size_t>(i)]; }
  double upperOfRow(int i) const { return bounds.rowUpper[static_cast<std::size_t>(i)]; }
};

}  // namespace osi_cuda::proof
