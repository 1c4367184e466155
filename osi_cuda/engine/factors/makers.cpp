// SPDX-License-Identifier: EPL-2.0
// Who makes the engines without a tableau.
#include <algorithm>
#include <memory>

#include "osi_cuda/engine/factors/factored_engine.hpp"

namespace osi_cuda {

std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<double>>(options);
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
