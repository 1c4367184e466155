// SPDX-License-Identifier: EPL-2.0
// .nl files: models in text and binary, what is linear although it is written as an expression, and
// the exact words for what is not.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "readers/nl_reader.hpp"
#include "readers/read.hpp"
#include "tests/readers/model_difference.hpp"

namespace osi_cuda::readers {
namespace {

using testing::firstDifference;

std::string sample(std::string const& name) {
  std::ifstream file(std::filesystem::path(OSI_CUDA_TEST_FOLDER) / "fuzz" / "corpus" / "nl" / name,
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `text` with its line `number` (from 1) replaced.
std::string withLine(std::string const& text, int number, std::string const& line) {
  std::istringstream stream(text);
  std::string result, one;
  for (int k = 1; std::getline(stream, one); ++k) result += (k == number ? line : one) + "\n";
  return result;
}

std::string faultOf(std::string const& bytes, NlOptions const& options = {}) {
  try {
    readNl(bytes, "x.nl", options);
    return "none";
  } catch (ReadError const& error) {
    return error.what();
  }
}

/// A problem with one column and one row, whose body is `expression`, a word a line.
std::string withBody(std::string const& expression) {
  return "g3 1 1 0\n 1 1 1 0 0\n 1 0\n 0 0\n 1 0 0\n 0 0 0 1\n 0 0 0 0 0\n 1 1\n 0 0\n 0 0 0 0 0\n"
         "C0\n" +
         expression + "\nO0 0\nn0\nr\n2 4\nb\n0 0 9\nJ0 1\n0 0\nG0 1\n0 1\n";
}

BOOST_AUTO_TEST_SUITE(nl)

BOOST_AUTO_TEST_CASE(text) {
  LinearProgram const lp = readNl(sample("small.nl"), "small.nl").lp;
  BOOST_TEST((lp.sense == Sense::maximize));
  BOOST_TEST(lp.objective == (std::vector<double>{20, 9}));
  BOOST_TEST(lp.matrix.values == (std::vector<double>{4, 15, 2, 5}));
  BOOST_TEST(lp.rowUpper == (std::vector<double>{40, 120}));
  BOOST_TEST(lp.rowLower == (std::vector<double>{-infinity, -infinity}));
  BOOST_TEST(lp.columnLower == (std::vector<double>{0, 0}));
  BOOST_TEST(findFault(lp) == "");
}

BOOST_AUTO_TEST_CASE(binaryIsTheSame) {
  NlFile const binary = readNl(sample("binary.nl"), "binary.nl");
  BOOST_TEST(firstDifference(readNl(sample("small.nl"), "small.nl").lp, binary.lp) == "");
  BOOST_TEST((binary.start.columns[0] == VariableStatus::basic));
  // Told by its content, as every format.
  BOOST_TEST(firstDifference(readText(sample("binary.nl"), "binary.nl").lp, binary.lp) == "");
}

BOOST_AUTO_TEST_CASE(linearExpressions) {
  NlFile const file = readNl(sample("all.nl"), "all.nl");
  LinearProgram const& lp = file.lp;
  BOOST_TEST(findFault(lp) == "");
  // Row 0: 2 (3 x0 - x2) + 1 - x1 / 4 + x3 in [-5, 20]. Row 1: 2 x0 - x1 + x2 <= 8.
  BOOST_TEST(lp.matrix.starts == (std::vector<std::int64_t>{0, 4, 7, 10, 12}));
  BOOST_TEST(lp.matrix.indices == (std::vector<int>{0, 1, 3, 4, 0, 1, 2, 0, 1, 2, 0, 4}));
  BOOST_TEST(lp.matrix.values == (std::vector<double>{6, 2, 1, 1, -0.25, -1, 1, -2, 1, -1, 1, 2}));
  BOOST_TEST(lp.rowLower == (std::vector<double>{-6, -infinity, -3, -infinity, 8}));
  BOOST_TEST(lp.rowUpper == (std::vector<double>{19, 8, infinity, infinity, 8}));
  // 3 x0 - x2 - 7 and x0 - 2 x1.
  BOOST_TEST(lp.objective == (std::vector<double>{4, -2, -1, 0}));
  BOOST_TEST(lp.objectiveOffset == -7.0);
  BOOST_TEST(lp.integer == (std::vector<char>{0, 0, 0, 1}));
  BOOST_TEST(file.notices == std::vector<std::string>{"Of 2 objectives number 1 is taken."});
  BOOST_TEST((file.start.columns == std::vector{VariableStatus::basic, VariableStatus::atUpper,
                                                VariableStatus::atLower, VariableStatus::atLower}));
  BOOST_TEST((file.start.rows[2] == VariableStatus::basic));
  BOOST_TEST(file.header.boundTolerance == 1e-9);
  BOOST_TEST(file.guess.empty());  // of one variable only
  NlFile const guessed = readNl(sample("small.nl") + "x2\n1 12\n0 4\n", "small.nl");
  BOOST_TEST(guessed.guess == (std::vector<double>{4, 12}));

  LinearProgram const other = readNl(sample("all.nl"), "all.nl", {.objective = 2}).lp;
  BOOST_TEST((other.sense == Sense::maximize));
  BOOST_TEST(other.objective == (std::vector<double>{0, 0, 1, 0}));
  LinearProgram const none = readNl(sample("all.nl"), "all.nl", {.objective = 0}).lp;
  BOOST_TEST(none.objective == (std::vector<double>{0, 0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(orderedSets) {
  auto const setsOf = [](std::string const& suffixes) {
    return readNl(sample("small.nl") + suffixes, "small.nl").lp.choices.sets;
  };
  BOOST_TEST((setsOf("S0 2 sosno\n0 -1\n1 -1\nS4 2 ref\n0 2.5\n1 1\n") ==
              std::vector<OrderedSet>{{"", 2, 0, {1, 0}, {1, 2.5}}}));
  BOOST_TEST((setsOf("S0 2 sosno\n0 3\n1 2\n") ==
              std::vector<OrderedSet>{{"", 1, 0, {1}, {0}}, {"", 1, 0, {0}, {0}}}));
  BOOST_TEST(setsOf("S4 1 ref\n0 2.5\n").empty());
  BOOST_CHECK_THROW(setsOf("S0 1 sosno\n0 3\nS4 1 ref\n0 nan\n"), ReadError);
}

BOOST_AUTO_TEST_CASE(integersStandLastOfTheirKind) {
  NlHeader header;
  header.variables = 10;
  header.nonlinearInBoth = 3;
  header.nonlinearInConstraints = 5;
  header.nonlinearInObjectives = 6;
  header.integersInBoth = header.integersInConstraints = header.integersInObjectives = 1;
  header.binaries = header.integers = 1;
  BOOST_TEST(header.integerMarks() == (std::vector<char>{0, 0, 1, 0, 1, 1, 0, 0, 1, 1}));
  BOOST_TEST(NlHeader().integerMarks().empty());
}

BOOST_AUTO_TEST_CASE(whatIsNotLinear) {
  std::string const begin =
      ": expected a linear expression, since only linear problems are solved, found ";
  BOOST_TEST(faultOf(sample("nonlinear.nl")) == "x.nl:12:2" + begin + "a power (operator 5)");
  BOOST_TEST(faultOf(withBody("o2\nv0\nv0")) == "x.nl:14:2" + begin + "a product of variables");
  BOOST_TEST(faultOf(withBody("o3\nn1\nv0")) == "x.nl:14:2" + begin + "a division by variables");
  BOOST_TEST(faultOf(withBody("o99\nv0")) == "x.nl:12:2" + begin + "operator 99");
  BOOST_TEST(faultOf(withBody("o44\nv0")) == "x.nl:12:2" + begin + "exp (operator 44)");
  BOOST_TEST(faultOf(withBody("f0 1\nv0")) ==
             "x.nl:12:1" + begin + "a call of an imported function");
  // x - x is a constant, and so may be multiplied.
  BOOST_TEST(faultOf(withBody("o2\no1\nv0\nv0\nv0")) == "none");
  std::string const small = sample("small.nl");
  BOOST_TEST(faultOf(withLine(small, 2, " 2 2 1 0 0 3")) ==
             "x.nl:2:1: expected linear constraints, found 3 logical constraint(s)");
  BOOST_TEST(faultOf(withLine(small, 3, " 0 0 1 0")) ==
             "x.nl:3:1: expected linear constraints, found 1 complementarity condition(s)");
  BOOST_TEST(faultOf(withLine(small, 18, "5 1 2")) ==
             "x.nl:18:1: expected bounds of a linear constraint, 0 to 4, found a complementarity "
             "condition");
}

BOOST_AUTO_TEST_CASE(faults) {
  std::string const small = sample("small.nl");
  std::pair<std::string, std::string> const cases[] = {
      {"", "x.nl:1:1: expected g or b, the beginning of a .nl file, found \"\""},
      {withLine(small, 1, "g12"),
       "x.nl:1:1: expected a number of options from 0 to 9, found \"12\""},
      {withLine(small, 1, "g3 1"), "x.nl:1:1: expected 3 options, found 1"},
      {withLine(small, 2, " 2 2"), "x.nl:2:1: expected 3 numbers, found 2"},
      {withLine(small, 2, " 2 -2 1"), "x.nl:2:1: expected a number >= 0, found \"-2\""},
      {withLine(small, 2, " 2000000000 2 1"),
       "x.nl:2:1: expected at most as many variables, constraints and objectives as there are "
       "bytes, found 2000000000"},
      {withLine(small, 7, " 3 0"), "x.nl:7:1: expected at most 2 discrete variables, found 3"},
      {withLine(small, 11, "Q0"),
       "x.nl:11:1: expected a segment (F, S, V, C, O, d, x, r, b, k, J or G), found \"Q\""},
      {withLine(small, 11, "C7"),
       "x.nl:11:2: expected the number of a constraint below 2, found 7"},
      {withLine(small, 11, "C#"), "x.nl:12:1: expected the number of a constraint, found \"n0\""},
      {withLine(small, 12, "n1x"), "x.nl:12:2: expected a constant, found \"1x\""},
      {withLine(small, 12, "v2"),
       "x.nl:12:2: expected a variable or a common expression defined before, found 2"},
      {withLine(small, 18, "7 1"), "x.nl:18:1: expected a kind of bounds, 0 to 5, found \"7\""},
      {withLine(small, 18, "2 1e30"),
       "x.nl:18:3: expected bounds that can be reached (1e+20 and more is infinity), found an "
       "infinite one"},
      {withLine(small, 26, "0 nan"), "x.nl:26:3: expected a coefficient, found \"nan\""},
      {withLine(small, 17, "x0"),
       "x.nl:18:1: expected a segment (F, S, V, C, O, d, x, r, b, k, J or "
       "G), found \"1\""},
      {small.substr(0, small.find("b\n")),
       "x.nl:20:1: expected segment b, found the end of the file"},
  };
  for (auto const& [text, message] : cases) {
    BOOST_TEST_CONTEXT(text) BOOST_TEST(faultOf(text) == message);
  }
  BOOST_TEST(faultOf(small, {.objective = 2}) ==
             "x.nl: objectives: expected objective 2, found 1 objective(s)");
  std::string const binary = sample("binary.nl");
  BOOST_TEST(faultOf(binary.substr(0, binary.size() - 3)) ==
             "x.nl: byte " + std::to_string(binary.size() - 8) +
                 ": expected a coefficient, found the end of the file");
  std::string other = binary;
  other.replace(other.find(" 0 0 1 1"), 8, " 0 0 2 1");
  BOOST_TEST(faultOf(other) ==
             "x.nl:6:1: expected numbers of this machine, the least significant byte first, found "
             "arithmetic of kind 2");
}

/// `text` without the lines from the one that begins with `first` to before the one that begins
/// with `behind`.
std::string without(std::string text, std::string const& first, std::string const& behind) {
  std::size_t const begin = text.find("\n" + first) + 1, end = text.find("\n" + behind, begin) + 1;
  return text.erase(begin, end - begin);
}

// A file that was cut off between two segments, or has one twice, is well formed but another
// problem.
BOOST_AUTO_TEST_CASE(segmentsFitTheHeader) {
  std::string const small = sample("small.nl"), all = sample("all.nl");
  auto const contains = [](std::string const& text, std::string const& part) {
    return text.find(part) != text.npos;
  };
  for (std::string const& whole : {small, all}) {
    // Cut off before any of its segments.
    std::size_t cuts = 0;
    for (std::size_t at = whole.find("\nC0"); at != whole.npos; at = whole.find('\n', at + 1)) {
      if (at + 1 == whole.size() ||
          std::string_view("SVCOdxrbkJG").find(whole[at + 1]) == std::string_view::npos)
        continue;
      BOOST_TEST_CONTEXT(whole.substr(0, at)) {
        BOOST_TEST(contains(faultOf(whole.substr(0, at + 1)), "found the end of the file"));
      }
      ++cuts;
    }
    BOOST_TEST(cuts >= 8u);
  }
  std::pair<std::string, std::string> const cases[] = {
      {without(small, "C0", "C1"), "expected segment C of constraint 0, found the end"},
      {without(small, "O0", "r"), "expected segment O of objective 0, found the end"},
      {without(small, "J0", "J1"), "entries in segments J as the header says, not 2, found"},
      {small + "J1 1\n0 1\n", "found segment J of constraint 1 a second time"},
      {small + "G0 1\n0 1\n", "found segment G of objective 0 a second time"},
      {small + "k1\n2\n", "found segment k a second time"},
      {small + "b\n3\n3\n", "found segment b a second time"},
      {small + "C1\nn0\n", "found segment C of constraint 1 a second time"},
      {withLine(small, 2, " 2 2 1 1 0"),
       "1 ranges and equations in segment r as the header says, not 0"},
      {withLine(small, 2, " 2 2 1 0 1"),
       "1 ranges and equations in segment r as the header says, not 0"},
      {withLine(small, 8, " 4 1"), "1 entries in segments G as the header says, not 2"},
      {withLine(small, 8, " 5 2"), "5 entries in segments J as the header says, not 4"},
      {withLine(small, 6, " 0 1 0 1"), "expected segment F of function 0"},
      {withLine(small, 10, " 1 0 0 0 0"), "expected segment V of common expression 2"},
      {small + "x2\n0 1\n0 2\n", "expected each number once, found 0 a second time"},
      {small + "S0 2 sstatus\n1 1\n1 3\n", "expected each number once, found 1 a second time"},
      {small + "S0 1 other\n2 1\n", "below 2, found 2"}};
  for (auto const& [text, part] : cases)
    BOOST_TEST_CONTEXT(text) BOOST_TEST(contains(faultOf(text), part), faultOf(text));
  std::string twice = small;
  std::size_t const at = twice.find("\nJ0 2\n") + 6;
  twice.replace(at, 1, "1");  // both entries of the first row in one column
  BOOST_TEST(contains(faultOf(twice), "each number once, found 1 a second time"), faultOf(twice));
  std::string moved = small;  // an entry in another column than segment k says
  moved.replace(moved.find("\nk1\n") + 4, 1, "1");
  BOOST_TEST(contains(faultOf(moved), "1 entries of variable 0 as segment k says, not 2"),
             faultOf(moved));
}

BOOST_AUTO_TEST_CASE(deepAndWideExpressions) {
  std::string deep;
  for (int k = 0; k < 100000; ++k) deep += "o16\n";
  BOOST_TEST(faultOf(withBody(deep + "v0")) ==
             "x.nl:2012:2: expected at most 2000 operators in each other, found more");
  // Each common expression is the one before twice: too large for any memory, unless summed.
  std::string text =
      "g3 1 1 0\n 1 1 1 0 0\n 1 0\n 0 0\n 1 0 0\n 0 0 0 1\n 0 0 0 0 0\n 1 1\n 0 0\n 40 0 0 0 0\n";
  for (int k = 0; k < 40; ++k) {
    std::string const before = "v" + std::to_string(k == 0 ? 0 : k);
    text += "V" + std::to_string(k + 1) + " 0 0\no0\n" + before + "\n" + before + "\n";
  }
  text += "C0\nv40\nO0 0\nn0\nr\n2 4\nb\n0 0 9\nJ0 1\n0 0\nG0 1\n0 1\n";
  BOOST_TEST(readNl(text, "x.nl").lp.matrix.values == std::vector<double>{std::exp2(40)});
}

BOOST_AUTO_TEST_CASE(answers) {
  NlFile const file = readNl(sample("all.nl"), "all.nl");
  Solution solution;
  solution.status = Status::infeasible;
  solution.columnValues = {1, 2, 0.1, 0};
  solution.rowDuals = {0, 0, -1.5, 0, 0};
  solution.farkas = {0, 1, 0, 0, -2.5};
  solution.basis.columns = {VariableStatus::basic, VariableStatus::atUpper, VariableStatus::free,
                            VariableStatus::atLower};
  solution.basis.rows.assign(5, VariableStatus::basic);
  solution.basis.rows[4] = VariableStatus::atLower;
  std::string const text = amplSolutionText(file.header, file.lp, solution, "words", 1);
  BOOST_TEST(
      text.starts_with("words\n\nOptions\n5\n1\n3\n0\n5\n5\n4\n4\n1e-09\n0\n0\n-1.5\n0\n0\n1\n"
                       "2\n0.1\n0\nobjno 0 200\nsuffix 0 4 8 0 0\nsstatus\n0 1\n"));
  BOOST_TEST(text.find("\n0 1\n1 4\n2 6\n3 3\nsuffix 1 5 8 0 0\nsstatus\n0 1\n") != text.npos);
  BOOST_TEST(text.find("\n3 1\n4 5\nsuffix 5 2 7 0 0\ndunbdd\n1 1\n4 -2.5\n") != text.npos);
  BOOST_TEST(amplResult(Status::numerical) == 500);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda::readers
