// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/fingerprint.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace osi_cuda {
namespace {

/// Two rows, three columns, an entry missing.
LinearProgram model() {
  LinearProgram lp;
  lp.matrix = {2, 3, {0, 2, 3, 5}, {0, 1, 0, 0, 1}, {1, 2, 3, 4, 5}};
  lp.objective = {1, 0, 2};
  lp.columnLower = {0, -1, -infinity};
  lp.columnUpper = {infinity, 4, infinity};
  lp.rowLower = {-infinity, 1};
  lp.rowUpper = {5, infinity};
  return lp;
}

BOOST_AUTO_TEST_SUITE(fingerprint)

BOOST_AUTO_TEST_CASE(everyPartOfTheModelCounts) {
  std::vector<std::function<void(LinearProgram&)>> const changes{
      [](LinearProgram&) {},
      [](LinearProgram& lp) { lp.sense = Sense::maximize; },
      [](LinearProgram& lp) { lp.objectiveOffset = 1; },
      [](LinearProgram& lp) { lp.objective[1] = 5e-324; },
      [](LinearProgram& lp) { std::swap(lp.objective[0], lp.objective[2]); },
      [](LinearProgram& lp) { lp.columnLower[0] = 1; },
      [](LinearProgram& lp) { lp.columnUpper[0] = 1; },
      [](LinearProgram& lp) { lp.rowLower[0] = 1; },
      [](LinearProgram& lp) { lp.rowUpper[0] = 5.000000000000001; },
      [](LinearProgram& lp) { lp.matrix.values[4] = -5; },
      [](LinearProgram& lp) { lp.matrix.indices[2] = 1; },
      [](LinearProgram& lp) { lp.matrix.starts[1] = 1; },
  };
  std::set<std::string> prints;
  for (auto const& change : changes) {
    LinearProgram lp = model();
    change(lp);
    std::string const print = fingerprintOf(lp);
    BOOST_TEST(print.size() == 16u);
    BOOST_TEST(print.find_first_not_of("0123456789abcdef") == std::string::npos, print);
    prints.insert(print);
  }
  BOOST_TEST(prints.size() == changes.size());
}

BOOST_AUTO_TEST_CASE(namesAndSignsOfZeroDoNot) {
  LinearProgram lp = model();
  lp.name = "other";
  lp.rowNames = {"a", "b"};
  lp.integer = {1, 0, 0};
  lp.objective[1] = -0.0;
  BOOST_TEST(fingerprintOf(lp) == fingerprintOf(model()));
}

// A checkpoint may be read on another machine: the value itself is part of the format.
BOOST_AUTO_TEST_CASE(isTheSameEverywhere) {
  Fingerprint print;
  print.add(std::string_view("123456789"));
  print.add(1.5);
  BOOST_TEST(print.text() == "c3c47fc407fd6038");
  Fingerprint other;
  other.add(std::string_view("1234567890"));
  other.add(1.5);
  BOOST_TEST(other.text() != print.text());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
