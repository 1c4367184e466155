// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/long_step.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "osi_cuda/engine/host/host_team.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

struct Kink {
  double ratio, slope, entry;
};

/// The long step over a list of kinks, with ratios relaxed by `harris`.
LongStep run(std::vector<Kink> const& kinks, double slope, double harris = 0.0) {
  std::vector<UnitKink> units;
  double largest = 0.0;
  for (Kink const& kink : kinks) {
    units.push_back({kink.ratio, rules::riseUnits(kink.slope, rules::turnUnits / -slope)});
    largest = std::max(largest, kink.entry);
  }
  rules::Turn turn = turnOf(units);
  turn.largest = largest;
  return longStep(turn, [&](double from, double to) {
    rules::Candidate best;
    for (std::size_t i = 0; i < kinks.size(); ++i) {
      if (kinks[i].ratio > to || kinks[i].ratio + harris < from) continue;
      rules::Candidate c;
      c.key = c.entry = kinks[i].entry;
      c.ratio = kinks[i].ratio;
      c.position = static_cast<int>(i);
      c.tie = static_cast<std::uint32_t>(i);
      best = rules::better(best, c);
    }
    return best;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(long_step)

BOOST_AUTO_TEST_CASE(stops_where_the_slope_turns) {
  std::vector<Kink> const kinks{{1, 2, 1}, {2, 2, 1}, {3, 2, 1}, {4, 2, 1}};
  BOOST_TEST(run(kinks, -1).chosen.position == 0);
  BOOST_TEST(run(kinks, -3).chosen.position == 1);
  BOOST_TEST(run(kinks, -5).chosen.position == 2);
  BOOST_TEST(run(kinks, -8).chosen.position == 3);  // turns exactly at the last
  BOOST_TEST(!run(kinks, -9).chosen.found());       // never turns: a ray
  BOOST_TEST(!run({}, -1).chosen.found());
}

BOOST_AUTO_TEST_CASE(an_infinite_slope_blocks) {
  double const inf = std::numeric_limits<double>::infinity();
  BOOST_TEST(run({{5, 1, 1}, {2, inf, 1}, {1, 1, 1}}, -100).chosen.position == 1);
}

BOOST_AUTO_TEST_CASE(equal_ratios_choose_the_largest_entry) {
  BOOST_TEST(run({{0, 1, 0.2}, {0, 1, 0.9}, {0, 1, 0.5}}, -0.5).chosen.position == 1);
}

BOOST_AUTO_TEST_CASE(what_the_turn_belongs_to_within_the_tolerance_competes) {
  std::vector<Kink> const kinks{{0.5, 1, 2.0}, {1, 1, 0.9}, {1.001, 2, 0.5}, {1.002, 2, 3.0}};
  BOOST_TEST(run(kinks, -3, 0.01).chosen.position == 1);
  BOOST_TEST(run(kinks, -3, 0.0).chosen.position == 2);
}

BOOST_AUTO_TEST_CASE(a_tiny_pivot_is_worth_less_than_a_shorter_step) {
  auto const step = run({{1, 1, 0.8}, {2, 1, 1e-6}}, -1.5);
  BOOST_TEST(step.chosen.position == 0);
  BOOST_TEST(step.largest == 0.8);
}

BOOST_AUTO_TEST_CASE(a_slope_that_cancels_but_for_rounding_turns) {
  std::vector<Kink> kinks;
  double total = 0.0;
  for (int i = 1; i <= 10; ++i) {
    kinks.push_back({static_cast<double>(i), 0.1, 1});
    total += 0.1;
  }
  BOOST_TEST(run(kinks, -1.0).chosen.found());
  BOOST_TEST(total != 1.0);  // why the case matters
}

BOOST_AUTO_TEST_CASE(agrees_with_sorting) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    testing::Random random(seed);
    std::vector<Kink> kinks(1 + seed % 50);
    double total = 0.0;
    for (auto& k : kinks) {
      // over many magnitudes
      k = {std::pow(10.0, 8 * random.unit() - 4), random.unit(), 0.5 + random.unit()};
      total += k.slope;
    }
    double slope = -random.unit() * total;
    auto const step = run(kinks, slope);
    std::sort(kinks.begin(), kinks.end(), [](Kink a, Kink b) { return a.ratio < b.ratio; });
    std::size_t turn = 0;
    while (slope + kinks[turn].slope < 0.0) slope += kinks[turn++].slope;
    BOOST_TEST(step.chosen.ratio == kinks[turn].ratio, "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
