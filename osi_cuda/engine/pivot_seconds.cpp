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

}  // namespace

double tableauPivotSeconds(StandardForm const& form) {
  return 0.25e-9 * cells(form) + 40e-9 * lines(form);
}

double factoredPivotSeconds(StandardForm const& form) {
  return 10e-9 * static_cast<double>(form.matrix().nonzeros()) + 60e-9 * lines(form);
}

double devicePivotSeconds(StandardForm const& form) {
  return 7e-6 + 8e-14 * cells(form);
}

bool factoredEngineServes(StandardForm const& form) {
  return factoredPivotSeconds(form) < tableauPivotSeconds(form);
}

}  // namespace osi_cuda
