// SPDX-License-Identifier: EPL-2.0
// The enclosures of real problems against their optima in rational arithmetic: of the doubles of
// the files, which are not quite the decimals of the published optima.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/reference.hpp"

using namespace osi_cuda;
using testing::Instance;

namespace {

constexpr double cells = 3e5;  ///< rows x columns of problems whose exact check takes no second

bool taken(Instance const& instance) {
  return instance.optimum && instance.cells() <= cells;
}

auto needsProblems() {
  return testing::needs([]() -> std::string {
    for (Instance const& instance : testing::netlibInstances())
      if (taken(instance)) return "";
    return "OSI_CUDA_DATA names no folder with small Netlib problems";
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(netlib)

BOOST_AUTO_TEST_CASE(enclosures_contain_the_exact_optimum, *needsProblems()) {
  int problems = 0, proved = 0, both = 0;
  for (Instance const& instance : testing::netlibInstances()) {
    if (!taken(instance)) continue;
    LinearProgram const lp = readers::read(instance.file).lp;
    Options options;
    options.engine = EngineChoice::host;
    options.exact = Toggle::off;
    Solver solver(lp);
    Solution solution = solver.solve(options);
    solver.enclose(solution);
    ObjectiveEnclosure const found = solution.objectiveEnclosure;
    options.exact = Toggle::on;
    options.timeLimit = 20.0;
    Solution const exact = Solver(lp).solve(options);
    ++problems;
    both += std::isfinite(found.errorOf(solution.objective));
    if (exact.status != Status::optimal || !exact.exact.proved) continue;
    ++proved;
    // The objective is the double nearest to the exact optimum.
    BOOST_TEST(found.lower <= exact.objective, instance.name << ": " << found.lower);
    BOOST_TEST(found.upper >= exact.objective, instance.name << ": " << found.upper);
    BOOST_TEST(exact.objectiveEnclosure.errorOf(exact.objective) <=
                   3e-16 * std::fabs(exact.objective) + 1e-323,
               instance.name);
  }
  BOOST_TEST(proved > problems / 2);
  BOOST_TEST(2 * both >= problems);
  BOOST_TEST_MESSAGE(problems << " problems, " << proved << " proved, " << both
                              << " with both ends by default");
}

BOOST_AUTO_TEST_SUITE_END()
