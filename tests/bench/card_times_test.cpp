// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/card_times.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>

using namespace osi_cuda;
using bench::CardPart;

namespace {

Machine with(char const* card) {
  Machine machine = referenceMachine();
  machine.device = builtInDevice(card).value();
  return machine;
}

double sum(std::vector<CardPart> const& parts, double CardPart::*of) {
  return std::transform_reduce(parts.begin(), parts.end(), 0.0, std::plus<>{},
                               [&](CardPart const& part) { return part.*of; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(card_times)

// The counters and the seconds of lab/data/shares.csv, one share.
BOOST_AUTO_TEST_CASE(parts_add_up_to_what_was_measured) {
  bench::SolveCounts const counts{5000, 2500, 8, 4, 348};
  auto const near = boost::test_tools::tolerance(0.1);
  auto const h200 = cardParts(with("H200"), counts);
  BOOST_TEST(sum(h200, &CardPart::seconds) == 0.0427, near);
  BOOST_TEST(sum(h200, &CardPart::sliced) == sum(h200, &CardPart::seconds));
  // Where double precision is slow, the tableau and the factor are most of it, and slices help.
  auto const ada = cardParts(with("RTX 4090"), counts);
  double const all = sum(ada, &CardPart::seconds);
  BOOST_TEST(ada[1].seconds + ada[3].seconds > 0.6 * all);
  BOOST_TEST(sum(ada, &CardPart::sliced) < all / 1.5);
  BOOST_TEST(sum(ada, &CardPart::operations) < sum(h200, &CardPart::operations) + 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
