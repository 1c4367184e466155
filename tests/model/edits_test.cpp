// SPDX-License-Identifier: EPL-2.0
// Rows that come and go: of a matrix, and of a computational form.
#include "osi_cuda/model/edits.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "osi_cuda/model/standard_form.hpp"

using namespace osi_cuda;

namespace {

class Draws {
 public:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  /// Entries in any order, of magnitudes that scaling brings nearer to each other.
  SparseMatrix columns(int rows, int count) {
    SparseMatrix matrix;
    matrix.rows = rows;
    for (int j = 0; j < count; ++j) {
      std::vector<int> all(at(rows));
      for (int i = 0; i < rows; ++i) all[at(i)] = i;
      std::ranges::shuffle(all, random_);
      for (int const i : all)
        if (below(3) == 0) matrix.add(i, (1.0 + below(9)) * std::pow(10.0, i % 5 + j % 3));
      matrix.endColumn();
    }
    return matrix;
  }
  std::vector<int> some(int size) {
    std::vector<int> chosen;
    int const first = below(2) * (size - std::min(size, 4));  // mostly the last ones
    for (int k = first; k < size; ++k)
      if (below(3) == 0) chosen.push_back(k);
    return chosen;
  }

 private:
  std::mt19937 random_{5};
};

/// By number of the row, as columns: what is left, then the new ones.
SparseMatrix replaced(SparseMatrix const& matrix, std::vector<int> const& gone,
                      SparseMatrix const& rows) {
  SparseMatrix byRow = matrix.transposed();
  removeColumns(byRow, gone);
  appendColumns(byRow, rows);
  return byRow;
}

LinearProgram problemOf(SparseMatrix matrix) {
  LinearProgram lp;
  lp.objective.assign(at(matrix.columns), 1.0);
  lp.columnLower.assign(at(matrix.columns), 0.0);
  lp.columnUpper.assign(at(matrix.columns), 2.0);
  lp.rowLower.assign(at(matrix.rows), -1.0);
  lp.rowUpper.assign(at(matrix.rows), 1.0);
  lp.matrix = std::move(matrix);
  return lp;
}

/// The form's matrix by what it says of scale factors.
void checkForm(StandardForm const& form, LinearProgram const& lp) {
  SparseMatrix scaled = lp.matrix;
  for (int j = 0; j < scaled.columns; ++j)
    for (std::int64_t e = scaled.starts[at(j)]; e < scaled.starts[at(j) + 1]; ++e)
      scaled.values[at(e)] *= form.columnScale[at(j)] * form.rowScale[at(scaled.indices[at(e)])];
  BOOST_REQUIRE(form.matrix() == scaled);
  BOOST_REQUIRE(form.transposed() == scaled.transposed());
  BOOST_REQUIRE_EQUAL(form.nonzeros(), scaled.nonzeros());
}

/// What the form tells of new lines is what its matrix has there, whoever reads first.
void checkNewEntries(StandardForm const& form, Reshape const& change) {
  SparseMatrix const rows = form.newRows(), columns = form.newColumns();
  auto const added = [](std::vector<int> const& map) { return std::ranges::count(map, -1); };
  BOOST_REQUIRE_EQUAL(rows.columns, added(change.rows));
  BOOST_REQUIRE_EQUAL(columns.columns, added(change.columns));
  BOOST_REQUIRE(rows == rowsFrom(form.matrix(), form.rows() - rows.columns));
  BOOST_REQUIRE(columns == rowsFrom(form.transposed(), form.columns() - columns.columns));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_edits)

BOOST_AUTO_TEST_CASE(rows_are_replaced_in_one_pass) {
  Draws draw;
  for (int k = 0; k < 300; ++k) {
    SparseMatrix matrix = draw.columns(draw.below(12), 1 + draw.below(9));
    auto const gone = draw.some(matrix.rows);
    SparseMatrix const rows = draw.columns(matrix.columns, draw.below(6)).transposed().transposed();
    SparseMatrix const expected = replaced(matrix, gone, rows);
    replaceRows(matrix, gone, rows);
    BOOST_REQUIRE_EQUAL(matrix.rows, expected.columns);
    BOOST_REQUIRE(matrix.transposed() == expected);
  }
}

BOOST_AUTO_TEST_CASE(rows_from_the_end_are_found_there) {
  Draws draw;
  SparseMatrix matrix = draw.columns(7, 5);
  SparseMatrix const rows = draw.columns(5, 3).transposed().transposed();
  appendRows(matrix, rows);
  BOOST_CHECK(rowsFrom(matrix, 7) == rows);
}

BOOST_AUTO_TEST_CASE(a_form_takes_over_what_came_and_went) {
  Draws draw;
  for (bool const scale : {true, false}) {
    LinearProgram lp = problemOf(draw.columns(12, 9));
    StandardForm form = makeStandardForm(lp, scale);
    BOOST_REQUIRE_EQUAL(&form.matrix() != &lp.matrix, scale);
    for (int k = 0; k < 200; ++k) {
      Reshape change;
      if (draw.below(5) == 0) {
        int const before = lp.columns();
        auto const gone = draw.some(before - 1);
        SparseMatrix const more = draw.columns(lp.rows(), static_cast<int>(gone.size()));
        removeColumns(lp.matrix, gone);
        appendColumns(lp.matrix, more);
        change = {reshapeMap(lp.rows(), {}, 0), reshapeMap(before, gone, more.columns)};
      } else {
        int const before = lp.rows();
        auto const gone = draw.some(before);
        SparseMatrix const more = draw.columns(lp.columns(), static_cast<int>(gone.size()));
        replaceRows(lp.matrix, gone, more);
        change = {reshapeMap(before, gone, more.columns), reshapeMap(lp.columns(), {}, 0)};
      }
      lp = problemOf(std::move(lp.matrix));
      StandardForm const shared = form;  // whose matrix stays as it is
      SparseMatrix const kept = shared.matrix();
      reshapeForm(form, lp, change);
      if (draw.below(2) == 0) checkNewEntries(StandardForm(form), change);
      if (draw.below(2) == 0) checkForm(form, lp);
      if (scale) BOOST_REQUIRE(shared.matrix() == kept);
    }
    checkForm(form, lp);
  }
}

BOOST_AUTO_TEST_SUITE_END()
