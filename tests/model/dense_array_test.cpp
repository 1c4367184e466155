// SPDX-License-Identifier: EPL-2.0
// A matrix that stands on a dense array is the matrix that lists the same entries.
#include "osi_cuda/model/dense_array.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/fingerprint.hpp"
#include "osi_cuda/model/scaling.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/proof/products.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/peak_memory.hpp"

using namespace osi_cuda;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::PeakMemory;
using proof::Bounded;
using proof::Parts;
using proof::Products;
using proof::productsOf;

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// The numbers of a full matrix by rows and by columns, and matrices that stand on them.
struct Layouts {
  std::vector<double> rows, columns;
  SparseMatrix byRows, byColumns;

  explicit Layouts(SparseMatrix const& full)
      : rows(full.values.size()),
        columns(full.values),
        byRows(denseMatrix(full.rows, full.columns, rows.data(), true, nullptr)),
        byColumns(denseMatrix(full.rows, full.columns, columns.data(), false, nullptr)) {
    for (int j = 0; j < full.columns; ++j)
      for (int i = 0; i < full.rows; ++i)
        rows[at(i) * at(full.columns) + at(j)] = columns[at(j) * at(full.rows) + at(i)];
  }
  Layouts(Layouts const&) = delete;
};

/// 301 x 203, with magnitudes that scaling brings together.
LinearProgram badlyScaled() {
  LinearProgram lp = denseLp(301, 203, 3, true);
  for (int j = 0; j < 203; ++j)
    for (int i = 0; i < 301; ++i)
      lp.matrix.values[at(301 * j + i)] *= std::exp2(4 * (5 * i % 7) + 4 * (3 * j % 11));
  return lp;
}

/// Sums in the same order are the same to the bit; in another one, within their errors.
void checkSame(proof::BoundedVector const& a, proof::BoundedVector const& b, bool reordered) {
  if (!reordered) BOOST_CHECK(a.value == b.value);
  for (std::size_t i = 0; i < a.value.size(); ++i)
    BOOST_TEST((Bounded(a.value[i]) - Bounded(b.value[i])).most() <= a[i].error + b[i].error);
}
void checkSame(Products const& a, Products const& b, bool reordered) {
  checkSame(a.activity, b.activity, reordered);
  checkSame(a.product, b.product, reordered);
}

LinearProgram withMatrix(LinearProgram lp, SparseMatrix matrix) {
  lp.matrix = std::move(matrix);
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dense_array)

// Chunks of every line are among those that are looked at.
BOOST_AUTO_TEST_CASE(some_numbers_of_a_large_array_tell_its_scales) {
  LinearProgram const lp = badlyScaled();
  Layouts const layouts(lp.matrix);
  auto const spreadBy = [&](Scales const& scales) {
    double squares = 0.0;
    for (int j = 0; j < 203; ++j)
      for (int i = 0; i < 301; ++i) {
        double const l = std::log2(std::fabs(layouts.columns[at(j) * 301 + at(i)]) *
                                   scales.row[at(i)] * scales.column[at(j)]);
        squares += l * l;
      }
    return squares;
  };
  double const byAll = spreadBy(chooseScales(layouts.byColumns));
  for (SparseMatrix const* const matrix : {&layouts.byColumns, &layouts.byRows}) {
    Scales const some = chooseScales(*matrix, matrix->nonzeros() / 2);
    BOOST_TEST(some.full);
    BOOST_TEST(some.change);
    BOOST_TEST(spreadBy(some) < 1.2 * byAll);
  }
  for (std::int64_t const enough : {1, 1000}) {
    LinearProgram const low = denseLp(100, 3000, 1, false);
    std::vector<double> numbers = low.matrix.values;
    BOOST_TEST(chooseScales(denseMatrix(100, 3000, numbers.data(), false, nullptr), enough).full);
  }
}

BOOST_AUTO_TEST_CASE(entries_and_transposes) {
  SparseMatrix const full = denseLp(37, 21, 1, true).matrix;
  Layouts const of(full);
  for (SparseMatrix const* const dense : {&of.byRows, &of.byColumns}) {
    BOOST_CHECK(*dense == full);
    BOOST_CHECK(full == *dense);
    BOOST_CHECK(dense->transposed() == full.transposed());
    BOOST_CHECK(dense->transposed().transposed() == full);
    BOOST_TEST(dense->density() == 1.0);
    SparseMatrix listed = *dense;
    listed.makeSparse();
    BOOST_TEST(!listed.isDense());
    BOOST_CHECK(listed == full);
    ColumnReader read(*dense);
    for (int const j : {0, 20, 7, 8, 7, 16, 15}) {
      auto const own = full.columnValues(j);
      BOOST_CHECK(std::ranges::equal(read(j), own));
      BOOST_CHECK(std::ranges::equal(dense->columnValues(j), own));
      BOOST_TEST(dense->columnValues(j)[36] == own[36]);
    }
  }
  SparseMatrix other = full;
  other.values[5] += 1.0;
  BOOST_CHECK(!(of.byRows == other));
  BOOST_CHECK(!(of.byRows.transposed() == full));
}

BOOST_AUTO_TEST_CASE(zeros_are_entries_until_the_matrix_is_made_sparse) {
  std::vector<double> const numbers{1, 0, 2, 0, 3, 4};
  SparseMatrix matrix = denseMatrix(2, 3, numbers.data(), true, nullptr);
  BOOST_TEST(matrix.nonzeros() == 6);
  matrix.makeSparse();
  BOOST_CHECK((matrix == SparseMatrix{2, 3, {0, 1, 2, 4}, {0, 1, 0, 1}, {1, 3, 2, 4}}));
}

BOOST_AUTO_TEST_CASE(scaling_products_and_fingerprints_are_the_same_to_the_bit) {
  for (LinearProgram const& lp : {denseLp(301, 203, 2, true), badlyScaled()}) {
    Layouts const of(lp.matrix);
    StandardForm const form = makeStandardForm(lp, true);
    std::vector<double> x(203), y(301);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = 1.0 / (1.0 + static_cast<double>(j));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1.0 / (2.0 + static_cast<double>(i));
    Parts const point(x, {}), multipliers(y, {}), twoParts(x, x), twoMultipliers(y, y);
    Products const products = productsOf(lp.matrix, &point, &multipliers);
    Products const parts = productsOf(lp.matrix, &twoParts, &twoMultipliers);
    for (SparseMatrix const* const matrix : {&of.byRows, &of.byColumns}) {
      LinearProgram const dense = withMatrix(lp, *matrix);
      BOOST_TEST(findFault(dense) == "");
      BOOST_CHECK(dense == lp);
      BOOST_TEST(fingerprintOf(dense) == fingerprintOf(lp));
      StandardForm const other = makeStandardForm(dense, true);
      BOOST_CHECK(other.rowScale == form.rowScale);
      BOOST_CHECK(other.columnScale == form.columnScale);
      BOOST_CHECK(other.matrix() == form.matrix());
      BOOST_CHECK(other.transposed() == form.transposed());
      BOOST_TEST(other.full());
      BOOST_TEST(makeStandardForm(dense, false).full());
      checkSame(productsOf(*matrix, &point, &multipliers), products, matrix->dense.byRows);
      checkSame(productsOf(*matrix, &twoParts, &twoMultipliers), parts, matrix->dense.byRows);
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_named) {
  LinearProgram const lp = denseLp(37, 21, 1, true);
  Layouts of(lp.matrix);
  of.rows[5 * 21 + 3] = infinity;
  of.columns[3 * 37 + 5] = std::nan("");
  std::string const sentence = "Column C4 has an entry in row R6 that is not finite.";
  BOOST_TEST(findFault(withMatrix(lp, of.byRows)) == sentence);
  BOOST_TEST(findFault(withMatrix(lp, of.byColumns)) == sentence);
  LinearProgram wrong = withMatrix(lp, of.byRows);
  wrong.matrix.starts.back() = 7;
  BOOST_TEST(findFault(wrong) == "matrix.starts descends at column 20.");
}

BOOST_AUTO_TEST_CASE(edits_leave_the_callers_numbers_alone) {
  SparseMatrix const full = denseLp(37, 21, 1, true).matrix;
  Layouts const of(full);
  std::vector<double> const rows = of.rows, columns = of.columns;
  std::vector<int> const i{3, 36, 3}, j{20, 0, 20}, gone{0, 5};
  std::vector<double> const value{7.0, 8.0, 9.0};
  SparseMatrix const one{21, 1, {0, 2}, {0, 20}, {1.0, 2.0}};
  for (SparseMatrix const* const dense : {&of.byRows, &of.byColumns}) {
    SparseMatrix expected = full, matrix = *dense;
    auto const same = [&] { BOOST_CHECK(matrix == expected); };
    setEntries(matrix, i, j, value);
    setEntries(expected, i, j, value);
    same();
    BOOST_TEST(matrix.isDense());
    SparseMatrix const before = matrix;  // shares the numbers, which the next change copies
    setEntries(matrix, gone, gone, std::vector<double>{4.0, 5.0});
    BOOST_CHECK(before == expected);
    setEntries(expected, gone, gone, std::vector<double>{4.0, 5.0});
    same();
    appendRows(matrix, one);
    appendRows(expected, one);
    same();
    removeColumns(matrix, gone);
    removeColumns(expected, gone);
    same();
    SparseMatrix second = *dense, third = *dense, listed = full, doubled = full;
    removeRows(second, gone);
    removeRows(listed, gone);
    BOOST_CHECK(second == listed);
    appendColumns(third, *dense);
    appendColumns(doubled, full);
    BOOST_CHECK(third == doubled);
  }
  BOOST_CHECK(of.rows == rows);
  BOOST_CHECK(of.columns == columns);
}

// What the model takes for a matrix that stands on an array: checks, scale factors, both ways of
// seeing it, and the products of a proof.
BOOST_AUTO_TEST_CASE(the_model_takes_no_copy) {
  LinearProgram const lp = denseLp(3000, 1500, 1, true);
  Layouts const of(lp.matrix);
  std::vector<double> const x(1500, 1.0), y(3000, 1.0);
  Parts const point(x, {}), multipliers(y, {});
  productsOf(lp.matrix, &point, &multipliers);  // threads take their own first
  LinearProgram bare = lp;
  bare.matrix = {};
  for (SparseMatrix const* const matrix : {&of.byRows, &of.byColumns}) {
    PeakMemory const memory;
    if (!memory.known()) {
      BOOST_TEST_MESSAGE("the system does not count peak memory");
      return;
    }
    LinearProgram const dense = withMatrix(bare, *matrix);
    BOOST_TEST(findFault(dense) == "");
    StandardForm const form = makeStandardForm(dense, true);
    BOOST_TEST(form.transposed().nonzeros() == 3000 * 1500);
    productsOf(dense.matrix, &point, &multipliers);
    double const array = 8.0 * 3000 * 1500;
    BOOST_TEST(memory.bytes() <= 0.3 * array);
  }
}

BOOST_AUTO_TEST_SUITE_END()
