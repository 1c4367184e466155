// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include "readers/basis_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::testing {
namespace {

using enum VariableStatus;

/// Columns: x in [0, inf), y in [-1, 4], z free; rows: a <= 5, b >= 1, c = 2, d free.
LinearProgram model() {
  LinearProgram lp;
  lp.matrix = {4, 3, {0, 0, 0, 0}, {}, {}};
  lp.objective = {0, 0, 0};
  lp.columnLower = {0, -1, -infinity};
  lp.columnUpper = {infinity, 4, infinity};
  lp.rowLower = {-infinity, 1, 2, -infinity};
  lp.rowUpper = {5, infinity, 2, infinity};
  lp.rowNames = {"a", "b", "c", "d"};
  lp.columnNames = {"x", "y", "z"};
  return lp;
}

std::string errorOf(std::string const& text) {
  try {
    readers::readBasisText(text, "f.bas", model());
  } catch (readers::ReadError const& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(basis_file)

BOOST_AUTO_TEST_CASE(all_slack_by_default) {
  Basis const basis = readers::readBasisText("NAME\nENDATA\n", "f", model());
  BOOST_CHECK((basis == Basis{{atLower, atLower, free}, {basic, basic, basic, basic}}));
}

BOOST_AUTO_TEST_CASE(every_kind_of_line) {
  Basis const basis = readers::readBasisText(
      "* comment\nNAME  test\n XU x a\n XL z b 1.5\n UL y\nENDATA\n", "f", model());
  BOOST_CHECK((basis == Basis{{basic, atUpper, basic}, {atUpper, atLower, basic, basic}}));
  Basis const rows = readers::readBasisText("NAME\n BS x\n LL y\n UL a\nENDATA\n", "f", model());
  BOOST_CHECK((rows == Basis{{basic, atLower, free}, {atUpper, basic, basic, basic}}));
}

BOOST_AUTO_TEST_CASE(a_variable_at_an_infinite_bound_rests_on_the_other) {
  // lp_solve calls the right-hand side of a the lower bound.
  Basis const basis = readers::readBasisText("NAME\n XL x a\n XU y d\nENDATA\n", "f", model());
  BOOST_CHECK((basis == Basis{{basic, basic, free}, {atUpper, basic, basic, free}}));
}

BOOST_AUTO_TEST_CASE(names_with_blanks_by_column_position) {
  LinearProgram lp = model();
  lp.rowNames[0] = "ROW ONE";
  lp.columnNames[0] = "COL ONE";
  Basis const basis = readers::readBasisText("NAME\n XU COL ONE   ROW ONE\nENDATA\n", "f", lp);
  BOOST_CHECK(basis.columns[0] == basic);
  BOOST_CHECK(basis.rows[0] == atUpper);
  BOOST_CHECK(readers::readBasisText(readers::writeBasisText(lp, basis), "f", lp) == basis);
}

BOOST_AUTO_TEST_CASE(errors) {
  BOOST_TEST(errorOf("") == "f.bas:1:1: expected ENDATA, found the end of the file");
  BOOST_TEST(errorOf("NAME\n XU x a\n") == "f.bas:2:8: expected ENDATA, found the end of the file");
  BOOST_TEST(errorOf("ROWS\n") ==
             "f.bas:1:1: expected NAME, ENDATA, or a line of the basis that begins with a blank, "
             "found \"ROWS\"");
  BOOST_TEST(errorOf("NAME\n XX x a\n") ==
             "f.bas:2:2: expected XU, XL, UL, LL or BS, found \"XX\"");
  BOOST_TEST(errorOf("NAME\n XU a a\n") == "f.bas:2:5: expected the name of a column, found \"a\"");
  BOOST_TEST(errorOf("NAME\n XU x\n") ==
             "f.bas:2:6: expected the name of a row, found the end of the line");
  BOOST_TEST(errorOf("NAME\n LL w\n") ==
             "f.bas:2:5: expected the name of a column or row, found \"w\"");
  BOOST_TEST(errorOf("NAME\n LL x\n UL x\n") ==
             "f.bas:3:5: expected one line for each variable, found \"x\"");
  BOOST_TEST(errorOf("NAME\n XU x a\n XU y a\n") ==
             "f.bas:3:7: expected one line for each variable, found \"a\"");
}

BOOST_AUTO_TEST_CASE(written_bases_read_back) {
  int bases = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    RandomLp const random = randomLp(seed, {.status = Status::optimal});
    std::string const text = readers::writeBasisText(random.lp, random.basis);
    Basis expected = random.basis;  // fixed variables at an upper bound are at the lower one
    for (int j = 0; j < random.lp.columns(); ++j) {
      expected.columns[j] = readers::restingPlace(expected.columns[j], random.lp.columnLower[j],
                                                  random.lp.columnUpper[j]);
    }
    for (int i = 0; i < random.lp.rows(); ++i) {
      expected.rows[i] =
          readers::restingPlace(expected.rows[i], random.lp.rowLower[i], random.lp.rowUpper[i]);
    }
    BOOST_TEST_CONTEXT(random.description)
    BOOST_CHECK(readers::readBasisText(text, "f", random.lp) == expected);
    ++bases;
  }
  BOOST_TEST(bases == 400);
}

BOOST_AUTO_TEST_CASE(a_basis_of_another_model_is_not_written) {
  BOOST_CHECK_THROW(readers::writeBasisText(model(), Basis{}), readers::WriteError);
}

BOOST_AUTO_TEST_CASE(files_and_every_kind_of_line) {
  // More basic columns than nonbasic rows, and the other way round.
  Basis const columns{{basic, basic, atUpper}, {basic, atLower, basic, basic}};
  Basis const rows{{atLower, atUpper, free}, {atUpper, atLower, atLower, basic}};
  LinearProgram lp = model();
  lp.rowLower[0] = -5;
  lp.columnUpper[2] = 9;
  TemporaryFolder const folder;
  readers::writeBasis(folder.file("a.bas"), lp, columns);
  BOOST_TEST(readWholeFile(folder.file("a.bas")) ==
             "NAME          BASIS\n XL x         b\n BS y\n UL z\nENDATA\n");
  BOOST_CHECK(readers::readBasis(folder.file("a.bas"), lp) == columns);
  lp.columnUpper[2] = infinity;
  readers::writeBasis(folder.file("b.bas"), lp, rows);
  BOOST_TEST(readWholeFile(folder.file("b.bas")) ==
             "NAME          BASIS\n UL y\n UL a\n LL b\n LL c\nENDATA\n");
  BOOST_CHECK(readers::readBasis(folder.file("b.bas"), lp) == rows);
}

BOOST_AUTO_TEST_CASE(the_only_bound_of_a_row_is_written_as_lower) {
  Basis const basis{{basic, atLower, free}, {atUpper, basic, basic, basic}};  // a <= 5
  std::string const text = readers::writeBasisText(model(), basis);
  BOOST_TEST(text == "NAME          BASIS\n XL x         a\nENDATA\n");
  BOOST_CHECK(readers::readBasisText(text, "f", model()) == basis);
}

BOOST_AUTO_TEST_CASE(superbasic_variables_go_to_a_bound) {
  using readers::restingPlace;
  BOOST_CHECK(restingPlace(free, 0, 4) == atLower);
  BOOST_CHECK(restingPlace(free, -infinity, 4) == atUpper);
  BOOST_CHECK(restingPlace(free, -infinity, infinity) == free);
  BOOST_CHECK(restingPlace(atUpper, 2, 2) == atLower);
  BOOST_CHECK(restingPlace(atUpper, 2, infinity) == atLower);
  BOOST_CHECK(restingPlace(basic, 2, 2) == basic);
}

BOOST_AUTO_TEST_CASE(bases_of_glpsol_and_highs) {
  Basis const expected{{basic, atUpper, free}, {atUpper, atLower, basic, basic}};
  Basis const glpsol = readers::readBasisText(
      "c Problem: test\ns bas 4 3 f f 0\ni 1 u 5 0\ni 2 l 1 0\ni 3 b 2 0\ni 4 b 0 0\n"
      "j 1 b 0 0\nj 2 u 4 0\nj 3 f 0 0\ne o f\n",
      "f", model());
  BOOST_CHECK(glpsol == expected);
  Basis const highs2 = readers::readBasisText(
      "HiGHS_basis_file v2\nValid\n# Columns 3\nx 1\ny 2\nz 3\n# Rows 4\na 2\nb 0\nc 1\nd 1\n", "f",
      model());
  BOOST_CHECK(highs2 == expected);
  Basis const highs1 = readers::readBasisText(
      "HiGHS v1\nValid\n# Columns 3\n1 2 3 \n# Rows 4\n2 0 1 1 \n", "f", model());
  BOOST_CHECK(highs1 == expected);
  BOOST_TEST(errorOf("HiGHS_basis_file v2\nNone\n") ==
             "f.bas:2:5: expected a solution with a basis, found the end of the file");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
