// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/working_problem.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "osi_cuda/simplex/starting_basis.hpp"
#include "tests/simplex/control_parts.hpp"
#include "tests/support/small_lp.hpp"

namespace osi_cuda {
namespace {

using testing::ControlParts;
using testing::smallLp;
using Shifts = WorkingProblem::Shifts;

/// The small problem with costs that no bound answers.
LinearProgram unboundedLp() {
  LinearProgram lp = smallLp();
  lp.objective[0] = -1.0;
  return lp;
}

bool same(BoundsView const& a, BoundsView const& b) {
  return std::ranges::equal(a.lower, b.lower) && std::ranges::equal(a.upper, b.upper);
}

BOOST_AUTO_TEST_SUITE(working_problem)

BOOST_AUTO_TEST_CASE(itBeginsAsTheProblem) {
  ControlParts p(smallLp());
  BOOST_TEST(same(p.problem.bounds(), {p.form.lower, p.form.upper}));
  BOOST_TEST(p.problem.cost() == p.form.cost);
  BOOST_TEST(p.problem.altered() == std::string());
  BOOST_TEST(p.problem.neverPerturbed());
}

BOOST_AUTO_TEST_CASE(perturbedBoundsContainTheOldOnesAndComeBack) {
  ControlParts p(smallLp());
  BOOST_TEST(p.problem.mayPerturb(Algorithm::primal));
  p.problem.perturb(Algorithm::primal);
  BOOST_TEST(!p.problem.mayPerturb(Algorithm::primal));
  BOOST_TEST(!p.problem.neverPerturbed());
  BOOST_TEST(p.problem.altered() == std::string("bounds"));
  BOOST_TEST(p.problem.bounds().lower[0] < 0.0);
  BOOST_TEST(p.problem.bounds().upper[1] > 1.0);
  BOOST_TEST(p.engine->snapshot().value[0] == p.problem.bounds().lower[0]);  // it rests there
  p.problem.restore();
  BOOST_TEST(same(p.problem.bounds(), p.problem.trueBounds()));
  BOOST_TEST(p.problem.altered() == std::string());
  BOOST_TEST(p.engine->snapshot().value[0] == 0.0);
  BOOST_TEST(p.problem.mayPerturb(Algorithm::primal));
}

// A slack of the slack basis goes by a thousand times what its column went by. Beyond its own bound
// it would block every step, so that pivots move nothing.
BOOST_AUTO_TEST_CASE(perturbedBoundsHoldThePoint) {
  LinearProgram lp = smallLp();
  for (double& a : lp.matrix.values) a *= 1e3;
  lp.rowLower = lp.rowUpper = std::vector<double>(lp.rowLower.size(), 0.0);
  ControlParts p(lp);
  auto const beyond = [&] { return p.engine->measure(0.0, p.tolerances.dual()).primalCount; };
  BOOST_TEST(beyond() == 0);
  for (int k = 0; k < 3; ++k) {
    p.problem.perturb(Algorithm::primal);
    BOOST_TEST(p.engine->snapshot().value[0] < 0.0);
    BOOST_TEST(beyond() == 0);
  }
  p.problem.restore();
  BOOST_TEST(same(p.problem.bounds(), p.problem.trueBounds()));
}

BOOST_AUTO_TEST_CASE(perturbedCostsAreTheEnginesToo) {
  ControlParts p(smallLp());
  p.problem.perturb(Algorithm::dual);
  BOOST_TEST(p.problem.altered() == std::string("costs"));
  BOOST_TEST(p.problem.cost() != p.form.cost);
  BOOST_TEST(p.engine->costs() == p.problem.cost());
  p.problem.perturb(Algorithm::primal);
  BOOST_TEST(p.problem.altered() == std::string("bounds and costs"));
  p.problem.restore();
  BOOST_TEST(p.engine->costs() == p.form.cost);
}

BOOST_AUTO_TEST_CASE(perturbationGrowsWithinAPhaseAndEnds) {
  ControlParts p(smallLp());
  p.problem.perturb(Algorithm::primal);
  double const first = p.problem.bounds().upper[1];
  int repetitions = 0;
  for (; !p.problem.perturbedInVain() && repetitions < 100; ++repetitions)
    p.problem.perturb(Algorithm::primal);
  BOOST_TEST(repetitions == 6);
  BOOST_TEST(p.problem.bounds().upper[1] - 1.0 > 100.0 * (first - 1.0));
  p.problem.restore();
  BOOST_TEST(!p.problem.perturbedInVain());
  p.problem.perturb(Algorithm::primal);  // of the next phase: smaller
  BOOST_TEST(p.problem.bounds().upper[1] - 1.0 < first - 1.0);
}

BOOST_AUTO_TEST_CASE(aRelaxedStartIsPrimalFeasible) {
  ControlParts p(smallLp());  // x = 0 violates the row
  BOOST_TEST(p.measure().primalCount == 1);
  p.problem.relaxStart();
  BOOST_TEST(p.measure().primalCount == 0);
  BOOST_TEST(p.problem.startAltered());
  BOOST_TEST(p.problem.altered() == std::string("start bounds"));
  p.problem.restore();
  BOOST_TEST(p.measure().primalCount == 1);
  BOOST_TEST(!p.problem.startAltered());
}

BOOST_AUTO_TEST_CASE(aModifiedStartIsDualFeasible) {
  ControlParts p(unboundedLp());
  BOOST_TEST(p.problem.makeDualFeasible(Shifts::none) == 1);
  BOOST_TEST(p.measure().dualCount == 1);
  p.problem.modifyStart();
  BOOST_TEST(p.measure().dualCount == 0);
  BOOST_TEST(p.problem.altered() == std::string("start costs"));
  p.problem.restore();
  BOOST_TEST(p.engine->costs() == p.form.cost);
}

BOOST_AUTO_TEST_CASE(aShiftedCostLeavesNothingToImprove) {
  ControlParts p(unboundedLp());
  BOOST_TEST(p.problem.makeDualFeasible(Shifts::allowed) == 0);
  BOOST_TEST(p.measure().dualCount == 0);
  BOOST_TEST(p.problem.costsPerturbed());
}

BOOST_AUTO_TEST_CASE(boxedVariablesGoToTheBoundThatTheirCostAsksFor) {
  LinearProgram lp = smallLp();
  lp.objective[1] = -1.0;  // boxed: 0 <= x2 <= 1
  ControlParts p(std::move(lp));
  BOOST_TEST(p.problem.makeDualFeasible(Shifts::none) == 0);
  BOOST_TEST(p.engine->snapshot().value[1] == 1.0);
  p.problem.snapToBounds();
  BOOST_TEST(p.engine->snapshot().value[1] == 1.0);
}

BOOST_AUTO_TEST_CASE(boundsThatNoValueMeets) {
  Bounds bounds{{0.0, -infinity}, {0.0, infinity}};
  BOOST_TEST(!boundsCross(bounds));
  BOOST_TEST(boundsCross(Bounds{{1.0}, {0.0}}));
  BOOST_TEST(boundsCross(Bounds{{infinity}, {infinity}}));
  BOOST_TEST(boundsCross(Bounds{{-infinity}, {-infinity}}));
}

BOOST_AUTO_TEST_CASE(aStartHasAsManyBasicVariablesAsRows) {
  using enum VariableStatus;
  ControlParts p(smallLp());
  BoundsView const bounds = p.problem.bounds();
  StartingBasis const slack = startingBasis(p.form, {}, bounds);
  BOOST_TEST((slack.basic == std::vector<char>{0, 0, 1}));
  StartingBasis const none = startingBasis(p.form, {{atLower, atUpper}, {atLower}}, bounds);
  BOOST_TEST((none.basic == std::vector<char>{0, 0, 1}));
  BOOST_TEST(none.value[1] == 1.0);
  StartingBasis const two = startingBasis(p.form, {{basic, basic}, {basic}}, bounds);
  BOOST_TEST((two.basic == std::vector<char>{1, 0, 0}));
  // The slack is the negative of the activity: a row at its lower bound has it at its upper one.
  StartingBasis const one = startingBasis(p.form, {{basic, atLower}, {atLower}}, bounds);
  BOOST_TEST((one.basic == std::vector<char>{1, 0, 0}));
  BOOST_TEST(one.value[2] == -4.0);
  // An upper bound that there is none gives way to the lower one.
  BOOST_TEST(startingBasis(p.form, {{atUpper, atLower}, {basic}}, bounds).value[0] == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
