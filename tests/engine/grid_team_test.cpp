// SPDX-License-Identifier: EPL-2.0
// The device's team on fibers of the host: right answers, and the same bits whoever comes first.
#include "tests/support/emulated_grid.hpp"
// the emulation comes first
#include <boost/test/unit_test.hpp>

#include "osi_cuda/engine/host/host_team.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;
using namespace osi_cuda::cuda;
using namespace osi_cuda::testing;

namespace {

constexpr auto primal = Algorithm::primal, dual = Algorithm::dual;
using NarrowPrimal = TeamKind<primal, true, false>;
using WidePrimal = TeamKind<primal, true, true>;
using AnyPrimal = TeamKind<primal, false, true>;
using NarrowDual = TeamKind<dual, true, false>;
using WideDual = TeamKind<dual, true, true>;
using AnyDual = TeamKind<dual, false, true>;

double objectiveOf(Problem const& p, std::vector<double> const& x) {
  double sum = 0.0;
  for (std::size_t v = 0; v < x.size(); ++v) sum += p.cost[v] * x[v];
  return sum;
}

/// Pivots with a shadow are those without, and their weights the norms, to single precision.
template <class Kind>
void checkShadow(Problem const& p, int blocks) {
  Emulation plain(p, blocks, 8, 32), shadowed(p, blocks, 8, 32), again(p, blocks, 8, 16);
  shadowed.keepShadow();
  again.keepShadow();
  plain.run<Kind>(Pricing::steepest, Phase::two, 1);
  shadowed.run<Kind>(Pricing::steepest, Phase::two, 2);
  again.run<Kind>(Pricing::steepest, Phase::two, 3);
  // Columns of slacks are zeros in D until a fold.
  auto const x = plain.goOn<Kind>(4), y = shadowed.goOn<Kind>(5);
  BOOST_TEST(shadowed.report.iterations > 0);
  BOOST_TEST(plain.report.iterations == shadowed.report.iterations);
  for (std::size_t v = 0; v < x.size(); ++v) BOOST_TEST(std::fabs(x[v] - y[v]) < 1e-9);
  BOOST_TEST(plain.weightError(Kind::algorithm) < 1e-10);
  BOOST_TEST(shadowed.weightError(Kind::algorithm) < 1e-5);
  BOOST_TEST(shadowed.weightError(Kind::algorithm) > 1e-10);  // it was the shadow
  BOOST_TEST((again.goOn<Kind>(6) == y));
}

double hostObjective(Problem const& p) {
  Options options;
  options.engine = EngineChoice::host;
  Solution const s = Solver(p.program()).solve(options);
  BOOST_TEST((s.status == Status::optimal));
  return s.objective;
}

/// Of cases that the address sanitizer would let run for minutes; others stand for them there.
boost::unit_test::enable_if<!emulated::slow> const unlessSlow;

}  // namespace

BOOST_AUTO_TEST_SUITE(grid_team)

BOOST_AUTO_TEST_CASE(primal_pivots_end_at_the_optimum_in_every_order) {
  Problem const p = feasibleProblem(34, 26, 1);
  Emulation narrow(p, 3, 96, 96);
  auto const x = narrow.run<NarrowPrimal>(Pricing::sketched, Phase::two, 1);
  BOOST_TEST((narrow.report.stop == Stop::optimal));
  BOOST_TEST(narrow.report.iterations > 10);
  double const objective = hostObjective(p);
  BOOST_TEST(std::fabs(objectiveOf(p, x) - objective) <= 1e-9 * std::fabs(objective));
  BOOST_TEST((Emulation(p, 3, 96, 96).run<NarrowPrimal>(Pricing::sketched, Phase::two, 2) == x));
  // Only a part of the factors in shared memory, and nothing at all of the state.
  BOOST_TEST((Emulation(p, 3, 96, 32).run<WidePrimal>(Pricing::sketched, Phase::two, 3) == x));
  BOOST_TEST((Emulation(p, 3, 96, 16).run<WidePrimal>(Pricing::sketched, Phase::two, 5) == x));
  BOOST_TEST((Emulation(p, 3, 96, 32).run<AnyPrimal>(Pricing::sketched, Phase::two, 4) == x));
}

BOOST_AUTO_TEST_CASE(greatest_improvement_sees_every_row_in_every_order, *unlessSlow) {
  Problem const p = feasibleProblem(34, 26, 1);
  Emulation first(p, 3, 32, 32);
  auto const x = first.runGreatest(false, 1);
  BOOST_TEST((first.report.stop == Stop::optimal));
  BOOST_TEST(first.report.iterations > 10);
  double const objective = hostObjective(p);
  BOOST_TEST(std::fabs(objectiveOf(p, x) - objective) <= 1e-9 * std::fabs(objective));
  BOOST_TEST((Emulation(p, 3, 32, 32).runGreatest(true, 7) == x));
  BOOST_TEST((Emulation(p, 5, 32, 32).runGreatest(true, 9) == x));
  Problem const tall = feasibleProblem(700, 7, 2);  // more rows than are looked at together
  Emulation second(tall, 3, 32, 32);
  second.runGreatest(true, 1);
  BOOST_TEST((second.report.stop == Stop::optimal));
  BOOST_TEST(second.report.iterations > 3);
}

BOOST_AUTO_TEST_CASE(the_primal_phase_1_becomes_feasible_in_every_order, *unlessSlow) {
  Problem const p = boxedProblem(24, 20, 0.0, 2);
  Emulation first(p, 2, 96, 32);
  auto const x = first.run<WidePrimal>(Pricing::sketched, Phase::one, 1);
  BOOST_TEST((first.report.stop == Stop::optimal));
  for (std::size_t v = 0; v < x.size(); ++v)
    BOOST_TEST((x[v] >= p.lower[v] - 2e-7 && x[v] <= p.upper[v] + 2e-7));
  BOOST_TEST((Emulation(p, 2, 96, 32).run<WidePrimal>(Pricing::sketched, Phase::one, 2) == x));
}

BOOST_AUTO_TEST_CASE(dual_pivots_flip_and_end_at_the_optimum_in_every_order) {
  Problem const p = boxedProblem(24, 20, -1.0, 3);
  Emulation narrow(p, 2, 96, 96);
  auto const x = narrow.run<NarrowDual>(Pricing::sketched, Phase::two, 1);
  BOOST_TEST((narrow.report.stop == Stop::optimal));
  BOOST_TEST(narrow.report.flips > 0);
  double const objective = hostObjective(p);
  BOOST_TEST(std::fabs(objectiveOf(p, x) - objective) <= 1e-8 * (1.0 + std::fabs(objective)));
  BOOST_TEST((Emulation(p, 2, 96, 32).run<WideDual>(Pricing::sketched, Phase::two, 2) == x));
  Emulation exact(p, 2, 96, 32);
  auto const y = exact.run<AnyDual>(Pricing::steepest, Phase::two, 3);
  BOOST_TEST((exact.report.stop == Stop::optimal));
  BOOST_TEST(std::fabs(objectiveOf(p, y) - objective) <= 1e-8 * (1.0 + std::fabs(objective)));
}

// With a tolerance as wide as the costs, reduced costs pass zero all the time and are shifted back.
// A variable that is shifted again has mostly come to another block meanwhile.
BOOST_AUTO_TEST_CASE(shifts_of_costs_add_up_whoever_owns_the_column, *unlessSlow) {
  Problem const p = boxedProblem(40, 90, -1.0, 3);
  Emulation first(p, 3, 128, 96);
  first.run<AnyDual>(Pricing::dantzig, Phase::two, 1, 0.3);
  BOOST_TEST((first.report.stop == Stop::optimal));
  BOOST_TEST(first.shifts() > 10);
  BOOST_TEST(first.shiftedAgain() > 0);
  BOOST_TEST(first.costError() < 1e-9);
  Emulation second(p, 2, 128, 96);
  second.run<AnyDual>(Pricing::dantzig, Phase::two, 2, 0.3);
  BOOST_TEST((second.costs() == first.costs()));
}

// With few columns threads are left over for shares of the rows; with many a thread has several;
// blocks may have no rows; with few nonzeros products with D take turns with the shadow's.
BOOST_AUTO_TEST_CASE(the_shadow_keeps_exact_weights_in_every_order, *unlessSlow) {
  for (auto const& [m, n, blocks, density] :
       {std::tuple{34, 26, 3, 1.0}, {30, 1650, 2, 1.0}, {9, 30, 4, 1.0}, {60, 40, 3, 0.1}})
    checkShadow<AnyPrimal>(feasibleProblem(m, n, 1, density), blocks);
}

BOOST_AUTO_TEST_CASE(the_shadow_keeps_exact_weights_of_rows_in_every_order) {
  for (auto const& [m, n, blocks, density] :
       {std::tuple{24, 20, 2, 1.0}, {30, 1100, 2, 1.0}, {20, 7, 4, 1.0}, {40, 60, 3, 0.1}})
    checkShadow<AnyDual>(boxedProblem(m, n, -1.0, 3, density), blocks);
}

// A block that is late still finds the line of the choice before.
BOOST_AUTO_TEST_CASE(choices_may_follow_each_other) {
  Problem const p = feasibleProblem(30, 5, 1);
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    BOOST_TEST(Emulation(p, 6, 32, 32).choices(20, seed));
}

BOOST_AUTO_TEST_CASE(slopes_turn_where_the_host_says) {
  for (unsigned seed = 1; seed <= 16; ++seed) {
    Random random(seed);
    int const rows = seed % 3 == 0 ? 7 : 1500;
    std::vector<rules::Kinks> kinks(at(rows));
    std::vector<UnitKink> units;
    double const slope = -random.unit() * rows * (seed % 8 == 7 ? 2.0 : 0.7);
    double largest = 0.0;
    auto const kink = [&] {
      double const x = random.unit();
      // over all magnitudes; many alike; close together
      double const ratio = seed % 4 < 2    ? std::pow(10.0, 200 * x - 100)
                           : seed % 4 == 2 ? std::floor(3 * x)
                                           : 1.0 + 1e-13 * std::floor(1000 * x);
      rules::Kink const k{ratio, seed % 5 == 0 && x > 0.9 ? infinity : random.unit()};
      units.push_back({ratio, rules::riseUnits(k.rise, rules::turnUnits / -slope)});
      return k;
    };
    for (rules::Kinks& own : kinks) {
      own.entry = random.unit();
      largest = std::max(largest, own.entry);
      if (random.unit() < 0.8) own.first = kink();
      if (random.unit() < 0.2) own.second = kink();
    }
    rules::Turn const expected = turnOf(units);
    Problem const p{rows, 2, std::vector<double>(at(2 * rows), 1.0), {}, {}, {}};
    Emulation emulation(p, 3, 32, 32);
    for (rules::Turn const& turn : emulation.turn(kinks, slope, seed)) {
      BOOST_TEST_REQUIRE(turn.ratio == expected.ratio, "seed " << seed);
      BOOST_TEST_REQUIRE(turn.passed == expected.passed, "seed " << seed);
      BOOST_TEST_REQUIRE(turn.largest == rules::fromCoarseBits(rules::coarseBits(largest)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
