// SPDX-License-Identifier: EPL-2.0
//
// What the parts of an MPS file mean; docs/reference/formats.md in cases.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "readers/read.hpp"
#include "readers/write.hpp"

namespace osi_cuda::testing {
namespace {

std::string const rows = "ROWS\n N cost\n L r1\n G r2\n E r3\n";
std::string const columns =
    "COLUMNS\n x cost 1 r1 2\n x r2 3 r3 4\n y cost -1 r1 5\n y r2 6 r3 7\n";

readers::ReadResult readMps(std::string const& text, readers::ReadOptions options = {}) {
  options.format = readers::Format::mps;
  readers::ReadResult result = readers::readText(text, "test.mps", options);
  BOOST_TEST(findFault(result.lp) == "");
  return result;
}

LinearProgram modelWith(std::string const& sections) {
  return readMps(rows + columns + sections + "ENDATA\n").lp;
}

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(mps_reader)

BOOST_AUTO_TEST_CASE(plain_model) {
  LinearProgram const lp = readMps("* comment\nNAME  little problem\n" + rows + columns +
                                   "RHS\n b r1 10 r2 1\n b r3 5\nENDATA\n")
                               .lp;
  BOOST_TEST(lp.name == "little problem");
  BOOST_TEST(lp.objectiveName == "cost");
  BOOST_TEST(lp.rowNames == (Names{"r1", "r2", "r3"}));
  BOOST_TEST(lp.columnNames == (Names{"x", "y"}));
  BOOST_TEST(lp.objective == (Numbers{1, -1}));
  BOOST_TEST(lp.matrix.values == (Numbers{2, 3, 4, 5, 6, 7}));
  BOOST_TEST(lp.matrix.indices == (std::vector<int>{0, 1, 2, 0, 1, 2}));
  BOOST_TEST(lp.rowLower == (Numbers{-infinity, 1, 5}));
  BOOST_TEST(lp.rowUpper == (Numbers{10, infinity, 5}));
  BOOST_TEST(lp.columnLower == (Numbers{0, 0}));
  BOOST_TEST(lp.columnUpper == (Numbers{infinity, infinity}));
  BOOST_CHECK(lp.sense == Sense::minimize);
  BOOST_TEST(lp.integer.empty());
}

BOOST_AUTO_TEST_CASE(ranges) {
  LinearProgram const lp = modelWith("RHS\n b r1 10 r2 1\n b r3 5\nRANGES\n r r1 4 r2 -3\n");
  BOOST_TEST(lp.rowLower == (Numbers{6, 1, 5}));
  BOOST_TEST(lp.rowUpper == (Numbers{10, 4, 5}));
  // The sign decides on a row of type E only.
  LinearProgram const up = modelWith("RHS\n b r3 5\nRANGES\n r r1 -4 r3 2\n");
  BOOST_TEST(up.rowLower[0] == -4);
  BOOST_TEST(up.rowLower[2] == 5);
  BOOST_TEST(up.rowUpper[2] == 7);
  LinearProgram const down = modelWith("RHS\n b r3 5\nRANGES\n r r3 -2\n");
  BOOST_TEST(down.rowLower[2] == 3);
  BOOST_TEST(down.rowUpper[2] == 5);
  // RANGES before RHS, and an infinite range.
  LinearProgram const early = modelWith("RANGES\n r r3 2 r1 1e30\nRHS\n b r3 5\n");
  BOOST_TEST(early.rowUpper[2] == 7);
  BOOST_TEST(early.rowLower[0] == -infinity);
  // A range on a side that is infinite says nothing.
  LinearProgram const free = modelWith("RHS\n b r1 1e30 r2 -1e30\nRANGES\n r r1 4 r2 4\n");
  for (int i : {0, 1}) {
    BOOST_TEST(free.rowLower[i] == -infinity);
    BOOST_TEST(free.rowUpper[i] == infinity);
  }
}

BOOST_AUTO_TEST_CASE(bound_types) {
  std::string text = "ROWS\n N cost\nCOLUMNS\n";
  for (char const* name : {"up", "lo", "fx", "fr", "mi", "pl", "bv", "li", "ui", "sc", "both"}) {
    text += std::string(" ") + name + " cost 1\n";
  }
  text +=
      "BOUNDS\n UP b up 4\n LO b lo -2\n FX b fx 3\n FR b fr\n MI b mi\n PL b pl\n BV b bv\n"
      " LI b li 2\n UI b ui 7\n SC b sc 9\n UP b both 5\n LO b both -5\nENDATA\n";
  readers::ReadResult const result = readMps(text);
  LinearProgram const& lp = result.lp;
  BOOST_TEST(lp.columnLower == (Numbers{0, -2, 3, -infinity, -infinity, 0, 0, 2, 0, 0, -5}));
  BOOST_TEST(lp.columnUpper ==
             (Numbers{4, infinity, 3, infinity, infinity, infinity, 1, infinity, 7, 9, 5}));
  BOOST_TEST(lp.integer == (std::vector<char>{0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0}));
  BOOST_TEST(result.notices.empty());
  BOOST_TEST((lp.choices.semicontinuous == std::vector<SemicontinuousColumn>{{9, 0.0}}));
}

BOOST_AUTO_TEST_CASE(semicontinuous_columns) {
  LinearProgram const lp = modelWith("BOUNDS\n LO b x 2\n SC b x 5\n SC b y -3\n LO b y -4\n");
  BOOST_TEST((lp.choices.semicontinuous == std::vector<SemicontinuousColumn>{{0, 2.0}, {1, -3.0}}));
  BOOST_TEST(lp.columnLower == (Numbers{0, -4}));
  BOOST_TEST(lp.columnUpper == (Numbers{5, 0}));
  for (char const* const open : {"SC b x", "SC x", "SC b x 1e30"})
    BOOST_TEST(modelWith("BOUNDS\n LO b x 2\n " + std::string(open) + "\n").columnUpper[0] ==
               infinity);
}

BOOST_AUTO_TEST_CASE(negative_upper_bound_frees_the_lower_one) {
  readers::ReadResult const result =
      readMps(rows + columns + "BOUNDS\n UP b x -4\n UP b y 0\nENDATA\n");
  BOOST_TEST(result.lp.columnLower == (Numbers{-infinity, 0}));
  BOOST_TEST(result.lp.columnUpper == (Numbers{-4, 0}));
  BOOST_TEST_REQUIRE(result.notices.size() == 1u);
  BOOST_TEST(result.notices[0] ==
             "1 column(s) with a negative upper bound and no lower bound get the lower "
             "bound -infinity.");
  // A lower bound given before or behind it stays, even if the bounds cross.
  LinearProgram const given = modelWith("BOUNDS\n LO b x -9\n UP b x -4\n UP b y -1\n LO b y 0\n");
  BOOST_TEST(given.columnLower == (Numbers{-9, 0}));
  BOOST_TEST(given.columnUpper == (Numbers{-4, -1}));
}

BOOST_AUTO_TEST_CASE(infinite_bounds) {
  LinearProgram const lp = modelWith("BOUNDS\n UP b x 1e30\n LO b x -1e31\n UP b y inf\n");
  BOOST_TEST(lp.columnLower == (Numbers{-infinity, 0}));
  BOOST_TEST(lp.columnUpper == (Numbers{infinity, infinity}));
}

BOOST_AUTO_TEST_CASE(numbers_that_some_writers_add_to_bounds_without_one) {
  LinearProgram const lp = modelWith("BOUNDS\n FR b x 0\n MI b y 0\n");
  BOOST_TEST(lp.columnLower == (Numbers{-infinity, -infinity}));
}

BOOST_AUTO_TEST_CASE(objective_sense) {
  for (char const* section :
       {"OBJSENSE\n    MAX\n", "OBJSENSE\n  MAXIMIZE\n", "OBJSENSE MAX\n", "OBJSENSE MAXIMISE\n",
        "OBJSENSEMAX\n", "objsense\n max\n", "OBJSENSE\nMAX\n", "MAX\n"}) {
    BOOST_TEST_CONTEXT(section)
    BOOST_CHECK(readMps(section + rows + columns + "ENDATA\n").lp.sense == Sense::maximize);
  }
  for (char const* section : {"OBJSENSE\n    MIN\n", "OBJSENSE MINIMIZE\n", ""}) {
    BOOST_CHECK(readMps(section + rows + columns + "ENDATA\n").lp.sense == Sense::minimize);
  }
}

// PuLP writes the sense first.
BOOST_AUTO_TEST_CASE(name_after_what_speaks_of_the_objective) {
  std::string const rest = std::string(rows) + columns + "ENDATA\n";
  LinearProgram const lp = readMps("OBJSENSE\n MAX\nNAME late\n" + rest).lp;
  BOOST_TEST(lp.name == "late");
  BOOST_CHECK(lp.sense == Sense::maximize);
  BOOST_TEST(readMps("OBJNAME\n cost\nNAME late\n" + rest).lp.name == "late");
  BOOST_CHECK_THROW(readMps("OBJSENSE\nNAME late\n" + rest), std::exception);
}

BOOST_AUTO_TEST_CASE(constant_of_the_objective) {
  BOOST_TEST(modelWith("RHS\n b cost -7.113\n").objectiveOffset == 7.113);
  BOOST_TEST(!std::signbit(modelWith("RHS\n b cost 0\n").objectiveOffset));
}

BOOST_AUTO_TEST_CASE(objective_by_name_and_other_free_rows) {
  std::string const text =
      "ROWS\n L r1\n N a\n N b\nCOLUMNS\n x a 1 b 2\n x r1 3\nRHS\n s b 4 a 5\nENDATA\n";
  readers::ReadResult const first = readMps(text);
  BOOST_TEST(first.lp.objectiveName == "a");
  BOOST_TEST(first.lp.objective == Numbers{1});
  BOOST_TEST(first.lp.objectiveOffset == -5);
  BOOST_TEST(first.lp.rowNames == Names{"r1"});
  BOOST_TEST(first.notices.at(0) ==
             "Line 5: rows of type N besides the objective are dropped (1).");

  LinearProgram const named = readMps("OBJNAME\n    b\n" + text).lp;
  BOOST_TEST(named.objectiveName == "b");
  BOOST_TEST(named.objective == Numbers{2});
  BOOST_TEST(readMps("OBJNAME b\n" + text).lp.objective == Numbers{2});

  LinearProgram const kept = readMps(text, {.freeRows = readers::FreeRows::keep}).lp;
  BOOST_TEST(kept.rowNames == (Names{"r1", "b"}));
  BOOST_TEST(kept.matrix.values == (Numbers{3, 2}));
  BOOST_TEST(kept.rowLower == (Numbers{-infinity, -infinity}));
  BOOST_TEST(kept.rowUpper == (Numbers{0, infinity}));
}

BOOST_AUTO_TEST_CASE(no_objective_row) {
  readers::ReadResult const result = readMps("ROWS\n L r1\nCOLUMNS\n x r1 1\nENDATA\n");
  BOOST_TEST(result.lp.objective == Numbers{0});
  BOOST_TEST(result.notices.at(0) == "Line 3: there is no row of type N; the objective is zero.");
}

BOOST_AUTO_TEST_CASE(integer_markers) {
  readers::ReadResult const result = readMps(
      "ROWS\n N cost\nCOLUMNS\n a cost 1\n M1 'MARKER' 'INTORG'\n b cost 1\n c cost 1\n"
      " M2 'MARKER' 'INTEND'\n d cost 1\nBOUNDS\n UP s c 8\nENDATA\n");
  BOOST_TEST(result.lp.integer == (std::vector<char>{0, 1, 1, 0}));
  BOOST_TEST(result.lp.columnUpper == (Numbers{infinity, 1, 8, infinity}));
  BOOST_TEST(result.notices.at(0) == "1 integer column(s) without bounds get the upper bound 1.");
}

BOOST_AUTO_TEST_CASE(first_of_several_sets_wins) {
  readers::ReadResult const result =
      readMps(rows + columns +
              "RHS\n b1 r1 1\n b2 r1 2\n b2 r2 3\nRANGES\n a r1 1\n b r1 5\n"
              "BOUNDS\n UP u x 1\n UP v x 2\n UP v y 2\n UP u y 3\nENDATA\n");
  BOOST_TEST(result.lp.rowUpper[0] == 1);
  BOOST_TEST(result.lp.rowLower == (Numbers{0, 0, 0}));
  BOOST_TEST(result.lp.columnUpper == (Numbers{1, 3}));
  BOOST_TEST(result.notices ==
             (Names{"Line 13: RHS set \"b2\" is ignored; the first one, \"b1\", counts.",
                    "Line 17: RANGES set \"b\" is ignored; the first one, \"a\", counts.",
                    "Line 20: BOUNDS set \"v\" is ignored; the first one, \"u\", counts."}));
}

BOOST_AUTO_TEST_CASE(sets_without_names) {
  LinearProgram const lp =
      modelWith("RHS\n r1 1 r2 2\n r3 3\nRANGES\n r1 1\nBOUNDS\n UP x 1\n FR y\n");
  BOOST_TEST(lp.rowLower == (Numbers{0, 2, 3}));
  BOOST_TEST(lp.columnUpper == (Numbers{1, infinity}));
  BOOST_TEST(lp.columnLower == (Numbers{0, -infinity}));
}

BOOST_AUTO_TEST_CASE(fixed_format_with_blanks_in_names) {
  LinearProgram const lp = readMps(
                               "NAME          BLANKS\n"
                               "ROWS\n"
                               " N  THE COST\n"
                               " L  ROW ONE\n"
                               "COLUMNS\n"
                               "    COL ONE   THE COST           1.0   ROW ONE            2.0\n"
                               "    COL TWO   ROW ONE            3.0\n"
                               "RHS\n"
                               "    MY RHS    ROW ONE            4.0\n"
                               "BOUNDS\n"
                               " UP MY BND    COL TWO            5.0\n"
                               " FR MY BND    COL ONE\n"
                               "ENDATA\n")
                               .lp;
  BOOST_TEST(lp.objectiveName == "THE COST");
  BOOST_TEST(lp.rowNames == Names{"ROW ONE"});
  BOOST_TEST(lp.columnNames == (Names{"COL ONE", "COL TWO"}));
  BOOST_TEST(lp.rowUpper == Numbers{4});
  BOOST_TEST(lp.columnUpper == (Numbers{infinity, 5}));
  BOOST_TEST(lp.columnLower == (Numbers{-infinity, 0}));
}

/// As bore3d, cycle, fit1d and recipe have it, and pilot: an upper bound 0 frees nothing.
BOOST_AUTO_TEST_CASE(empty_sections_and_columns_fixed_at_zero) {
  LinearProgram const lp = modelWith("RHS\nRANGES\nBOUNDS\n UP b x 0\n");
  BOOST_TEST(lp.rowUpper == (Numbers{0, infinity, 0}));
  BOOST_TEST(lp.columnLower == (Numbers{0, 0}));
  BOOST_TEST(lp.columnUpper == (Numbers{0, infinity}));
}

/// As standgub has it: quotes belong to the name, and only markers have a meaning.
BOOST_AUTO_TEST_CASE(names_in_quotes) {
  LinearProgram const lp = readMps(
                               "NAME          STANDGUB\nROWS\n N  1\n E  'EGROUP'\n E  'ENDX'\n"
                               "COLUMNS\n"
                               "    A         1                  1.0   'EGROUP'           0.36\n"
                               "    B         'ENDX'             1.0\n"
                               "RHS\n    B         'EGROUP'           2.0\nENDATA\n")
                               .lp;
  BOOST_TEST(lp.rowNames == (Names{"'EGROUP'", "'ENDX'"}));
  BOOST_TEST(lp.matrix.values == (Numbers{0.36, 1}));
  BOOST_TEST(lp.rowLower == (Numbers{2, 0}));
}

BOOST_AUTO_TEST_CASE(exponents_of_fortran) {
  LinearProgram const lp = modelWith("RHS\n r1 1d2 r2 2.5D-1\n r3 -1.d+0\n");
  BOOST_TEST(lp.rowUpper[0] == 100);
  BOOST_TEST(lp.rowLower[1] == 0.25);
  BOOST_TEST(lp.rowLower[2] == -1);
}

BOOST_AUTO_TEST_CASE(the_layout_may_be_asked_for) {
  std::string const text =
      "NAME          T\nROWS\n N  COST\n L  A B\nCOLUMNS\n"
      "    X         COST               1.0   A B                2.0\nENDATA\n";
  auto const rowNames = [&](readers::Format format) {
    return readers::readText(text, "f", {.format = format}).lp.rowNames;
  };
  BOOST_TEST(rowNames(readers::Format::fixedMps) == Names{"A B"});
  BOOST_TEST(rowNames(readers::Format::mps) == Names{"A B"});
  BOOST_CHECK_THROW(rowNames(readers::Format::freeMps), readers::ReadError);
}

BOOST_AUTO_TEST_CASE(the_name_is_the_rest_of_its_line) {
  std::string const rest = "\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\nENDATA\n";
  struct Case {
    std::string line;
    std::string name;
  };
  for (Case const& each : {Case{"NAME          ONE TWO", "ONE TWO"},
                           Case{"NAME ONE TWO ", "ONE TWO"}, Case{"NAME ONE FREE", "ONE"},
                           Case{"NAME ONE TWO FREE", "ONE TWO"}, Case{"NAME FREE", "FREE"},
                           Case{"NAME", ""}, Case{"name\tONE", "ONE"}, Case{"NAME ONE IEEE", "ONE"},
                           Case{"NAME IEEE", "IEEE"}, Case{"NAME ONE FREEIEEE", "ONE"}}) {
    LinearProgram const lp = readMps(each.line + rest).lp;
    BOOST_TEST(lp.name == each.name, each.line);
    LinearProgram const back = readMps(readers::writeText(lp, readers::FileFormat::freeMps)).lp;
    BOOST_TEST(back.name == each.name, each.line);
  }
}

// As CoinUtils 2.11.4 writes 1/3, 1, 1e-7, 3.25, 4.25, 0.1 and -2.5.
BOOST_AUTO_TEST_CASE(numbers_as_coin_utils_encodes_them) {
  std::string const body =
      "ROWS\n N  cost\n L  r1\nCOLUMNS\n    x         cost      l+3ll5ll5ll5\n"
      "    x         r1        M+3000000000\n    y         r1        WV3OvdYG98Za\n"
      "RHS\n    RHS       r1        a04000000000\nRANGES\n    RANGE     r1        h04000000000\n"
      "BOUNDS\n UI BOUND     x         V*3pC9pC9qC9\n LO BOUND     y         40c000000000\n"
      "ENDATA\n";
  LinearProgram const lp = readMps("NAME          p         IEEE\n" + body).lp;
  BOOST_TEST(lp.name == "p");
  BOOST_TEST(lp.objective == (Numbers{1.0 / 3.0, 0.0}));
  BOOST_TEST(lp.matrix.values == (Numbers{1.0, 1e-7}));
  BOOST_TEST(lp.rowUpper == Numbers{3.25});
  BOOST_TEST(lp.rowLower == Numbers{-1.0});
  BOOST_TEST(lp.columnUpper[0] == 0.1);
  BOOST_TEST(lp.columnLower[1] == -2.5);
  // Without the word they are no numbers, and with it decimal ones still are.
  BOOST_CHECK_THROW(readMps("NAME p\n" + body), readers::ReadError);
  BOOST_TEST(
      readMps("NAME power IEEE\nROWS\n N c\n L r\nCOLUMNS\n x c 1.5 r 2\nENDATA\n").lp.objective ==
      Numbers{1.5});
  // One may begin as a comment does.
  std::string const begins =
      "NAME p IEEE\nROWS\n N c\n L r\n L s\nCOLUMNS\n x r M+3000000000\nRHS\n";
  BOOST_TEST(readMps(begins + " RHS r *+bMa7432CK9 s w0c000000000\nENDATA\n").lp.rowUpper ==
             (Numbers{-1.903, -8.0}));
  for (char const* const infinityOrNan : {"M+7000000000", "M+7000000100"})
    BOOST_CHECK_THROW(readMps("NAME p IEEE\nROWS\n N c\n L r\nCOLUMNS\n x c " +
                              std::string(infinityOrNan) + "\nENDATA\n"),
                      readers::ReadError);
}

BOOST_AUTO_TEST_CASE(ordered_sets) {
  std::string const text = rows + columns +
                           "SOS1\n S1 first 1\n x 1\n y 2\nBOUNDS\n UP b x 3\nSOS2\n S2 second\n"
                           " x 1\nENDATA\n";
  readers::ReadResult const result = readMps(text);
  BOOST_TEST((result.lp.choices.sets == std::vector<OrderedSet>{{"first", 1, 1, {0, 1}, {1, 2}},
                                                                {"second", 2, 0, {0}, {1}}}));
  BOOST_TEST(result.notices.empty());
  BOOST_TEST(result.lp.columnUpper == (Numbers{3, infinity}));
  // As lp_solve writes them, in fixed columns; weights decide, and a set's own word is no column.
  BOOST_TEST((modelWith("SOS\n S2 SOS       s1        3.0\n    SOS       x         5\n"
                        "    SOS       y         1\n S1\n y\n x\n")
                  .choices.sets ==
              std::vector<OrderedSet>{{"s1", 2, 3, {1, 0}, {1, 5}}, {"", 1, 0, {1, 0}, {1, 2}}}));
  // A column may be called like the beginning of a set.
  BOOST_TEST((
      readMps("ROWS\n N c\n G r\nCOLUMNS\n S1 r 1\nSETS\n s1 s\n S1 7\nENDATA\n").lp.choices.sets ==
      std::vector<OrderedSet>{{"s", 1, 0, {0}, {7}}}));
}

BOOST_AUTO_TEST_CASE(row_types_in_column_3) {
  LinearProgram const lp = readMps("ROWS\n  N cost\n  G r1\nCOLUMNS\n x cost 0 r1 1\nENDATA\n").lp;
  BOOST_TEST(lp.rowNames == Names{"r1"});
}

BOOST_AUTO_TEST_CASE(explicit_zeros_are_dropped) {
  LinearProgram const lp = readMps(rows + "COLUMNS\n x cost 0 r1 0\n x r2 -0 r3 1\nENDATA\n").lp;
  BOOST_TEST(lp.matrix.nonzeros() == 1);
  BOOST_TEST(lp.columnNames == Names{"x"});
}

BOOST_AUTO_TEST_CASE(line_ends_comments_and_text_behind_the_end) {
  LinearProgram const unix_ = modelWith("RHS\n b r1 1\n");
  std::string text = rows + columns + "RHS\n b r1 1 $ a comment\n* another\n\n  \nENDATA\n";
  std::string crlf;
  for (char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  BOOST_CHECK(readMps(text).lp == unix_);
  BOOST_CHECK(readMps(crlf).lp == unix_);
  BOOST_CHECK(readMps("\xef\xbb\xbf" + text).lp == unix_);
  text.pop_back();
  BOOST_CHECK(readMps(text).lp == unix_);
  BOOST_TEST(readMps(text + "\nmore\n").notices ==
             Names{"Line 17: text behind ENDATA is ignored."});
}

BOOST_AUTO_TEST_CASE(rows_of_a_column_in_any_order) {
  LinearProgram const lp = readMps(rows + "COLUMNS\n x r3 3 r1 1\n x r2 2\nENDATA\n").lp;
  BOOST_TEST(lp.matrix.indices == (std::vector<int>{0, 1, 2}));
  BOOST_TEST(lp.matrix.values == (Numbers{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(columns_named_like_sections) {
  LinearProgram const lp =
      readMps(
          "ROWS\n L RHS\n N COST\nCOLUMNS\n BOUNDS RHS 1 COST 2\n ROWS RHS 1\n ENDATA RHS 3\n"
          "RHS\n RHS RHS 4\nENDATA\n")
          .lp;
  BOOST_TEST(lp.columnNames == (Names{"BOUNDS", "ROWS", "ENDATA"}));
  BOOST_TEST(lp.rowUpper == Numbers{4});
}

BOOST_AUTO_TEST_CASE(no_rows) {
  LinearProgram const lp = readMps("ROWS\n N cost\nCOLUMNS\n x cost 1\nRHS\nENDATA\n").lp;
  BOOST_TEST(lp.rows() == 0);
  LinearProgram const none = readMps("ROWS\n N cost\n L r1\nCOLUMNS\nRHS\nENDATA\n").lp;
  BOOST_TEST(none.columns() == 0);
  BOOST_TEST(none.rows() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
