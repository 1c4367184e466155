// SPDX-License-Identifier: EPL-2.0
// Problems that branch and cut in doubles gets wrong: by solveIntegers and by osi-cuda.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "readers/read.hpp"
#include "tests/integers/known_answers.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda {
namespace {

using Json = nlohmann::ordered_json;
using testing::KnownAnswer;
using testing::knownAnswers;

LinearProgram problemOf(std::string const& text) {
  return readers::readText(text, "a test").lp;
}

Options onOneThread() {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  return options;
}

void check(LinearProgram const& lp, std::optional<double> right, IntegerSolution const& found,
           double gap) {
  Solution const& solution = found.solution;
  BOOST_TEST((solution.status == (right ? Status::optimal : Status::infeasible)),
             toString(solution.status) << " " << solution.message);
  if (!right) return;
  double const sense = lp.sense == Sense::maximize ? -1.0 : 1.0, near = 1e-6;
  BOOST_TEST(sense * (solution.objective - *right) <= gap + near);
  BOOST_TEST(sense * (solution.objective - *right) >= -near);
  BOOST_TEST(residualsOf(lp, solution).primal <= 1e-7);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[j]) BOOST_TEST(solution.columnValues[j] == std::round(solution.columnValues[j]));
  // No sum of rounding: the bound is never beyond the point, and never worse than the relaxation.
  ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
  double const bound = found.search.bound;
  BOOST_TEST(sense * bound <= sense * solution.objective);
  BOOST_TEST(sense * bound <= sense * *right + near);
  double const proved = lp.sense == Sense::maximize ? enclosure.upper : enclosure.lower;
  if (std::isfinite(proved)) BOOST_TEST(sense * bound >= sense * proved);
  BOOST_TEST(enclosure.lower <= *right + 1e-9 * std::fabs(*right));
  BOOST_TEST(enclosure.upper >= *right - 1e-9 * std::fabs(*right));
}

BOOST_AUTO_TEST_SUITE(integer_answers)

BOOST_AUTO_TEST_CASE(everyOneIsRight) {
  for (KnownAnswer const& known : knownAnswers())
    for (Cuts const cuts : {Cuts::off, Cuts::few, Cuts::all})
      for (Toggle const exact : {Toggle::automatic, Toggle::on})
        BOOST_TEST_CONTEXT(known.name << ", cuts " << static_cast<int>(cuts)) {
          LinearProgram const lp = problemOf(known.text);
          Options options = onOneThread();
          options.cuts = cuts;
          options.exact = exact;
          check(lp, known.optimum, solveIntegers(lp, options), 0.0);
        }
}

// The problem turned round has the same points.
BOOST_AUTO_TEST_CASE(theOtherSenseIsRightToo) {
  for (KnownAnswer const& known : knownAnswers()) BOOST_TEST_CONTEXT(known.name) {
      LinearProgram lp = problemOf(known.text);
      lp.sense = lp.sense == Sense::maximize ? Sense::minimize : Sense::maximize;
      lp.objectiveOffset = 2.5 - lp.objectiveOffset;
      for (double& cost : lp.objective) cost = -cost;
      std::optional<double> right;
      if (known.optimum) right = 2.5 - *known.optimum;
      check(lp, right, solveIntegers(lp, onOneThread()), 0.0);
    }
}

BOOST_AUTO_TEST_CASE(gapsOfAnySize) {
  for (KnownAnswer const& known : knownAnswers())
    for (double const gap : {0.0, 1e-5, 3.0, 1e60, infinity})
      BOOST_TEST_CONTEXT(known.name << ", gap " << gap) {
        LinearProgram const lp = problemOf(known.text);
        Options options = onOneThread();
        options.absoluteGap = gap;
        IntegerSolution const found = solveIntegers(lp, options);
        check(lp, known.optimum, found, gap);
        if (!known.optimum) continue;
        BOOST_TEST(std::fabs(found.solution.objective - found.search.bound) <= gap + 1e-6);
        if (!std::isfinite(gap) && *known.optimum == 0.0) continue;
        options.absoluteGap = 0.0;
        options.relativeGap = gap;
        IntegerSolution const relative = solveIntegers(lp, options);
        check(lp, known.optimum, relative,
              gap * std::max(std::fabs(*known.optimum), std::fabs(relative.solution.objective)));
      }
}

// What is true of the dropped node is not known: neither optimal nor a bound beyond the relaxation.
BOOST_AUTO_TEST_CASE(aNodeWithoutAProofIsNoInfeasibleOne) {
  LinearProgram lp = problemOf(testing::unprovedNode);
  for (double const sense : {1.0, -1.0}) {
    lp.sense = sense < 0.0 ? Sense::maximize : Sense::minimize;
    for (Cuts const cuts : {Cuts::off, Cuts::all}) {
      Options options = onOneThread();
      options.cuts = cuts;
      IntegerSolution const found = solveIntegers(lp, options);
      BOOST_TEST((found.solution.status == Status::numerical));
      BOOST_TEST(found.solution.message.find("no proved status") != std::string::npos);
      BOOST_TEST(std::fabs(sense * found.solution.objective + 10.9) < 1e-6);
      BOOST_TEST((found.pointProof != ProofGrade::none));
      BOOST_TEST(std::fabs(sense * found.search.bound + 14.9) < 1e-6);
    }
    for (double& cost : lp.objective) cost = -cost;
  }
}

BOOST_AUTO_TEST_CASE(theProgramPrintsOneObject) {
  testing::TemporaryFolder const folder;
  for (KnownAnswer const& known : knownAnswers()) BOOST_TEST_CONTEXT(known.name) {
      bool const mps = std::string(known.text).starts_with("NAME");
      std::string const file = folder.write(mps ? "problem.mps" : "problem.lp", known.text);
      testing::ProgramResult const run =
          testing::runOsiCuda({"solve", file, "--integers", "--engine", "host", "--json"});
      BOOST_TEST(run.status == (known.optimum ? 0 : 1), run.errors);
      Json const json = Json::parse(run.output, nullptr, false);
      BOOST_REQUIRE(!json.is_discarded());
      BOOST_TEST(json["status"] == (known.optimum ? "optimal" : "infeasible"));
      std::set<std::string> const notices(json["notices"].begin(), json["notices"].end());
      BOOST_TEST(notices.size() == json["notices"].size());
      if (!known.optimum) continue;
      BOOST_TEST(std::fabs(json["objective"].get<double>() - *known.optimum) <= 1e-6);
      if (json["objective_error"].is_number()) {
        double const error = json["objective_error"];
        BOOST_TEST((error == 0.0 || error >= std::numeric_limits<double>::min()));
      }
    }
}

// The files themselves, where they are.
BOOST_AUTO_TEST_CASE(theFilesOfThoseProblems) {
  char const* const data = std::getenv("OSI_CUDA_DATA");
  if (!data) return;
  std::pair<char const*, std::optional<double>> const files[] = {
      {"integers/frac.lp", 18},
      {"integers/shift554.mps", 15.76},
      {"integers/clean1420.mps", 5},
      {"integers/two_mip.lp", -12.8333333333},
      {"integers/knap.lp", 9.4},
      {"hunt4/integer_upper_2.5.lp", 2},
      {"hunt4/integer_no_whole_number.lp", {}},
      {"hunt4/near_whole_rhs_1e-8.lp", 12},
      {"hunt4/near_whole_rhs_1e-7.lp", 1},
      {"hunt4/bigm_1e8_gain.lp", 5},
      {"hunt4/bigm_1e8_cost.lp", 100.5},
      {"hunt4/range_row_one.mps", 4},
      {"hunt4/range_rows_three.mps", -28},
      {"hunt4/range_rows_infeasible.mps", 65},
      {"hunt4/range_rows_free.mps", -40},
      {"hunt4/free_integers_parity.lp", 0},
      {"hunt4/free_integers_gcd5.lp", {}}};
  for (auto const& [name, right] : files) {
    std::filesystem::path const path = std::filesystem::path(data) / name;
    if (!std::filesystem::exists(path)) continue;
    BOOST_TEST_CONTEXT(name) {
      LinearProgram const lp = readers::read(path.string()).lp;
      check(lp, right, solveIntegers(lp, onOneThread()), 0.0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
