// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/response/fem.hpp"
#include "examples/response/products.hpp"
#include "examples/response/sharing.hpp"

namespace osi_cuda::response {

/// What the shared library ResponseDevice offers. All functions throw EngineUnavailable.
struct DeviceModule {
  char const* interface;
  std::string (*deviceName)();
  int (*deviceCount)();
  std::unique_ptr<Fem> (*makeFem)(FemProblem const&);  ///< the problem must outlive it
  std::unique_ptr<Solver> (*makeSolver)(Csr const&);
  /// `x`: columns x manyColumns numbers; a single column are the first of them.
  std::unique_ptr<DeviceProducts> (*makeProducts)(Csr const&, std::vector<double> const& x,
                                                  bool isDouble);
  std::unique_ptr<PartExecutor> (*makePart)(int device);
};

/// Opened at the first call. Throws EngineUnavailable.
DeviceModule const& deviceModule();
/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();
/// Whether to use the device, from auto, host or cuda. Throws EngineUnavailable for cuda where
/// there is none.
bool usesDevice(std::string const& choice);

}  // namespace osi_cuda::response
