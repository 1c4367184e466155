// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/pivot_seconds.hpp"

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda {
namespace {

constexpr double entrySeconds = 0.25e-9, lineSeconds = 40e-9;  // of a tableau

}  // namespace

double tableauPivotSeconds(double rows, double columns) {
  return entrySeconds * rows * columns + lineSeconds * (rows + columns);
}
double tableauPivotSeconds(StandardForm const& form) {
  return tableauPivotSeconds(form.rows(), form.columns());
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
double factoredPivotSeconds(StandardForm const& form) {
  return factoredPivotSeconds(form.rows(), form.columns(),
                              static_cast<double>(form.matrix().nonzeros()));
}

double devicePivotSeconds(StandardForm const& form) {
  return 7e-6 + 8e-14 * form.rows() * form.columns();
}

bool factoredEngineServes(StandardForm const& form) {
  return factoredPivotSeconds(form) < tableauPivotSeconds(form);
}

bool factoredEngineServes(StandardForm const& form, bool factored) {
  constexpr double muchFaster = 2.0;
  double const factors = factoredPivotSeconds(form), tableau = tableauPivotSeconds(form);
  return factored ? factors <= muchFaster * tableau : muchFaster * factors < tableau;
}

}  // namespace osi_cuda
