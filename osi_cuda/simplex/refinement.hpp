// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/double_double.hpp"
#include "osi_cuda/model/solution.hpp"

/// Solutions with the basis matrix in double-double precision by an engine's solves in double
/// precision: iterative refinement (Wilkinson 1963) with residuals of the original data and sums in
/// double-double, so that each round adds as many digits as one solve has. What an engine with a
/// drifted tableau or a bad basis can't reach is told.
namespace osi_cuda {

/// Nonzeros up to which a solution is refined before anybody gives it up: half a second of sums.
inline constexpr std::int64_t worthRefining = 5'000'000;

using ExtendedVector = std::vector<DoubleDouble>;

/// A solution and what is left of its right-hand side, relative to the largest term.
struct RefinedVector {
  ExtendedVector value;
  double residual = 0.0;
};

/// B z = b by row position, from b by constraint. `basic`: variables by row position. `start`, of
/// that length where there is one, is a solution to correct, which saves a solve.
RefinedVector refinedFtran(StandardForm const& form, Engine& engine, std::vector<int> const& basic,
                           ExtendedVector const& b, std::vector<double> const& start = {});

/// B'y = c by constraint, from c by row position.
RefinedVector refinedBtran(StandardForm const& form, Engine& engine, std::vector<int> const& basic,
                           ExtendedVector const& c, std::vector<double> const& start = {});

/// Sets to zero what is less than 1e-24 of the largest entry: the rounding of solves, which in a
/// row or column of nothing else would look like a step.
void dropRounding(ExtendedVector& vector);

/// The high and low parts of a vector, scaled: factor(i) value[i], factors being powers of two.
struct SplitVector {
  std::vector<double> high, low;
};
SplitVector split(ExtendedVector const& value, auto factor) {
  SplitVector parts;
  parts.high.reserve(value.size());
  parts.low.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    parts.high.push_back(value[i].hi * factor(i));
    parts.low.push_back(value[i].lo * factor(i));
  }
  return parts;
}

/// The basic solution of the engine's basis as basicSolution (proof.hpp) gives it, but refined,
/// with columnValuesLow and rowDualsLow. `near` may be what basicSolution and the verifier have
/// made of the same point, which saves solves; with `nearDuals` its multipliers are taken as they
/// are.
Solution refinedSolution(LinearProgram const& lp, StandardForm const& form, Engine& engine,
                         Snapshot const& point, std::vector<double> const& cost,
                         Solution const& near = {}, bool nearDuals = false);

}  // namespace osi_cuda
