// SPDX-License-Identifier: EPL-2.0
// Irreducible infeasible subsystems: infeasible by their own multipliers, and with a point as soon
// as any one member is left out.
#include "osi_cuda/analysis/infeasible_subsystem.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "readers/read.hpp"
#include "tests/support/needs.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  return options;
}

InfeasibleSubsystem subsystemOf(LinearProgram const& lp) {
  Solution const solution = Solver(lp).solve(onHost());
  BOOST_TEST_REQUIRE((solution.status == Status::infeasible));
  return infeasibleSubsystem(lp, solution, onHost());
}

/// The problem with these sides alone.
LinearProgram onlySides(LinearProgram lp, std::vector<Side> const& sides, int leftOut) {
  LinearProgram const all = lp;
  std::fill(lp.objective.begin(), lp.objective.end(), 0.0);
  for (auto* lower : {&lp.columnLower, &lp.rowLower})
    std::fill(lower->begin(), lower->end(), -infinity);
  for (auto* upper : {&lp.columnUpper, &lp.rowUpper})
    std::fill(upper->begin(), upper->end(), infinity);
  for (int k = 0; k < std::ssize(sides); ++k)
    if (k != leftOut) boundOf(lp, sides[k]) = boundOf(all, sides[k]);
  return lp;
}

/// By fresh solves of the whole problem with all other sides taken out.
void check(LinearProgram const& lp, InfeasibleSubsystem const& found) {
  BOOST_TEST(found.irreducible);
  BOOST_TEST(found.proof.proved);
  BOOST_TEST(verifyFarkas(found.subsystem, found.farkas, found.farkasLow).proved);
  BOOST_TEST(findFault(found.subsystem) == "");
  for (Side const& side : found.members) BOOST_TEST(std::isfinite(boundOf(lp, side)));
  Solution const all = Solver(onlySides(lp, found.members, -1)).solve(onHost());
  BOOST_TEST((all.status == Status::infeasible));
  for (int k = 0; k < std::ssize(found.members); ++k) {
    LinearProgram const rest = onlySides(lp, found.members, k);
    Solution const s = Solver(rest).solve(onHost());
    BOOST_TEST((s.status == Status::optimal), "without member " << k << ": " << toString(s.status));
    BOOST_TEST(residualsOf(rest, s).primal <= 1e-7);
  }
}

BOOST_AUTO_TEST_SUITE(subsystem)

BOOST_AUTO_TEST_CASE(twoRowsThatContradictEachOther) {
  LinearProgram const lp = readers::readText(testing::infeasibleMps(), "t").lp;
  InfeasibleSubsystem const found = subsystemOf(lp);
  check(lp, found);
  std::vector<Side> const expected = {{Side::Of::row, 0, Side::End::upper},
                                      {Side::Of::row, 1, Side::End::lower}};
  BOOST_TEST((found.members == expected));
  BOOST_TEST(found.subsystem.rowNames == (std::vector<std::string>{"most", "least"}),
             boost::test_tools::per_element());
  BOOST_TEST(found.subsystem.columnNames == (std::vector<std::string>{"x", "y"}),
             boost::test_tools::per_element());
  BOOST_TEST(found.subsystem.columnLower[0] == -infinity);
}

BOOST_AUTO_TEST_CASE(crossedBoundsAreThemselvesTheSubsystem) {
  LinearProgram const lp = readers::readText(testing::crossedMps(), "t").lp;
  InfeasibleSubsystem const found = subsystemOf(lp);
  check(lp, found);
  BOOST_TEST(found.members.size() == 2u);
  BOOST_TEST(!found.members[0].isRow());
  LinearProgram rows = readers::readText(testing::smallMps(), "t").lp;
  rows.rowLower[1] = 7.0;
  check(rows, subsystemOf(rows));
}

BOOST_AUTO_TEST_CASE(aRowWithoutEntriesIsOneMember) {
  LinearProgram lp = readers::readText(testing::smallMps(), "t").lp;
  lp.matrix.values = {};
  lp.matrix.indices = {};
  lp.matrix.starts = {0, 0, 0};
  lp.rowLower[0] = 1.0;
  InfeasibleSubsystem const found = subsystemOf(lp);
  check(lp, found);
  BOOST_TEST(found.members.size() == 1u);
  BOOST_TEST(found.subsystem.columns() == 1);
  lp.rowLower[0] = 5.0;  // now its bounds cross, too, but one is enough
  check(lp, subsystemOf(lp));
}

BOOST_AUTO_TEST_CASE(randomProblems) {
  std::size_t largest = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    testing::RandomLpShape shape;
    shape.status = Status::infeasible;
    shape.emptyDimensions = false;
    testing::RandomLp const r = testing::randomLp(seed, shape);
    BOOST_TEST_CONTEXT(r.description) {
      InfeasibleSubsystem const found = subsystemOf(r.lp);
      check(r.lp, found);
      largest = std::max(largest, found.members.size());
    }
  }
  BOOST_TEST(largest > 4u);
}

BOOST_AUTO_TEST_CASE(theEndComesBeforeAllIsTried) {
  testing::RandomLpShape shape;
  shape.status = Status::infeasible;
  shape.emptyDimensions = false;
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinearProgram const lp = testing::randomLp(seed, shape).lp;
    Solution const solution = Solver(lp).solve(onHost());
    Callbacks callbacks;
    callbacks.interrupted = [] { return true; };
    InfeasibleSubsystem const found = infeasibleSubsystem(lp, solution, onHost(), callbacks);
    BOOST_TEST(found.proof.proved);
    if (found.irreducible) continue;  // crossed bounds: nothing to try
    ++stopped;
    BOOST_TEST((found.ending == Status::interrupted));
    Options noTime = onHost();
    noTime.timeLimit = 0.0;
    BOOST_TEST((infeasibleSubsystem(lp, solution, noTime).ending == Status::timeLimit));
  }
  BOOST_TEST(stopped > 5);
}

BOOST_AUTO_TEST_CASE(theIterationLimitIsThatOfAllSolves) {
  testing::RandomLpShape shape;
  shape.status = Status::infeasible;
  shape.emptyDimensions = false;
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    LinearProgram const lp = testing::randomLp(seed, shape).lp;
    Solution const solution = Solver(lp).solve(onHost());
    Options limited = onHost();
    limited.iterationLimit = infeasibleSubsystem(lp, solution, onHost()).iterations / 2;
    InfeasibleSubsystem const found = infeasibleSubsystem(lp, solution, limited);
    BOOST_TEST(found.iterations <= limited.iterationLimit);
    BOOST_TEST(found.proof.proved);
    stopped += found.ending == Status::iterationLimit;
  }
  BOOST_TEST(stopped > 5);
}

BOOST_AUTO_TEST_CASE(whatIsNotProvedIsRefused) {
  LinearProgram const lp = readers::readText(testing::smallMps(), "t").lp;
  Solution const solution = Solver(lp).solve(onHost());
  BOOST_CHECK_THROW(infeasibleSubsystem(lp, solution), std::invalid_argument);
  Solution claimed;
  claimed.status = Status::infeasible;
  BOOST_CHECK_THROW(infeasibleSubsystem(lp, claimed), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(netlib_long)

auto needsInfeasible() {
  return testing::needs([]() -> std::string {
    for (auto const& instance : testing::netlibInstances())
      if (!instance.optimum) return "";
    return "OSI_CUDA_DATA names no folder with infeasible Netlib problems";
  });
}

BOOST_AUTO_TEST_CASE(infeasible_problems, *needsInfeasible()) {
  constexpr double mostCells = 4e6;
  constexpr std::size_t mostMembers = 200;  // each takes a fresh solve to check
  for (auto const& instance : testing::netlibInstances()) {
    if (instance.optimum || instance.cells() > mostCells) continue;
    LinearProgram const lp = readers::read(instance.file).lp;
    BOOST_TEST_CONTEXT(instance.name) {
      InfeasibleSubsystem const found = subsystemOf(lp);
      BOOST_TEST(found.irreducible);
      BOOST_TEST(found.proof.proved);
      if (found.members.size() <= mostMembers) check(lp, found);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
