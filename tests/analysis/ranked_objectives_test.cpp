// SPDX-License-Identifier: EPL-2.0
// Objectives by rank beside solves from scratch in which the earlier objectives are rows.
#include "osi_cuda/analysis/ranked_objectives.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "osi_cuda/proof/residuals.hpp"
#include "readers/read.hpp"
#include "tests/analysis/basis_judge.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  return options;
}

/// The last objective's optimum with the earlier ones as rows, which give way by a little: a point
/// that meets them to the last bit need not exist.
Solution fromScratch(LinearProgram const& lp, std::vector<RankedObjective> const& objectives,
                     std::vector<Rank> const& ranks, std::size_t last) {
  constexpr double slack = 1e-8;
  Solver solver(lp);
  for (std::size_t r = 0; r < last; ++r) {
    SparseMatrix row;
    row.rows = lp.columns();
    row.columns = 1;
    for (int j = 0; j < lp.columns(); ++j) {
      row.indices.push_back(j);
      row.values.push_back(objectives[r].costs[static_cast<std::size_t>(j)]);
    }
    row.starts.push_back(lp.columns());
    double const give = objectives[r].loss.of(ranks[r].optimum) + slack;
    double const at = ranks[r].optimum - objectives[r].offset;
    bool const minimum = objectives[r].sense == Sense::minimize;
    double const lower = minimum ? -infinity : at - give, upper = minimum ? at + give : infinity;
    solver.addRows(row, std::span(&lower, 1), std::span(&upper, 1));
  }
  solver.setSense(objectives[last].sense);
  solver.setObjective(objectives[last].costs);
  solver.setObjectiveOffset(objectives[last].offset);
  return solver.solve(onHost());
}

std::vector<RankedObjective> drawObjectives(LinearProgram const& lp, std::uint64_t seed,
                                            Loss const& loss) {
  std::mt19937_64 random(seed);
  std::vector<RankedObjective> objectives = {
      {"own", lp.sense, lp.objective, lp.objectiveOffset, loss}};
  for (int r = 1; r < 3; ++r) {
    RankedObjective objective{"drawn",
                              random() % 2 ? Sense::minimize : Sense::maximize,
                              {},
                              static_cast<double>(random() % 5),
                              loss};
    for (int j = 0; j < lp.columns(); ++j)
      objective.costs.push_back(random() % 2 ? 0.0
                                             : 0.25 * static_cast<double>(random() % 9) - 1.0);
    objectives.push_back(objective);
  }
  return objectives;
}

void checkRanks(Loss const& loss, std::uint64_t firstSeed) {
  int complete = 0, moved = 0;
  for (std::uint64_t seed = firstSeed; seed < firstSeed + 150; ++seed) {
    testing::RandomLpShape shape;
    shape.status = Status::optimal;
    shape.emptyDimensions = false;
    testing::RandomLp const r = testing::randomLp(seed, shape);
    std::vector<RankedObjective> const objectives = drawObjectives(r.lp, seed, loss);
    BOOST_TEST_CONTEXT(r.description) {
      RankedSolution const found = solveByRank(r.lp, objectives, onHost());
      BOOST_TEST_REQUIRE(!found.ranks.empty());
      BOOST_TEST(std::fabs(found.ranks[0].optimum - r.objective) <=
                 1e-9 * (1.0 + std::fabs(r.objective)));
      for (std::size_t k = 1; k < objectives.size() && k <= found.ranks.size(); ++k) {
        Solution const scratch = fromScratch(r.lp, objectives, found.ranks, k);
        if (k == found.ranks.size()) {
          BOOST_TEST((found.solution.status == scratch.status));
          break;
        }
        BOOST_TEST((scratch.status == Status::optimal));
        BOOST_TEST(
            std::fabs(found.ranks[k].optimum - scratch.objective) <=
                1e-5 * (1.0 + std::fabs(scratch.objective)),
            "rank " << k << ": " << found.ranks[k].optimum << " instead of " << scratch.objective);
      }
      if (found.ranks.size() < objectives.size()) continue;
      ++complete;
      Solution point;
      point.columnValues = found.solution.columnValues;
      BOOST_TEST(residualsOf(r.lp, point).primal <= 1e-7);
      for (std::size_t k = 0; k < objectives.size(); ++k) {
        Rank const& rank = found.ranks[k];
        double const worse =
            (objectives[k].sense == Sense::minimize ? 1.0 : -1.0) * (rank.value - rank.optimum);
        double const allowed = k + 1 < objectives.size() ? loss.of(rank.optimum) : 0.0;
        BOOST_TEST(worse <= allowed + 1e-7 * (1.0 + std::fabs(rank.optimum)));
        moved += worse > 1e-6;
      }
      if (found.solution.basis.empty()) continue;
      testing::BasisVerdict const verdict = testing::judgeBasis(r.lp, found.solution.basis);
      BOOST_TEST(!verdict.singular);
      BOOST_TEST(verdict.primalViolation <= 1e-7);
    }
  }
  BOOST_TEST(complete > 50);
  if (loss.amount > 0.0) BOOST_TEST(moved > 10);
}

BOOST_AUTO_TEST_SUITE(ranked_objectives)

BOOST_AUTO_TEST_CASE(withoutLoss) {
  checkRanks({}, 1);
}
BOOST_AUTO_TEST_CASE(withAbsoluteLoss) {
  checkRanks({0.5, false}, 201);
}
BOOST_AUTO_TEST_CASE(withRelativeLoss) {
  checkRanks({0.1, true}, 401);
}

BOOST_AUTO_TEST_CASE(withoutALossTheEndIsAVertexOfTheProblem) {
  LinearProgram const lp = readers::readText(testing::smallMps(), "t").lp;
  std::vector<RankedObjective> const objectives = {
      {"sum", Sense::maximize, {1.0, 1.0}, 0.0, {}},
      {"second", Sense::maximize, {0.0, 1.0}, 0.0, {}}};
  RankedSolution const found = solveByRank(lp, objectives, onHost());
  BOOST_TEST(found.ranks[0].optimum == 4.0);  // x + y <= 4, x + 3y <= 6: from (3, 1) on
  BOOST_TEST(found.ranks[1].optimum == 1.0);
  BOOST_TEST(!found.solution.basis.empty());
}

// A reduced cost of 1e-10 on a box of 1e12 is worth 100.
BOOST_AUTO_TEST_CASE(smallReducedCostsHoldWideBoxes) {
  LinearProgram lp = readers::readText(
                         "Minimize\n obj: 0 x + y\nSubject To\n r1: x + y <= 2000000000000\n"
                         "Bounds\n 0 <= x <= 1000000000000\nEnd\n",
                         "t.lp")
                         .lp;
  std::vector<RankedObjective> const objectives = {
      {"first", Sense::minimize, {1e-10, 1.0}, 0.0, {}},
      {"second", Sense::maximize, {1.0, 0.0}, 0.0, {}}};
  for (double const upper : {1e12, infinity}) {  // then the second seems to be unbounded
    lp.columnUpper[0] = upper;
    lp.rowUpper[0] = 2.0 * upper;
    RankedSolution const found = solveByRank(lp, objectives, onHost());
    BOOST_TEST_REQUIRE(found.ranks.size() == 2u);
    BOOST_TEST(found.ranks[0].value == 0.0);
    BOOST_TEST(found.ranks[0].excess == 0.0);
    BOOST_TEST(found.ranks[1].optimum == 0.0);
  }
}

/// Reduced costs of 1e-12 to 1e-10 in boxes of 1e7: what they hold is not rounding.
BOOST_AUTO_TEST_CASE(reducedCostsBelowAllTolerancesHold) {
  LinearProgram const lp = readers::readText(
                               "NAME flat\nROWS\n N obj\n L R1\n G R2\nCOLUMNS\n"
                               " C1 obj 27.999999999997282 R2 7\n"
                               " C2 obj -31.999999999986922 R1 -4\n"
                               " C3 obj 7.999999999971423 R2 2\n"
                               " C4 obj -88.00000000045682 R1 -7\n C4 R2 -8\n"
                               " C5 obj 40.00000000000155 R1 1\n C5 R2 8\n"
                               " C6 obj -2.7819865855427395e-10\n"
                               " C7 obj -7.999999993818706 R2 -2\n"
                               " C8 obj 35.99999999999012 R1 5\n C8 R2 -1\n"
                               "RHS\n RHS R1 26.266830444335938 R2 68\n"
                               "RANGES\n RNG R1 61.26683044433594\nBOUNDS\n"
                               " UP BND C1 2329928.5\n UP BND C2 136737792\n UP BND C5 39002868\n"
                               " UP BND C6 22996552\n UP BND C7 228795.5\n UP BND C8 6289902592\n"
                               "ENDATA\n",
                               "t")
                               .lp;
  for (std::size_t j = 0; j < lp.objective.size(); ++j)
    for (Sense const sense : {Sense::minimize, Sense::maximize}) {
      std::vector<RankedObjective> objectives(2);
      objectives[0] = {"own", lp.sense, lp.objective, lp.objectiveOffset, {}};
      objectives[1] = {"column", sense, std::vector<double>(lp.objective.size(), 0.0), 0.0, {}};
      objectives[1].costs[j] = 1.0;
      RankedSolution const found = solveByRank(lp, objectives, onHost());
      BOOST_TEST_REQUIRE(!found.ranks.empty());
      Rank const& first = found.ranks.front();
      BOOST_TEST(first.value - first.optimum <= 1e-9 * (1.0 + std::fabs(first.optimum)),
                 lp.columnName(static_cast<int>(j)) << " costs " << first.value - first.optimum);
    }
}

BOOST_AUTO_TEST_CASE(theIterationLimitIsThatOfAllSolves) {
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::RandomLpShape shape;
    shape.status = Status::optimal;
    LinearProgram const lp = testing::randomLp(seed, shape).lp;
    auto const objectives = drawObjectives(lp, seed, {});
    std::int64_t const all = solveByRank(lp, objectives, onHost()).solution.iterations;
    Options limited = onHost();
    limited.iterationLimit = all / 2;
    RankedSolution const found = solveByRank(lp, objectives, limited);
    BOOST_TEST(found.solution.iterations <= limited.iterationLimit);
    stopped += found.solution.status == Status::iterationLimit;
  }
  BOOST_TEST(stopped > 10);
}

BOOST_AUTO_TEST_CASE(anObjectiveWithoutOptimumEndsIt) {
  LinearProgram const lp = readers::readText(testing::unboundedMps(), "t").lp;
  std::vector<RankedObjective> const objectives = {
      {"bounded", Sense::minimize, {0.0, 0.0}, 0.0, {}}, {"own", lp.sense, lp.objective, 0.0, {}}};
  RankedSolution const found = solveByRank(lp, objectives, onHost());
  BOOST_TEST(found.ranks.size() == 1u);
  BOOST_TEST((found.solution.status == Status::unbounded));
}

BOOST_AUTO_TEST_CASE(wrongObjectivesAreRefused) {
  LinearProgram const lp = readers::readText(testing::smallMps(), "t").lp;
  std::vector<RankedObjective> objectives;
  BOOST_CHECK_THROW(solveByRank(lp, objectives), std::invalid_argument);
  objectives = {{"short", Sense::minimize, {1.0}, 0.0, {}}};
  BOOST_CHECK_THROW(solveByRank(lp, objectives), std::invalid_argument);
  objectives = {{"loss", Sense::minimize, {1.0, 1.0}, 0.0, {-1.0, false}}};
  BOOST_CHECK_THROW(solveByRank(lp, objectives), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
