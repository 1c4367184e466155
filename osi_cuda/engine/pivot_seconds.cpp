// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/pivot_seconds.hpp"

#include <algorithm>

namespace osi_cuda {
namespace {

constexpr double entrySeconds = 0.25e-9, lineSeconds = 40e-9;  // of a tableau

}  // namespace

double tableauPivotSeconds(double rows, double columns) {
  return entrySeconds * rows * columns + lineSeconds * (rows + columns);
}

// Measured as re-solves a second under branch and bound and as whole solves. Small problems mostly
// have sparse factors however dense their rows are; of large ones that is not to be expected. Slack
// bases of many rows cost the factors more than a tableau of few columns.
double factoredPivotSeconds(double rows, double columns, double nonzeros) {
  constexpr double smallCells = 6e4;
  double const perNonzero = rows * columns <= smallCells ? 5.0 : 15.0;  // entries of a tableau
  double const entries = perNonzero * nonzeros + 30.0 * rows + 5.0 * columns;
  return entrySeconds * entries + lineSeconds * (rows + columns);
}

double devicePivotSeconds(double rows, double columns) {
  return 7e-6 + 8e-14 * rows * columns;
}

bool factorsAreFaster(double rows, double columns, double nonzeros, std::optional<bool> held) {
  constexpr double muchFaster = 2.0;
  double const factors = factoredPivotSeconds(rows, columns, nonzeros),
               tableau = tableauPivotSeconds(rows, columns);
  if (!held) return factors < tableau;
  return *held ? factors <= muchFaster * tableau : muchFaster * factors < tableau;
}

// A refactorisation of a dense basis costs some 20 p^3 operations, of a sparse one hardly more than
// its nonzeros; two seconds' worth of the former, and what a pivot's products cost, bound the use.
// A fifth of a second bounds what comes before anything else.
bool preciseIsOfUse(double rows, double columns, double nonzeros) {
  bool const sparse = nonzeros < 0.1 * rows * columns;
  return nonzeros <= 2e6 && (sparse || std::min(rows, columns) <= 500.0);
}
bool preciseIsQuick(double rows, double columns, double nonzeros) {
  double const side = std::min(rows, columns);
  bool const sparse = nonzeros < 0.1 * rows * columns;
  return nonzeros <= 2e5 && (sparse || side * side * side <= 4e6);
}

}  // namespace osi_cuda
