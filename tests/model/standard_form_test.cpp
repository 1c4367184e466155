// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/standard_form.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/support/dense_family.hpp"

using namespace osi_cuda;
using osi_cuda::testing::denseLp;

namespace {

bool full(LinearProgram const& lp) {
  return makeStandardForm(lp, true).full();
}

/// Entry (i, j) times 2^(5 i mod 7) 2^(3 j mod 11).
LinearProgram badlyScaled() {
  LinearProgram lp = denseLp(300, 200, 3, true);
  for (int j = 0; j < 200; ++j)
    for (int i = 0; i < 300; ++i)
      lp.matrix.values[static_cast<std::size_t>(300 * j + i)] *=
          std::exp2(4 * (5 * i % 7) + 4 * (3 * j % 11));
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(standard_form)

BOOST_AUTO_TEST_CASE(a_full_matrix_is_recognised) {
  LinearProgram const lp = denseLp(300, 20, 1, true);
  BOOST_TEST(full(lp));
  BOOST_TEST(full(badlyScaled()));
  BOOST_TEST(!makeStandardForm(lp, false).full());  // nobody looked

  LinearProgram swapped = lp;  // rows 129 and 130 of column 7
  std::swap(swapped.matrix.indices[7 * 300 + 129], swapped.matrix.indices[7 * 300 + 130]);
  BOOST_TEST(!full(swapped));
  LinearProgram rotated = lp;  // all of a column's chunks are successive but one
  std::rotate(rotated.matrix.indices.begin(), rotated.matrix.indices.begin() + 128,
              rotated.matrix.indices.begin() + 300);
  BOOST_TEST(!full(rotated));
  LinearProgram less = lp;
  less.matrix.indices.pop_back();
  less.matrix.values.pop_back();
  --less.matrix.starts.back();
  BOOST_TEST(!full(less));
}

BOOST_AUTO_TEST_CASE(scaling_does_not_depend_on_the_order_of_entries_or_on_zeros) {
  LinearProgram const lp = badlyScaled();
  StandardForm const form = makeStandardForm(lp, true);
  double largest = 0.0;
  for (double const value : form.matrix().values) largest = std::max(largest, std::fabs(value));
  BOOST_TEST(largest <= 2.0);
  LinearProgram backwards = lp;
  for (int j = 0; j < 200; ++j) {
    auto const column = 300 * j;
    std::reverse(backwards.matrix.indices.begin() + column,
                 backwards.matrix.indices.begin() + column + 300);
    std::reverse(backwards.matrix.values.begin() + column,
                 backwards.matrix.values.begin() + column + 300);
  }
  StandardForm const other = makeStandardForm(backwards, true);
  BOOST_TEST(other.rowScale == form.rowScale, boost::test_tools::per_element());
  BOOST_TEST(other.columnScale == form.columnScale, boost::test_tools::per_element());

  LinearProgram zeros = lp, without = lp;  // a zero counts as little as an entry that is not there
  zeros.matrix.values[0] = 0.0;
  without.matrix.values.erase(without.matrix.values.begin());
  without.matrix.indices.erase(without.matrix.indices.begin());
  for (std::size_t j = 1; j < without.matrix.starts.size(); ++j) --without.matrix.starts[j];
  StandardForm const a = makeStandardForm(zeros, true), b = makeStandardForm(without, true);
  BOOST_TEST(a.rowScale == b.rowScale, boost::test_tools::per_element());
  BOOST_TEST(a.columnScale == b.columnScale, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
