// SPDX-License-Identifier: EPL-2.0
// Who makes the engines without a tableau, and for which problems they are the better ones.
#include <algorithm>
#include <memory>

#include "osi_cuda/engine/factors/factored_engine.hpp"

namespace osi_cuda {

std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<double>>(options);
}

// Measured on one core, as re-solves a second under branch and bound and as whole solves; see
// docs/log/2026-11-22-resolves.md. Small problems mostly have sparse factors however dense their
// rows are; of large ones that is not to be expected. Slack bases of many rows cost the factors
// more than a tableau of few columns.
bool factoredEngineServes(StandardForm const& form) {
  constexpr double smallCells = 6e4;
  double const m = form.rows(), n = form.columns();
  double const perNonzero = m * n <= smallCells ? 5.0 : 15.0;
  return m * n > perNonzero * static_cast<double>(form.matrix().nonzeros()) + 30.0 * m + 5.0 * n;
}

std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<DoubleDouble>>(options);
}

// A refactorisation of a dense basis costs some 20 p^3 operations, of a sparse one hardly more than
// its nonzeros; two seconds' worth of the former, and what a pivot's products cost, bound the use.
bool preciseEngineServes(StandardForm const& form) {
  double const nonzeros = static_cast<double>(form.matrix().nonzeros());
  double const side = std::min(form.rows(), form.columns());
  bool const sparse = form.matrix().density() < 0.1;
  return nonzeros <= 2e6 && (sparse || side <= 500.0);
}

}  // namespace osi_cuda
