// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "bench/textbook/tableau.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::textbook {

/// The tableau of the slack basis with its artificial variables, by rows, in double precision.
struct FirstTableau {
  int m = 0;            ///< constraints
  int n = 0;            ///< columns of the problem; variables 0 to n - 1
  int columns = 0;      ///< nonbasic variables: the problem's, and slacks of rows of negative b
  int artificials = 0;  ///< variables from n + m on; slacks are n to n + m - 1
  double largestEntry = 0.0, largestCost = 0.0, largestPhase1Cost = 0.0;  ///< absolute values
  std::vector<double> entries;  ///< (m + 2) x (columns + 1)
  std::vector<int> basic;       ///< length m + 1, from 1
  std::vector<int> nonbasic;    ///< length columns + 1, from 1

  double& at(int i, int j) { return entries[std::size_t(i) * (columns + 1) + j]; }
  double at(int i, int j) const { return entries[std::size_t(i) * (columns + 1) + j]; }
};

/// Takes problems max or min c'x with x >= 0 and rows <=, >= or =. Throws Failure (badInput) with a
/// sentence for others.
FirstTableau firstTableau(LinearProgram const& lp);

Settings settingsOf(FirstTableau const& first, Variant const& variant, Limits const& limits);
State stateOf(FirstTableau const& first);
/// What the last state says.
inline void takeOver(Outcome& outcome, State const& last) {
  outcome.ending = last.ending;
  outcome.pivots = last.pivots;
  outcome.phase1Pivots = last.phase1Pivots;
  outcome.path = last.path;
  outcome.entries = last.entries;
}
/// x from the last right-hand sides: value[i] of row i = 1 to m.
std::vector<double> valuesOf(FirstTableau const& first, std::vector<int> const& basic,
                             std::vector<double> const& value);
/// Copies the numbers into memory of a tableau's precision and layout. By all threads.
template <class Real, bool byRows>
void fill(FirstTableau const& first, Real* to, std::int64_t stride) {
  int const lines = byRows ? first.m + 2 : first.columns + 1;
  int const length = byRows ? first.columns + 1 : first.m + 2;
#pragma omp parallel for schedule(static)
  for (int line = 0; line < lines; ++line)
    for (int k = 0; k < length; ++k)
      to[line * stride + k] = Real(byRows ? first.at(line, k) : first.at(k, line));
}

}  // namespace osi_cuda::textbook
