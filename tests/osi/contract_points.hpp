// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/osi/contract.hpp"

// What the points of the contract share.
namespace osi_cuda::testing {

using Violations = std::vector<std::string>;
using Solver = std::unique_ptr<OsiSolverInterface>;

/// Writes the condition itself where it does not hold.
#define EXPECT(condition) \
  if (!(condition)) out.push_back(#condition)

inline bool close(double a, double b, double tolerance = 1e-7) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

/// A random feasible and bounded problem: columns in boxes, rows that hold at a point inside.
Solver randomProblem(OsiFactory const& factory, unsigned seed, int rows = 12, int columns = 18);

// The points about solves and bases, in contract_solves.cpp.
void everySolveEndsInOneTruth(OsiFactory const& factory, Violations& out);
void hotStartLimitIsAnIterationLimit(OsiFactory const& factory, Violations& out);
void hotStartComesBack(OsiFactory const& factory, Violations& out);
void warmStartsFit(OsiFactory const& factory, Violations& out);
void tightRowsHaveTheirSlackStatus(OsiFactory const& factory, Violations& out);
void reducedCostsAreCostsLessPrices(OsiFactory const& factory, Violations& out);
void limitsAreInTheUsersSense(OsiFactory const& factory, Violations& out);

}  // namespace osi_cuda::testing
