// SPDX-License-Identifier: EPL-2.0
// Who makes the engines without a tableau.
#include <memory>

#include "osi_cuda/engine/factors/factored_engine.hpp"

namespace osi_cuda {

std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<double>>(options);
}

std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<DoubleDouble>>(options);
}

}  // namespace osi_cuda
