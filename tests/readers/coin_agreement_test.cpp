// SPDX-License-Identifier: EPL-2.0
//
// What readers/ make of real files against what CoinUtils makes of them.
#include <boost/test/unit_test.hpp>
#include <set>

#include "readers/read.hpp"
#include "tests/readers/coin_model.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/readers/test_data.hpp"

namespace osi_cuda::testing {
namespace {

/// CoinMpsIO parses decimals itself and is off by an ulp or two; a file knows no sense for it.
constexpr Ignore coinMps{.sense = true, .rounding = 5e-16};

void agreeOnMps(std::filesystem::path const& file, Ignore ignore = coinMps) {
  BOOST_TEST_CONTEXT(file.string()) {
    LinearProgram const ours = readers::read(file.string()).lp;
    BOOST_TEST(findFault(ours) == "");
    std::optional<LinearProgram> const theirs = readWithCoinMps(file.string());
    BOOST_TEST_REQUIRE(theirs.has_value());
    BOOST_TEST(firstDifference(ours, *theirs, ignore) == "");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(coin_agreement)

BOOST_AUTO_TEST_CASE(samples_of_the_package) {
  // Cones and quadratic terms: CoinMpsIO skips them, readers/ refuse.
  std::set<std::string> const notLinear{"conic.mps", "share2qp.mps", "spec_sections.mps"};
  int read = 0;
  for (auto const& file : filesIn(coinSamples)) {
    if (file.extension() != ".mps") continue;
    if (notLinear.contains(file.filename().string())) {
      BOOST_CHECK_THROW(readers::read(file.string()), readers::ReadError);
      continue;
    }
    agreeOnMps(file);
    ++read;
  }
  BOOST_TEST_MESSAGE(read << " samples agree");
}

BOOST_AUTO_TEST_CASE(netlib_and_kennington) {
  constexpr std::uintmax_t largest = std::uintmax_t{3} << 20;  // bytes, compressed
  for (char const* folder : {"netlib", "netlib-infeasible", "kennington"}) {
    for (auto const& file : filesIn(dataFolder() / folder)) {
      if (file.extension() != ".gz" || std::filesystem::file_size(file) > largest) continue;
      agreeOnMps(file);
    }
  }
}

BOOST_AUTO_TEST_CASE(edge_cases) {
  // CoinMpsIO loses the fields of highs-comment.mps and highs-silly-names.mps; they have tests of
  // their own. It drops the blanks within names.
  std::set<std::string> const misread{"highs-comment.mps", "highs-silly-names.mps"};
  for (auto const& file : filesIn(dataFolder() / "lp-format")) {
    if (file.extension() != ".mps" || misread.contains(file.filename().string())) continue;
    Ignore ignore = coinMps;
    ignore.names = file.filename() == "scip-forplan_begin.mps";
    agreeOnMps(file, ignore);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
