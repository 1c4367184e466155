// SPDX-License-Identifier: EPL-2.0
#include "examples/common/solver_factory.hpp"

#include <CoinError.hpp>
#include <OsiClpSolverInterface.hpp>
#include <cmath>
#include <utility>

#include "examples/common/failure.hpp"
#include "osi/OsiCudaSolverInterface.hpp"

namespace osi_cuda::examples {

std::vector<std::string> solverNames() {
  return {"cuda", "clp"};
}

std::unique_ptr<OsiSolverInterface> makeSolver(std::string const& name, std::string const& engine,
                                               std::string const& timeLimit) {
  std::unique_ptr<OsiSolverInterface> solver;
  if (name == "cuda") {
    auto own = std::make_unique<OsiCudaSolverInterface>();
    try {
      own->setSolverOption("engine", engine);
      own->setSolverOption("time-limit", timeLimit);
    } catch (CoinError const& error) {
      throw Failure(ExitStatus::usage, error.message());
    }
    solver = std::move(own);
  } else if (name == "clp") {
    solver = std::make_unique<OsiClpSolverInterface>();
  } else {
    std::string known;
    for (std::string const& one : solverNames()) known += (known.empty() ? "" : " or ") + one;
    throw Failure(ExitStatus::usage, "expected " + known + " as solver, found '" + name + "'");
  }
  solver->messageHandler()->setLogLevel(0);
  solver->setHintParam(OsiDoReducePrint, true, OsiHintDo);
  // Clp prints "slacks added" on standard output when its crash has a say.
  solver->setHintParam(OsiDoCrash, false, OsiHintDo);
  return solver;
}

std::vector<double> firstRay(std::vector<double*> const& rays, std::size_t length) {
  std::vector<double> ray;
  if (!rays.empty() && rays.front()) ray.assign(rays.front(), rays.front() + length);
  for (double* const one : rays) delete[] one;
  return ray;
}

void load(OsiSolverInterface& solver, LinearProgram const& lp) {
  double const far = solver.getInfinity();
  auto const bounded = [&](std::vector<double> bounds) {
    for (double& b : bounds)
      if (std::isinf(b)) b = std::copysign(far, b);
    return bounds;
  };
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  solver.setObjSense(1.0);
  solver.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                     lp.matrix.values.data(), bounded(lp.columnLower).data(),
                     bounded(lp.columnUpper).data(), lp.objective.data(),
                     bounded(lp.rowLower).data(), bounded(lp.rowUpper).data());
}

}  // namespace osi_cuda::examples
