// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/change_set.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

#include "osi_cuda/model/standard_form.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

std::vector<int> numbersOf(ChangeSet const& changes, int count) {
  std::vector<int> numbers;
  changes.each(count, [&](int number) { numbers.push_back(number); });
  return numbers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(change_set)

BOOST_AUTO_TEST_CASE(tells_what_was_added_until_it_is_cleared) {
  ChangeSet changes;
  BOOST_TEST(!changes.any());
  changes.renumber();
  BOOST_TEST(!changes.any());
  for (int const number : {3, 1, 3}) changes.add(number);
  BOOST_TEST(changes.any());
  BOOST_TEST(numbersOf(changes, 5) == (std::vector{3, 1, 3}), boost::test_tools::per_element());
  changes.clear();
  BOOST_TEST(!changes.any());
}

BOOST_AUTO_TEST_CASE(many_changes_and_new_numbers_mean_all) {
  ChangeSet changes;
  changes.add(2);
  changes.renumber();
  BOOST_TEST(numbersOf(changes, 3) == (std::vector{0, 1, 2}), boost::test_tools::per_element());
  changes.clear();
  for (int k = 0; k < 5000; ++k) changes.add(1);
  BOOST_TEST(numbersOf(changes, 2) == (std::vector{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_form_brought_up_to_date_by_changes_is_that_of_the_problem) {
  LinearProgram lp = testing::sparseLp(30, 40, 4, 5);
  StandardForm form = makeStandardForm(lp, true);
  testing::Random random(1);
  ChangeSet changes;
  for (int k = 0; k < 12; ++k) {
    int const v = random.below(70);
    double const bound = random.below(9) - 4.0;
    auto const place = static_cast<std::size_t>(v < 40 ? v : v - 40);
    (v < 40 ? lp.columnLower : lp.rowLower)[place] = bound;
    (v < 40 ? lp.columnUpper : lp.rowUpper)[place] = k % 3 == 0 ? infinity : bound + 1.0;
    changes.add(v);
  }
  refreshBounds(form, lp, changes);
  StandardForm whole = form;
  refreshBounds(whole, lp);
  BOOST_TEST(form.lower == whole.lower, boost::test_tools::per_element());
  BOOST_TEST(form.upper == whole.upper, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
