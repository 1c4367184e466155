// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "osi/OsiCudaSolverInterface.hpp"

namespace osi_cuda::testing {

/// Silent, and with the engine that the environment variable OSI_CUDA_TEST_ENGINE names, if any: so
/// that the same tests run on a device.
std::unique_ptr<OsiSolverInterface> makeOsiCuda();
void applyTestEngine(OsiCudaSolverInterface& solver);

using OsiFactory = std::function<std::unique_ptr<OsiSolverInterface>()>;

/// One point that branch and bound relies on without saying so; see docs/reference/osi_contract.md.
struct ContractPoint {
  char const* name;
  /// Adds a sentence for everything that is not as it should be.
  std::function<void(OsiFactory const&, std::vector<std::string>& violations)> check;
};

std::vector<ContractPoint> const& contractPoints();

/// All sentences, each with its point's name in front.
std::vector<std::string> contractViolations(OsiFactory const& factory);

/// max 3x + 2y with x + y <= 4, x + 3y <= 6, 0 <= x <= 3, y >= 0; optimum 11 at (3, 1).
std::unique_ptr<OsiSolverInterface> smallProblem(OsiFactory const& factory);

}  // namespace osi_cuda::testing
