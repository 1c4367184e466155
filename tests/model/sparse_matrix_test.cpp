// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>

#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda::testing {

BOOST_AUTO_TEST_SUITE(sparse_matrix)

BOOST_AUTO_TEST_CASE(transpose_and_back) {
  //     1 0 4
  //     2 3 0
  SparseMatrix const a{2, 3, {0, 2, 3, 4}, {1, 0, 1, 0}, {2, 1, 3, 4}};
  SparseMatrix const t = a.transposed();
  BOOST_CHECK((t == SparseMatrix{3, 2, {0, 2, 4}, {0, 2, 0, 1}, {1, 4, 2, 3}}));
  // Twice transposed, the rows of every column ascend.
  BOOST_CHECK((t.transposed() == SparseMatrix{2, 3, {0, 2, 3, 4}, {0, 1, 1, 0}, {1, 2, 3, 4}}));
}

BOOST_AUTO_TEST_CASE(empty_shapes) {
  BOOST_CHECK(SparseMatrix{}.transposed() == SparseMatrix{});
  SparseMatrix const wide{0, 3, {0, 0, 0, 0}, {}, {}};
  BOOST_CHECK((wide.transposed() == SparseMatrix{3, 0, {0}, {}, {}}));
  BOOST_CHECK(wide.transposed().transposed() == wide);
}

BOOST_AUTO_TEST_CASE(density) {
  BOOST_TEST(SparseMatrix{}.density() == 0.0);
  BOOST_TEST((SparseMatrix{2, 2, {0, 1, 1}, {0}, {5}}).density() == 0.25);
  // More entries than an int can count would overflow a 32-bit product of the dimensions.
  SparseMatrix tall;
  tall.rows = 1'000'000;
  tall.columns = 1'000'000;
  tall.starts.assign(1'000'001, 0);
  tall.starts.back() = 1'000'000;
  BOOST_TEST(tall.density() == 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
