// SPDX-License-Identifier: EPL-2.0
// Real problems with known answers, both algorithms on the host engine.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/reference.hpp"

using namespace osi_cuda;
using testing::Instance;

namespace {

void solveAndCheck(Instance const& instance, AlgorithmChoice algorithm) {
  LinearProgram const lp = readers::read(instance.file).lp;
  Options options;
  options.engine = EngineChoice::host;
  options.algorithm = algorithm;
  Solution const s = Solver(lp).solve(options);
  std::string const what = instance.name + " " + toString(s.algorithm);
  if (!instance.optimum) {
    BOOST_TEST((s.status == Status::infeasible), what << ": " << toString(s.status));
    BOOST_TEST(verifyFarkas(lp, s.farkas, s.farkasLow).proved, what);
    return;
  }
  BOOST_TEST((s.status == Status::optimal), what << ": " << toString(s.status));
  BOOST_TEST(std::fabs(s.objective - *instance.optimum) <=
                 1e-9 * std::max(1.0, std::fabs(*instance.optimum)),
             what << ": " << s.objective << " instead of " << *instance.optimum);
  BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9, what);
}

constexpr double mediumCells = 4e6, largeCells = 2.5e7;  // rows x columns

/// Leaves a case out where no problem of these sizes is on the machine.
auto needsProblems(double fromCells, double toCells) {
  return testing::needs([=]() -> std::string {
    for (Instance const& instance : testing::netlibInstances())
      if (instance.cells() > fromCells && instance.cells() <= toCells) return "";
    return "OSI_CUDA_DATA names no folder with Netlib problems of this size";
  });
}

void solveAll(double fromCells, double toCells) {
  int solved = 0;
  for (Instance const& instance : testing::netlibInstances()) {
    if (instance.cells() <= fromCells || instance.cells() > toCells) continue;
    solveAndCheck(instance, AlgorithmChoice::primal);
    solveAndCheck(instance, AlgorithmChoice::dual);
    ++solved;
  }
  BOOST_TEST_MESSAGE(solved << " problems");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(netlib)

BOOST_AUTO_TEST_CASE(small_and_medium_problems, *needsProblems(0, mediumCells)) {
  solveAll(0, mediumCells);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(netlib_long)

BOOST_AUTO_TEST_CASE(large_problems, *needsProblems(mediumCells, largeCells)) {
  solveAll(mediumCells, largeCells);
}

BOOST_AUTO_TEST_SUITE_END()
