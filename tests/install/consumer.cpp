// SPDX-License-Identifier: EPL-2.0
// A program of somebody else's: it knows Osi and the one header.
#include <cmath>
#include <cstdio>
#include <memory>

#include <OsiCudaSolverInterface.hpp>

int main(int argc, char** argv) {
  std::unique_ptr<OsiSolverInterface> solver = std::make_unique<OsiCudaSolverInterface>();
  solver->messageHandler()->setLogLevel(0);
  if (argc < 2 || solver->readMps(argv[1], "mps") != 0) return 2;
  solver->initialSolve();
  std::unique_ptr<OsiSolverInterface> const copy(solver->clone());
  bool const own = dynamic_cast<OsiCudaSolverInterface*>(copy.get()) != nullptr;
  bool const optimal = copy->isProvenOptimal();
  double const value = copy->getObjValue();
  try {
    copy->branchAndBound();
    if (std::fabs(copy->getObjValue() - 3089.0) > 1e-6) return 3;
  } catch (CoinError const&) {  // Cbc is not there
  }
  std::printf("%.6f\n", value);
  return own && optimal && std::fabs(value - 2520.571739) < 1e-4 ? 0 : 1;
}
