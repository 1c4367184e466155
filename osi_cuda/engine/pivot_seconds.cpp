// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/pivot_seconds.hpp"

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda {
namespace {

double cells(StandardForm const& form) {
  return static_cast<double>(form.rows()) * form.columns();
}

double lines(StandardForm const& form) {
  return static_cast<double>(form.rows()) + form.columns();
}

constexpr double entrySeconds = 0.25e-9, lineSeconds = 40e-9;  // of a tableau

}  // namespace

double tableauPivotSeconds(StandardForm const& form) {
  return entrySeconds * cells(form) + lineSeconds * lines(form);
}

// Measured as re-solves a second under branch and bound and as whole solves. Small problems mostly
// have sparse factors however dense their rows are; of large ones that is not to be expected. Slack
// bases of many rows cost the factors more than a tableau of few columns.
double factoredPivotSeconds(StandardForm const& form) {
  constexpr double smallCells = 6e4;
  double const perNonzero = cells(form) <= smallCells ? 5.0 : 15.0;  // entries of a tableau
  double const entries = perNonzero * static_cast<double>(form.matrix().nonzeros()) +
                         30.0 * form.rows() + 5.0 * form.columns();
  return entrySeconds * entries + lineSeconds * lines(form);
}

double devicePivotSeconds(StandardForm const& form) {
  return 7e-6 + 8e-14 * cells(form);
}

bool factoredEngineServes(StandardForm const& form) {
  return factoredPivotSeconds(form) < tableauPivotSeconds(form);
}

}  // namespace osi_cuda
