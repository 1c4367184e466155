// SPDX-License-Identifier: EPL-2.0
//
// From which size on bounds and sides are infinite, in every format.
#include <boost/test/unit_test.hpp>
#include <string>

#include "readers/format_writers.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"

namespace osi_cuda::testing {
namespace {

using Numbers = std::vector<double>;

readers::ReadResult readWith(std::string const& text, double infiniteFrom = 1e20) {
  readers::ReadResult result = readers::readText(text, "test", {.infiniteFrom = infiniteFrom});
  BOOST_TEST(findFault(result.lp) == "");
  return result;
}

std::string taken(int count) {
  return std::to_string(count) +
         " bound(s) or side(s) are taken as infinite: 1e+20 and more is infinity (option "
         "infinity).";
}

std::string const mps =
    "NAME\nROWS\n N obj\n L r1\n G r2\n E r3\nCOLUMNS\n x obj 1e20 r1 1e21\n x r2 1 r3 1\n"
    " y obj 1 r1 1\nRHS\n b obj -1e20 r1 1e20\n b r2 -2e20\nRANGES\n b r3 1e20\n"
    "BOUNDS\n UP b x 1e20\n LO b x -1e25\n UP b y 9e19\nENDATA\n";
std::string const cplex =
    "min\n obj: 1e20 x + y + 1e20\nst\n r1: 1e21 x + y <= 1e20\n r2: x >= -2e20\n"
    " r3: 0 <= x <= 1e20\nbounds\n -1e25 <= x <= 1e20\n y <= 9e19\nend\n";
std::string const lpSolve =
    "min: 1e20 x + y + 1e20;\nr1: 1e21 x + y <= 1e20;\nr2: x >= -2e20;\nr3: 0 <= x <= 1e20;\n"
    "x >= -1e25; x <= 1e20; y <= 9e19;\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(infinite_sizes)

BOOST_AUTO_TEST_CASE(text_formats) {
  for (std::string const& text : {mps, cplex, lpSolve}) {
    BOOST_TEST_CONTEXT(text) {
      readers::ReadResult const usual = readWith(text);
      BOOST_TEST(usual.lp.columnLower == (Numbers{-infinity, 0}));
      BOOST_TEST(usual.lp.columnUpper == (Numbers{infinity, 9e19}));
      BOOST_TEST(usual.lp.rowLower == (Numbers{-infinity, -infinity, 0}));
      BOOST_TEST(usual.lp.rowUpper == (Numbers{infinity, infinity, infinity}));
      BOOST_TEST(usual.lp.objective == (Numbers{1e20, 1}));  // a cost is a cost
      BOOST_TEST(usual.lp.objectiveOffset == 1e20);
      BOOST_TEST(usual.lp.matrix.values == (Numbers{1e21, 1, 1, 1}));
      BOOST_TEST(usual.notices == std::vector{taken(5)});

      readers::ReadResult const other = readWith(text, 1e30);
      BOOST_TEST(other.lp.columnLower == (Numbers{-1e25, 0}));
      BOOST_TEST(other.lp.columnUpper == (Numbers{1e20, 9e19}));
      BOOST_TEST(other.lp.rowLower == (Numbers{-infinity, -2e20, 0}));
      BOOST_TEST(other.lp.rowUpper == (Numbers{1e20, infinity, 1e20}));
      BOOST_TEST(other.notices.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_of_the_formats_themselves_are_not_counted) {
  std::string const text = "min\n x\nst\n r: x + y >= -1e30\nbounds\n -inf <= x <= 1e31\nend\n";
  BOOST_TEST(readWith(text).notices.empty());
  BOOST_TEST(readWith(text).lp.columnUpper[0] == infinity);
  BOOST_TEST(readWith(text, infinity).lp.columnUpper[0] == 1e31);
  BOOST_TEST(readWith(text, infinity).lp.rowLower[0] == -1e30);
}

BOOST_AUTO_TEST_CASE(arrays_of_numpy) {
  LinearProgram lp = readWith(cplex, 1e30).lp;
  std::string const archive = readers::writeText(lp, readers::FileFormat::npz);
  readers::ReadResult const usual = readWith(archive);
  BOOST_TEST(usual.notices == std::vector{taken(5)});
  BOOST_TEST(usual.lp.columnLower == (Numbers{-infinity, 0}));
  BOOST_TEST(usual.lp.rowUpper == (Numbers{infinity, infinity, infinity}));
  BOOST_CHECK(readWith(archive, 1e30).lp == lp);
}

// What a side is moved by is no part of its size.
BOOST_AUTO_TEST_CASE(constants_beside_columns) {
  std::string const text = "min\n x\nst\n r: x + y + 5e19 <= 1e20\n s: x - 5e19 <= 6e19\nend\n";
  readers::ReadResult const result = readWith(text);
  BOOST_TEST(result.lp.rowUpper == (Numbers{infinity, infinity}));
  BOOST_TEST(result.notices == std::vector{taken(2)});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
