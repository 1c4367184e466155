// SPDX-License-Identifier: EPL-2.0
// Harris' two passes in one: parts combined in any order give what two passes over all rows give,
// or say that they may not.
#include <boost/test/unit_test.hpp>
#include <random>
#include <vector>

#include "osi_cuda/simplex/team.hpp"

using namespace osi_cuda;
using rules::Choice;

namespace {

struct Row {
  double ratio, relaxed, size;
};

Choice choiceOf(Row const& row, int i) {
  Choice c;
  c.bound = {row.relaxed, row.size};
  if (row.ratio >= rules::unlimited) return c;
  c.nearest = row.ratio;
  c.best.key = row.size;
  c.best.ratio = row.ratio;
  c.best.position = i;
  c.best.tie = static_cast<std::uint32_t>(i);
  return c;
}

/// The rows combined as a random tree.
Choice combined(std::vector<Choice> parts, std::mt19937& random) {
  while (parts.size() > 1) {
    std::size_t const a = random() % (parts.size() - 1);
    parts[a] = rules::combineChoices(parts[a], parts[a + 1]);
    parts.erase(parts.begin() + static_cast<long>(a) + 1);
  }
  return parts.front();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(choice)

BOOST_AUTO_TEST_CASE(one_pass_gives_what_two_give_or_says_that_it_may_not) {
  std::mt19937 random(7);
  auto uniform = [&] { return static_cast<double>(random() % 1000 + 1) / 1000.0; };
  int doubts = 0, trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Row> rows(2 + random() % 40);
    bool const degenerate = trial % 2 == 0;
    for (Row& row : rows) {
      row.size = uniform();
      row.ratio = random() % 5 == 0 ? rules::unlimited
                  : degenerate && random() % 2 == 0
                      ? 0.0
                      : uniform() * (trial % 3 == 0 ? 0.001 : 1.0) / row.size;
      row.relaxed = row.ratio < rules::unlimited ? row.ratio + 1e-3 / row.size : rules::unlimited;
    }
    double bound = rules::unlimited;
    for (Row const& row : rows) bound = std::min(bound, row.relaxed);
    int expected = -1;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i].ratio <= bound && rows[i].ratio < rules::unlimited &&
          (expected < 0 || rows[i].size > rows[static_cast<std::size_t>(expected)].size))
        expected = static_cast<int>(i);
    std::vector<Choice> parts;
    for (std::size_t i = 0; i < rows.size(); ++i)
      parts.push_back(choiceOf(rows[i], static_cast<int>(i)));
    Choice const c = combined(parts, random);
    BOOST_TEST(c.bound.relaxed == bound);
    if (c.doubtful())
      ++doubts;
    else
      BOOST_TEST(c.best.position == expected, "trial " << trial);
  }
  BOOST_TEST(doubts < trials / 2);
}

BOOST_AUTO_TEST_CASE(a_row_that_was_overlooked_raises_doubt) {
  // Alone, the first pair takes row 1 (larger); with row 2's bound that is too far, and row 0 is
  // the one to take.
  Choice const pair =
      rules::combineChoices(choiceOf({1.0, 3.0, 0.5}, 0), choiceOf({2.0, 2.5, 4.0}, 1));
  BOOST_TEST(pair.best.position == 1);
  BOOST_TEST(!pair.doubtful());
  Choice const all = rules::combineChoices(pair, choiceOf({1.4, 1.5, 0.1}, 2));
  BOOST_TEST(all.doubtful());
}

BOOST_AUTO_TEST_CASE(no_row_limits_nothing) {
  Choice const c = rules::combineChoices(Choice{}, Choice{});
  BOOST_TEST(!c.best.found());
  BOOST_TEST(!c.doubtful());
}

BOOST_AUTO_TEST_SUITE_END()
