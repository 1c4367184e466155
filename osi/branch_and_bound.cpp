// SPDX-License-Identifier: EPL-2.0
// branchAndBound(): by Cbc, behind a module that is opened when it is needed.
#include <cmath>

#include "osi/cbc_module.hpp"
#include "osi/messages.hpp"
#include "osi/state.hpp"
#include "osi_cuda/module_file.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::ModuleFault;
using osi_cuda::Status;

namespace {

osi::CbcModule const& cbcModule() {
  auto const search = osi_cuda::openModule(
      {"OsiCudaCbc.so", "osiCudaCbc", OSI_CUDA_CBC_INTERFACE, "OSI_CUDA_CBC_PATH"});
  if (search.fault == ModuleFault::none) return *static_cast<osi::CbcModule const*>(search.table);
  throw CoinError("osi_cuda solves linear programs, and for others opens a module with Cbc: " +
                      search.reason + "; or give this interface to a CbcModel",
                  "branchAndBound", "OsiCudaSolverInterface");
}

Status statusOf(osi::SearchEnd end) {
  switch (end) {
    case osi::SearchEnd::optimal:
      return Status::optimal;
    case osi::SearchEnd::infeasible:
      return Status::infeasible;
    case osi::SearchEnd::unbounded:
      return Status::unbounded;
    case osi::SearchEnd::stopped:
      return Status::iterationLimit;
    case osi::SearchEnd::abandoned:
      break;
  }
  return Status::numerical;
}

}  // namespace

void OsiCudaSolverInterface::branchAndBound() {
  if (getNumIntegers() == 0 && numberObjects() == 0) return initialSolve();
  osi::CbcModule const& module = cbcModule();
  osi::SearchOutcome const outcome = module.search(*this);
  if (!outcome.values.empty()) takeIntegerSolution(outcome.values);
  State& s = *state_;
  s.status = statusOf(outcome.end);
  s.farkas.clear();
  s.ray.clear();
  s.iterations = outcome.iterations;
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
