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

BOOST_AUTO_TEST_CASE(columns_are_made_and_walked_entry_by_entry) {
  SparseMatrix made;
  made.rows = 2;
  made.add(1, 2.0);
  made.endColumn();
  made.endColumn();
  made.add(1, 3.0);
  made.add(0, -1.0);
  made.endColumn();
  BOOST_CHECK((made == SparseMatrix{2, 3, {0, 1, 1, 3}, {1, 1, 0}, {2, 3, -1}}));
  BOOST_TEST(made.column(1).empty());
  BOOST_TEST(made.column(2).size() == 2u);
  // The same entries from wherever they lie, singly or by a reader.
  double const byRows[] = {5, 6, 7, 8, 9, 10}, byColumns[] = {5, 8, 6, 9, 7, 10};
  for (SparseMatrix const& matrix :
       {denseMatrix(2, 3, byRows, true, nullptr), denseMatrix(2, 3, byColumns, false, nullptr)}) {
    ColumnReader read(matrix);
    for (int j = 0; j < 3; ++j) {
      int i = 0;
      for (auto const [row, value] : matrix.column(j)) {
        BOOST_TEST(row == i);
        BOOST_TEST(value == 5.0 + 3 * i++ + j);
      }
      BOOST_TEST(i == 2);
      for (auto const [row, value] : read.column(j)) BOOST_TEST(value == 5.0 + 3 * row + j);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
