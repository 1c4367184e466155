// SPDX-License-Identifier: EPL-2.0
//
// This solver, with both algorithms, against every bridge with every algorithm.
#include <boost/test/unit_test.hpp>
#include <map>

#include "bridges/comparison.hpp"
#include "cli/compare.hpp"
#include "readers/read.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/reference.hpp"

using namespace osi_cuda;

namespace {

/// Everything there is, this solver on the host engine first.
std::vector<Contestant> everybody() {
  auto const all = cli::allSolvers();
  std::string list = "osi_cuda@host/primal,osi_cuda@host/dual";
  for (auto const& bridge : bridges()) list += ',' + bridge->name() + "/all";
  return parseContestants(list, all);
}

bool isOwn(Answer const& answer) {
  return answer.solver.starts_with("osi_cuda");
}

/// A fault of another solver that comparisons have found. An entry covers wrong answers only, and
/// each of them is proved wrong by the comparison itself: by a point with its duals, by row
/// multipliers or by a ray of somebody else, checked in extended precision.
struct KnownFault {
  char const* label;
  Status claimed;
  Status truth;
  char const* what;
};

constexpr KnownFault knownFaults[] = {
    {"clp/dual", Status::infeasible, Status::unbounded,
     "1.17.6: dual simplex without presolve calls unbounded problems with an empty column "
     "infeasible, its infeasibility ray proving nothing (randomLp seeds 1204, 1737)"},
    {"clp/dual", Status::infeasible, Status::optimal,
     "1.17.6: dual simplex ends with a primal residual of 0.03 on a degenerate problem "
     "(randomLp seed 998)"},
    {"clp/dual", Status::optimal, Status::unbounded,
     "1.17.6: calls a point at 1e20 optimal (randomLp seed 2790)"},
};

bool isKnown(Answer const& answer, Truth const& truth) {
  for (auto const& fault : knownFaults)
    if (answer.label() == fault.label && answer.solution.status == fault.claimed &&
        truth.status == fault.truth && truth.proved)
      return true;
  return false;
}

/// Agreement but for known faults; this solver has to prove what it says.
void check(Comparison const& comparison) {
  BOOST_TEST(comparison.truth.proved);
  for (auto const& answer : comparison.answers) {
    BOOST_TEST_CONTEXT(answer.label() << ' ' << answer.version) {
      if (isOwn(answer)) {
        BOOST_TEST((answer.verdict == Verdict::agrees), answer.reason);
        BOOST_TEST(answer.proved);
      } else if (answer.verdict == Verdict::wrong || answer.verdict == Verdict::disputed) {
        BOOST_TEST(isKnown(answer, comparison.truth), answer.reason);
      }
    }
  }
}

void checkWarmStarts(LinearProgram const& lp, Comparison const& comparison) {
  auto const judges = parseContestants("glpk,clp", bridges());
  for (auto const& answer : comparison.answers)
    if (isOwn(answer))
      for (auto const& warm : warmChecks(lp, answer, judges, {}))
        BOOST_TEST(warm.confirmed, warm.sentence);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cross)

BOOST_AUTO_TEST_CASE(randomProblemsOfEveryStatus) {
  auto const contestants = everybody();
  std::map<Status, int> seen;
  std::map<std::string, int> agreed;
  ComparisonOptions options;
  options.timeLimit = 60.0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    auto const made = testing::randomLp(seed);
    BOOST_TEST_CONTEXT(made.description) {
      auto const comparison = compareSolvers(made.lp, contestants, options);
      check(comparison);
      BOOST_TEST((comparison.truth.status == made.expected));
      if (made.expected == Status::optimal)
        BOOST_TEST(1.0 + comparison.truth.objective == 1.0 + made.objective,
                   boost::test_tools::tolerance(1e-6));
      checkWarmStarts(made.lp, comparison);
      ++seen[made.expected];
      for (auto const& answer : comparison.answers)
        agreed[answer.label()] += answer.verdict == Verdict::agrees;
    }
  }
  BOOST_TEST(seen[Status::optimal] > 200);
  BOOST_TEST(seen[Status::infeasible] > 60);
  BOOST_TEST(seen[Status::unbounded] > 60);
  for (auto const& [label, count] : agreed) {
    // Interior points prove no infeasibility; exact and lp_solve take no empty problems.
    BOOST_TEST(count > (label.ends_with("interior") ? 200 : 400), label << ": " << count);
  }
}

BOOST_AUTO_TEST_CASE(largerRandomProblems) {
  auto const contestants = everybody();
  testing::RandomLpShape shape;
  shape.maxRows = shape.maxColumns = 60;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto const made = testing::randomLp(seed, shape);
    BOOST_TEST_CONTEXT(made.description) {
      auto const comparison = compareSolvers(made.lp, contestants);
      check(comparison);
      BOOST_TEST((comparison.truth.status == made.expected));
      checkWarmStarts(made.lp, comparison);
    }
  }
}

BOOST_AUTO_TEST_CASE(smallNetlibProblems) {
  auto const contestants = everybody();
  ComparisonOptions options;
  options.timeLimit = 5.0;
  int solved = 0;
  for (auto const& instance : testing::netlibInstances()) {
    if (instance.cells() > 12'000.0) continue;
    BOOST_TEST_CONTEXT(instance.name) {
      auto const lp = readers::read(instance.file).lp;
      auto const comparison = compareSolvers(lp, contestants, options);
      check(comparison);
      BOOST_TEST(
          (comparison.truth.status == (instance.optimum ? Status::optimal : Status::infeasible)));
      ++solved;
    }
  }
  BOOST_TEST(solved > 0);
}

BOOST_AUTO_TEST_SUITE_END()
