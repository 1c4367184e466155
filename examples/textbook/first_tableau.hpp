// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "examples/textbook/tableau.hpp"
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

inline double now() {
  return 1e-9 * double(nanosecondClock());
}

/// Makes a Run<T>, which takes T into its memory, for the variant's kind of tableau, and times it.
template <template <class> class Run, class T>
Outcome solveAs(FirstTableau const& first, Variant const& variant, Limits const& limits) {
  double const begin = now();
  Run<T> run(first, variant, limits);
  double const ready = now();
  run.pivotUntilTheEnd();
  double const done = now();
  State const last = run.state();
  Outcome o{last.ending, last.pivots, last.phase1Pivots, last.path, last.entries, 0.0, 0.0, {}};
  o.values = run.values();
  o.pivotSeconds = done - ready;
  o.setupSeconds = now() - begin - o.pivotSeconds;
  return o;
}
template <template <class> class Run>
Outcome solveWith(FirstTableau const& first, Variant const& variant, Limits const& limits) {
  bool const byRows = variant.layout == Layout::rows;
  if (variant.precision == Precision::doubles)
    return byRows ? solveAs<Run, Tableau<double, true>>(first, variant, limits)
                  : solveAs<Run, Tableau<double, false>>(first, variant, limits);
  return byRows ? solveAs<Run, Tableau<float, true>>(first, variant, limits)
                : solveAs<Run, Tableau<float, false>>(first, variant, limits);
}

}  // namespace osi_cuda::textbook
