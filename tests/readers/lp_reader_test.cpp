// SPDX-License-Identifier: EPL-2.0
//
// What the parts of the two LP formats mean; docs/reference/formats.md in cases.
#include <boost/test/unit_test.hpp>
#include <string>

#include "readers/read.hpp"

namespace osi_cuda::testing {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

readers::ReadResult readLp(std::string const& text) {
  readers::ReadResult result = readers::readText(text, "test.lp");
  BOOST_TEST(findFault(result.lp) == "");
  return result;
}

/// The bounds section `bounds` for columns x, y.
LinearProgram withBounds(std::string const& bounds) {
  return readLp("min\n obj: x + y\nst\n c: x + y >= -99\nbounds\n" + bounds + "\nend\n").lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cplex_lp)

BOOST_AUTO_TEST_CASE(plain_model) {
  LinearProgram const lp =
      readLp(
          "\\ comment\nMaximize\n profit: 3 x + .5 y - 2z \\ comment\n + 7\nSubject To\n"
          " c1: x + y +\n z <= 10\n c2: 2x - y >= -2\n 3 z = 1e1\nBounds\n y <= 4\nEnd\n")
          .lp;
  BOOST_CHECK(lp.sense == Sense::maximize);
  BOOST_TEST(lp.objectiveName == "profit");
  BOOST_TEST(lp.objective == (Numbers{3, .5, -2}));
  BOOST_TEST(lp.objectiveOffset == 7);
  BOOST_TEST(lp.rowNames == (Names{"c1", "c2", "R3"}));
  BOOST_TEST(lp.columnNames == (Names{"x", "y", "z"}));
  BOOST_TEST(lp.rowLower == (Numbers{-infinity, -2, 10}));
  BOOST_TEST(lp.rowUpper == (Numbers{10, infinity, 10}));
  BOOST_TEST(lp.matrix.values == (Numbers{1, 2, 1, -1, 1, 3}));
  BOOST_TEST(lp.columnUpper == (Numbers{infinity, 4, infinity}));
}

BOOST_AUTO_TEST_CASE(spellings) {
  for (char const* text :
       {"MAX\nx\nSUBJECT TO\nc: x <= 1\nEND", "maximise\nobj: x\nsuch that\nc: x < 1\nend\n",
        "Maximum x\nst\nc: x =< 1\nend", "max\nx\ns.t.\nc: 1 >= x\nend",
        "max x\nst.\nc: 1 => x\nEnd"}) {
    BOOST_TEST_CONTEXT(text) {
      LinearProgram const lp = readLp(text).lp;
      BOOST_CHECK(lp.sense == Sense::maximize);
      BOOST_TEST(lp.rowUpper == Numbers{1});
      BOOST_TEST(lp.rowLower == Numbers{-infinity});
      BOOST_TEST(lp.matrix.values == Numbers{1});
    }
  }
}

BOOST_AUTO_TEST_CASE(ranges_and_terms_on_both_sides) {
  LinearProgram const lp =
      readLp(
          "min\n x\nst\n a: -5 <= x + y <= 8\n b: 8 >= x - y >= 2\n c: 3 x + 2 >= 2 y + 4 - x\n"
          " d: 0 >= x + y - 3\n e: x - 1 >= 2\nend\n")
          .lp;
  BOOST_TEST(lp.rowLower == (Numbers{-5, 2, 2, -infinity, 3}));
  BOOST_TEST(lp.rowUpper == (Numbers{8, 8, infinity, 3, infinity}));
  BOOST_TEST(lp.matrix.values == (Numbers{1, 1, 4, 1, 1, 1, -1, -2, 1}));
}

BOOST_AUTO_TEST_CASE(rows_without_names_end_with_the_line_of_their_number) {
  LinearProgram const lp = readLp(
                               "min\n x\nst\n x + y <= 5\n2 x - y >= 0\n-x + 3 y >= 0\n x >= 1 +\n "
                               "2\n y >= 2 x\n + 3\nend\n")
                               .lp;
  BOOST_TEST(lp.rows() == 5);
  BOOST_TEST(lp.rowLower == (Numbers{-infinity, 0, 0, 3, 3}));
}

BOOST_AUTO_TEST_CASE(bounds) {
  BOOST_TEST(withBounds("x <= 4\n y >= -2").columnLower == (Numbers{0, -2}));
  BOOST_TEST(withBounds("x <= 4\n y >= -2").columnUpper == (Numbers{4, infinity}));
  BOOST_TEST(withBounds("-1 <= x <= 4\n 3 >= y >= 1").columnUpper == (Numbers{4, 3}));
  BOOST_TEST(withBounds("-1 <= x <= 4\n 3 >= y >= 1").columnLower == (Numbers{-1, 1}));
  BOOST_TEST(withBounds("5 >= x\n y = 3").columnUpper == (Numbers{5, 3}));
  BOOST_TEST(withBounds("5 >= x\n y = 3").columnLower == (Numbers{0, 3}));
  for (char const* free : {"x free\n y FREE", "-inf <= x <= inf\n -Infinity <= y <= +INF",
                           "x >= -1e30\n y >= -infinity", "-1e+30 <= x\n -inf <= y <= 1e31"}) {
    BOOST_TEST_CONTEXT(free) {
      BOOST_TEST(withBounds(free).columnLower == (Numbers{-infinity, -infinity}));
      BOOST_TEST(withBounds(free).columnUpper == (Numbers{infinity, infinity}));
    }
  }
}

BOOST_AUTO_TEST_CASE(negative_upper_bound_keeps_the_lower_one) {
  readers::ReadResult const result = readLp("min\n x\nst\n c: x + y >= 1\nbounds\n x <= -5\nend\n");
  BOOST_TEST(result.lp.columnLower[0] == 0);
  BOOST_TEST(result.notices.at(0) ==
             "1 column(s) have a negative upper bound and the lower bound 0.");
}

BOOST_AUTO_TEST_CASE(marks) {
  readers::ReadResult const result = readLp(
      "min\n a + b + c + d\nst\n r: a + b + c + d >= 1\nbounds\n 2 <= d <= 9\n"
      "General\n a\nBinaries\n b\nSemi-continuous\n d\nend\n");
  BOOST_TEST(result.lp.integer == (std::vector<char>{1, 1, 0, 0}));
  BOOST_TEST(result.lp.columnUpper == (Numbers{infinity, 1, infinity, 9}));
  BOOST_TEST(result.lp.columnLower == (Numbers{0, 0, 0, 0}));
  BOOST_TEST((result.lp.choices.semicontinuous == std::vector<SemicontinuousColumn>{{3, 2.0}}));
  BOOST_TEST(result.notices.empty());
  LinearProgram const other =
      readLp("min\n a + b\nst\n r: a + b >= 1\nint\n a\nbin\n b\nsemis\nend").lp;
  BOOST_TEST(other.integer == (std::vector<char>{1, 1}));
}

BOOST_AUTO_TEST_CASE(ordered_sets) {
  std::string const model = "min\n a + b + c\nst\n r: a + b + c >= 1\n";
  using Sets = std::vector<OrderedSet>;
  BOOST_TEST((readLp(model + "SOS\n s1: S1:: a:5 b:-2.5\n c : 1\n sos2: s2 :: c:1 d:2\nend\n")
                  .lp.choices.sets ==
              Sets{{"s1", 1, 0, {1, 2, 0}, {-2.5, 1, 5}}, {"sos2", 2, 0, {2, 3}, {1, 2}}}));
  BOOST_TEST(
      (readLp(model + "sos2\n s: a:1\n b:2\n t: b:1 c:2\nbounds\n a <= 3\nend\n").lp.choices.sets ==
       Sets{{"s", 2, 0, {0, 1}, {1, 2}}, {"t", 2, 0, {1, 2}, {1, 2}}}));
}

/// Bounds [lower, upper] of column a of the sections behind `min a`.
std::pair<double, double> boundsOfA(std::string const& sections, std::size_t notices = 0) {
  readers::ReadResult const result = readLp("min\n a\nst\n r: a + b >= -9\n" + sections + "end\n");
  BOOST_TEST(result.lp.integer[0] == 1);
  BOOST_TEST(result.notices.size() == notices);
  return {result.lp.columnLower[0], result.lp.columnUpper[0]};
}

BOOST_AUTO_TEST_CASE(binary_columns_keep_their_bounds) {
  using Pair = std::pair<double, double>;
  std::string const list = "Binaries\n a\n";
  BOOST_CHECK(boundsOfA(list) == Pair(0, 1));
  BOOST_CHECK(boundsOfA("Bounds\n a = 1\n" + list) == Pair(1, 1));
  BOOST_CHECK(boundsOfA("Bounds\n a <= 0\n" + list) == Pair(0, 0));
  BOOST_CHECK(boundsOfA("Bounds\n a <= 0.5\n" + list) == Pair(0, 0.5));
  BOOST_CHECK(boundsOfA("Bounds\n a <= 1e20\n" + list, 1) == Pair(0, 1));
  BOOST_CHECK(boundsOfA("Bounds\n a free\n" + list) == Pair(0, 1));
  // Outside of [0, 1] as in HiGHS and GLPK, with a notice.
  BOOST_CHECK(boundsOfA("Bounds\n a <= 5\n" + list, 1) == Pair(0, 5));
  BOOST_CHECK(boundsOfA("Bounds\n a = -1\n" + list, 1) == Pair(-1, -1));
  BOOST_CHECK(boundsOfA("Bounds\n -3 <= a <= 1\n" + list, 1) == Pair(-3, 1));
  BOOST_CHECK(boundsOfA("Bounds\n a >= 2\n" + list) == Pair(2, 1));
  // The order of sections.
  BOOST_CHECK(boundsOfA(list + "Bounds\n a = 0\n") == Pair(0, 0));
  BOOST_CHECK(boundsOfA(list + "General\n a\n") == Pair(0, 1));
  BOOST_CHECK(boundsOfA("General\n a\n" + list) == Pair(0, 1));
  BOOST_CHECK(boundsOfA("Bounds\n a = 1\n" + list + "General\n a\n" + list) == Pair(1, 1));
}

BOOST_AUTO_TEST_CASE(row_names_that_begin_with_a_digit) {
  LinearProgram const lp =
      readLp(
          "min\n obj: x + y\nst\n 1: x + 2 y >= 4\n 03 : 3 x + y >= 6 0_lower: x - y <= 2\n"
          " 2e5: 2 x1 >= 1\n 1.5: 3e0x>=1\n 7: = 0\n 2 x >= 3\n end: 4 y >= 1\nend\n")
          .lp;
  BOOST_TEST(lp.rowNames == (Names{"1", "03", "0_lower", "2e5", "1.5", "7", "R7", "end"}));
  BOOST_TEST(lp.rowLower == (Numbers{4, 6, -infinity, 1, 1, 0, 3, 1}));
  BOOST_TEST(lp.matrix.transposed().values == (Numbers{1, 2, 3, 1, 1, -1, 2, 3, 2, 4}));
}

BOOST_AUTO_TEST_CASE(repeated_terms_are_summed) {
  readers::ReadResult const result =
      readLp("min\n x + x\nst\n c: x + y + x >= 1\n d: y - y + x >= 2\nend\n");
  BOOST_TEST(result.lp.objective[0] == 2);
  BOOST_TEST(result.lp.matrix.values == (Numbers{2, 1, 1}));
  BOOST_TEST(result.notices.at(0) ==
             "3 repeated term(s) of a column in a row or the objective are summed.");
}

BOOST_AUTO_TEST_CASE(names_like_keywords) {
  LinearProgram const lp =
      readLp(
          "min\n obj: free + x#1 + y(2) + z[3] + bin\nst\n end: free + bin >= 1\n max: x#1 >= 2\n"
          "bounds\n bin <= 3\nend\n")
          .lp;
  BOOST_TEST(lp.columnNames == (Names{"free", "x#1", "y(2)", "z[3]", "bin"}));
  BOOST_TEST(lp.rowNames == (Names{"end", "max"}));
  BOOST_TEST(lp.columnUpper[4] == 3);
}

BOOST_AUTO_TEST_CASE(rows_without_terms) {
  LinearProgram const lp =
      readLp("min\n x\nst\n con932: = +0\n a: <= 5\n b: >= - 2\n c: x >= 1\n d: = 3\nend\n").lp;
  BOOST_TEST(lp.rowNames == (Names{"con932", "a", "b", "c", "d"}));
  BOOST_TEST(lp.rowLower == (Numbers{0, -infinity, -2, 1, 3}));
  BOOST_TEST(lp.rowUpper == (Numbers{0, 5, infinity, infinity, 3}));
  BOOST_TEST(lp.matrix.nonzeros() == 1);
}

BOOST_AUTO_TEST_CASE(empty_parts) {
  LinearProgram const lp = readLp("min\n obj:\nst\n c: x >= 1\nbounds\n y <= 2\ngen\nend").lp;
  BOOST_TEST(lp.columnNames == (Names{"x", "y"}));
  BOOST_TEST(lp.objective == (Numbers{0, 0}));
  BOOST_TEST(readLp("min\nend\n").lp.columns() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(lp_solve_lp)

BOOST_AUTO_TEST_CASE(plain_model) {
  LinearProgram const lp =
      readLp(
          "/* a\n comment */ max: 2x + 3 y - z + 4; // comment\nc1: 3 x + 2 y <= 10;\n"
          "x + y + z >= 1; R7: 3 z = 2;\n")
          .lp;
  BOOST_CHECK(lp.sense == Sense::maximize);
  BOOST_TEST(lp.objective == (Numbers{2, 3, -1}));
  BOOST_TEST(lp.objectiveOffset == 4);
  BOOST_TEST(lp.rowNames == (Names{"c1", "R2", "R7"}));
  BOOST_TEST(lp.rowUpper == (Numbers{10, infinity, 2}));
}

BOOST_AUTO_TEST_CASE(one_term_without_label_is_a_bound) {
  LinearProgram const lp =
      readLp(
          "min: x + y + z + w + v;\n3 x > 2; -y >= -8; -5 <= z <= 5; w = 3; R1: v >= 1; v <= 1e30;"
          "R2: 0 >= x; 5 >= v; y >= -1e30;")
          .lp;
  BOOST_TEST(lp.columnLower == (Numbers{2.0 / 3, -infinity, -5, 3, 0}));
  BOOST_TEST(lp.columnUpper == (Numbers{infinity, 8, 5, 3, 5}));
  BOOST_TEST(lp.rowNames == (Names{"R1", "R2"}));
  BOOST_TEST(lp.rowLower == (Numbers{1, -infinity}));
  BOOST_TEST(lp.rowUpper == (Numbers{infinity, 0}));
}

/// Bounds of column x behind these statements, and how many of them are ignored.
void checkBounds(std::string const& statements, double lower, double upper, std::size_t ignored) {
  BOOST_TEST_CONTEXT(statements) {
    readers::ReadResult const result = readLp("min: x + y;\nc: x + y <= 20;\n" + statements);
    BOOST_TEST(result.lp.columnLower[0] == lower);
    BOOST_TEST(result.lp.columnUpper[0] == upper);
    std::size_t count = 0;
    for (std::string const& notice : result.notices) count += notice.ends_with("and ignored.");
    BOOST_TEST(count == ignored);
  }
}

// As lp_solve 5.5.2.5 answers.
BOOST_AUTO_TEST_CASE(looser_bounds_are_ignored) {
  checkBounds("x <= 5; x <= 7;", 0, 5, 1);
  checkBounds("x <= 7; x <= 5;", 0, 5, 0);
  checkBounds("x <= 5; x <= 5;", 0, 5, 0);
  checkBounds("x >= 3; x >= 1;", 3, infinity, 1);
  checkBounds("x >= -5;", -5, infinity, 0);  // 0 is no bound of the file
  checkBounds("x >= -5; x >= -9;", -5, infinity, 1);
  checkBounds("x >= 0; x >= -2;", 0, infinity, 1);
  checkBounds("x = 3; x <= 7; x >= 1;", 3, 3, 2);
  checkBounds("x <= 3; x = 7;", 7, 3, 1);  // infeasible, which lp_solve says while it reads
  checkBounds("-x >= -8; -x >= -10;", 0, 8, 1);
  checkBounds("x <= 3; x <= 1e30;", 0, 3, 1);
  checkBounds("x >= -5; x >= -1e30;", -5, infinity, 1);
  checkBounds("x >= -1e30; x >= -4; x >= -7;", -4, infinity, 1);
  checkBounds("-5 <= x <= 5; -7 <= x <= 7;", -5, 5, 2);
  checkBounds("3 x <= 9; 3 x <= 15;", 0, 3, 1);
  checkBounds("x <= 5; x <= 7; int x;", 0, 5, 1);
  checkBounds("x <= 5; bin x;", 0, 1, 0);
  checkBounds("R2: x <= 5; R3: x <= 7; -R2 >= -8;", 0, infinity, 0);  // rows, and a column R2
  readers::ReadResult const result = readLp("max: x + y;\nx <= 3;\n\ny <= 5; y <= 7;\n");
  BOOST_TEST(result.notices.at(0) ==
             "Line 4: the upper bound is looser than one above, and ignored.");
}

BOOST_AUTO_TEST_CASE(ranges_on_rows_above) {
  LinearProgram const lp =
      readLp(
          "min: x;\nR1: 3 x1 >= 2;\nR1: <= 8;\n x + y <= 4;\nR2: >= -1;\nc: -x1 - x >= -8;\n"
          "d: 2 <= x + y <= 6;\ne: x + y >= 2 <= 8;")
          .lp;
  BOOST_TEST(lp.rowLower == (Numbers{2, -1, -8, 2, 2}));
  BOOST_TEST(lp.rowUpper == (Numbers{8, 4, infinity, 6, 8}));
}

BOOST_AUTO_TEST_CASE(coefficients_on_both_sides) {
  LinearProgram const lp =
      readLp("min: x;\nc: 3 x + 2 y >= 2 x + 4;\nd: 3 + x >= 2 y;\n3 x >= 2 x;\ne: 2 * x >= 1;").lp;
  BOOST_TEST(lp.rows() == 4);
  BOOST_TEST(lp.rowLower == (Numbers{4, -3, 0, 1}));
  BOOST_TEST(lp.matrix.values == (Numbers{1, 1, 1, 2, 2, -2}));
}

BOOST_AUTO_TEST_CASE(operators) {
  LinearProgram const lp =
      readLp("min: x;\na: x + y < 1;b: x + y <= 1;c: x + y =< 1;d: x + y > 1;e: x + y => 1;").lp;
  BOOST_TEST(lp.rowUpper == (Numbers{1, 1, 1, infinity, infinity}));
  BOOST_TEST(lp.rowLower == (Numbers{-infinity, -infinity, -infinity, 1, 1}));
}

BOOST_AUTO_TEST_CASE(declarations) {
  readers::ReadResult const result = readLp(
      "max: a + b + c + d + e;\nr: a + b + c + d + e <= 9;\nd <= 4; d >= 2; e <= 3;\n"
      "int a;\nbin b;\nfree c;\nsec d;\nsin e;\n");
  BOOST_TEST(result.lp.integer == (std::vector<char>{1, 1, 0, 0, 1}));
  BOOST_TEST(result.lp.columnLower == (Numbers{0, 0, -infinity, 0, 0}));
  BOOST_TEST(result.lp.columnUpper == (Numbers{infinity, 1, infinity, 4, 3}));
  BOOST_TEST(
      (result.lp.choices.semicontinuous == std::vector<SemicontinuousColumn>{{3, 2.0}, {4, 0.0}}));
}

BOOST_AUTO_TEST_CASE(ordered_sets_of_lp_solve) {
  std::string const model = "max: a + b + c;\nr: a + b + c <= 9;\n";
  using Sets = std::vector<OrderedSet>;
  BOOST_TEST((readLp(model + "sos1\ns: a:3,b:1,c:2 <= 4;\nt: b,c;\nsos2\nb:1 c:2;\nint a;\n")
                  .lp.choices.sets == Sets{{"s", 1, 4, {1, 2, 0}, {1, 2, 3}},
                                           {"t", 1, 0, {1, 2}, {1, 2}},
                                           {"", 2, 0, {1, 2}, {1, 2}}}));
  BOOST_TEST((readLp(model + "sos\ns: a:1,b:2 <= 2:7;\nc,a < 1;\n").lp.choices.sets ==
              Sets{{"s", 2, 7, {0, 1}, {1, 2}}, {"", 1, 0, {2, 0}, {1, 2}}}));
}

BOOST_AUTO_TEST_CASE(objective_without_sense) {
  readers::ReadResult const result = readLp("3x + 2y;\nc: x + y >= 2;\n");
  BOOST_CHECK(result.lp.sense == Sense::minimize);
  BOOST_TEST(result.notices.at(0) == "Line 1: the objective without max: or min: is minimized.");
  BOOST_TEST(readLp("min: ;\nc: x + y >= 2;").lp.objective == (Numbers{0, 0}));
  BOOST_TEST(readLp("max: ;c: x + y >= 2;").lp.columns() == 2);
}

BOOST_AUTO_TEST_CASE(lp_solve_comments_and_declarations) {
  LinearProgram const lp =
      readers::readText(
          "// a comment\nmax: 2 x + y;\nc: x + y <= 8;\nx <= 5;\nd: 3 = x - y;\nsin x;\n", "f")
          .lp;
  BOOST_CHECK(lp.sense == Sense::maximize);
  BOOST_TEST(lp.integer[0] == 1);
  BOOST_TEST(lp.rowLower[1] == 3);
  BOOST_TEST(lp.rowUpper[1] == 3);
  BOOST_TEST(lp.columnUpper[0] == 5);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
