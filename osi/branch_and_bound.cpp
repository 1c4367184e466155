// SPDX-License-Identifier: EPL-2.0
// branchAndBound(): by Cbc, behind a module that is opened when it is needed.
#include <cmath>

#include "osi/state.hpp"
#include "osi_cuda/integers/cbc_module.hpp"

namespace {

osi_cuda::CbcModule const& cbc() {
  try {
    return osi_cuda::cbcModule();
  } catch (osi_cuda::EngineUnavailable const& missing) {
    throw CoinError(std::string(missing.what()) + "; or give this interface to a CbcModel",
                    "branchAndBound", "OsiCudaSolverInterface");
  }
}

}  // namespace

void OsiCudaSolverInterface::branchAndBound() {
  if (getNumIntegers() == 0 && numberObjects() == 0) return initialSolve();
  osi_cuda::SearchOutcome const outcome = cbc().searchFrom(*this);
  if (!outcome.values.empty()) takeIntegerSolution(outcome.values);
  State& s = *state_;
  s.status = outcome.status;
  s.farkas.clear();
  s.ray.clear();
  s.iterations = static_cast<int>(outcome.iterations);
  s.tableauReady = false;
}

// Duals and basis are those of the problem with its integer columns fixed where they are.
void OsiCudaSolverInterface::takeIntegerSolution(std::vector<double> const& values) {
  State& s = *state_;
  std::vector<double> const lower = s.columnLower, upper = s.columnUpper;
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (!s.integer[j]) continue;
    double const fixed = std::round(values[j]);
    setColBounds(static_cast<int>(j), fixed, fixed);
  }
  resolve();
  bool const solved = isProvenOptimal();
  setColLower(lower.data());
  setColUpper(upper.data());
  if (!solved) setColSolution(values.data());
}
