// SPDX-License-Identifier: EPL-2.0
#include "tests/support/batch_contract.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_variants.hpp"

namespace osi_cuda::testing {
namespace {

bool onDevice(BatchOptions const& options) {
  return options.engine == BatchEngine::cuda;
}

/// Objectives of two solves of one problem.
void checkObjective(double objective, double expected) {
  BOOST_TEST(std::fabs(objective - expected) <= 1e-9 * (1.0 + std::fabs(expected)));
}

std::vector<std::size_t> shuffledOrder(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(7).shuffle(order);
  return order;
}

PackedBatch packed(std::vector<LinearProgram> const& problems) {
  PackedBatch batch;
  for (LinearProgram const& lp : problems) batch.add(lp);
  return batch;
}

}  // namespace

std::vector<RandomLp> randomLps(std::uint64_t first, int count, std::vector<int> const& sizes,
                                bool emptyDimensions) {
  std::vector<RandomLp> made;
  RandomLpShape shape;
  shape.emptyDimensions = emptyDimensions;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    shape.maxRows = shape.maxColumns = sizes[k % sizes.size()];
    made.push_back(randomLp(first + k, shape));
  }
  return made;
}

std::vector<LinearProgram> problemsOf(std::vector<RandomLp> const& made) {
  std::vector<LinearProgram> problems;
  for (RandomLp const& each : made) problems.push_back(each.lp);
  return problems;
}

Solution solvedAlone(LinearProgram const& lp) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  return Solver(lp).solve(options);
}

/// Whether the high part of its point proves the status.
bool reachedByDoubles(LinearProgram const& lp, Solution solution) {
  double const tolerance = Options().primalTolerance;
  solution.columnValuesLow.clear();
  solution.rowDualsLow.clear();
  if (solution.status == Status::unbounded)
    return verifyRay(lp, solution.columnValues, solution.ray, tolerance, solution.rayLow).proved;
  return solution.status != Status::optimal || residualsOf(lp, solution).largest() <= tolerance;
}

void checkAsAlone(LinearProgram const& lp, BatchResults const& results, std::size_t k) {
  Solution const alone = solvedAlone(lp);
  // The points of a batch are doubles: what only a sum of two doubles reaches has no status, and a
  // note says so.
  if (results.status[k] == BatchStatus::numerical && !reachedByDoubles(lp, alone)) {
    auto const note = std::ranges::find(results.notes, k, &BatchNote::problem);
    BOOST_REQUIRE((note != results.notes.end()));
    BOOST_TEST(note->sentence.find("doubles miss") == 0u, note->sentence);
    return;
  }
  BOOST_TEST(toString(results.status[k]) == toString(alone.status));
  if (alone.status == Status::optimal) checkObjective(results.objective[k], alone.objective);
  checkAnswer(lp, results, k);
}

void checkKnownAnswers(std::vector<RandomLp> const& made, BatchOptions options) {
  std::vector<LinearProgram> const problems = problemsOf(made);
  for (auto const pricing : {BatchPricing::automatic, BatchPricing::devex, BatchPricing::dantzig}) {
    options.pricing = pricing;
    BatchResults const results = solveBatch(problems, options);
    for (std::size_t k = 0; k < made.size(); ++k) {
      BOOST_TEST_CONTEXT(made[k].description) {
        BOOST_TEST(toString(results.status[k]) == toString(made[k].expected));
        if (made[k].expected == Status::optimal)
          checkObjective(results.objective[k], made[k].objective);
        checkAnswer(problems[k], results, k);
      }
    }
    BOOST_TEST((results.onDevice > made.size() / 2) == onDevice(options));
    BOOST_TEST(results.again <= made.size() / 20);
    BOOST_TEST(!results.deviceLost);
  }
}

void checkAsAlone(std::vector<LinearProgram> const& problems, BatchOptions const& options) {
  BatchResults const results = solveBatch(problems, options);
  for (std::size_t k = 0; k < problems.size(); ++k)
    BOOST_TEST_CONTEXT("problem " << k) checkAsAlone(problems[k], results, k);
  BOOST_TEST((results.onDevice > problems.size() / 2) == onDevice(options));
}

void checkSameBits(std::vector<LinearProgram> const& problems, BatchOptions const& one,
                   BatchOptions const& other) {
  BatchSolver solver;
  BatchResults first, again;
  solver.solve(packed(problems).view(), one, first);
  PackedBatch const same = packed(problems);
  for (int repeat = 0; repeat < 5; ++repeat) {
    solver.solve(same.view(), repeat % 2 ? one : other, again);
    for (std::size_t k = 0; k < problems.size(); ++k) checkSameBits(again, k, first, k);
  }
  std::vector<std::size_t> const order = shuffledOrder(problems.size());
  PackedBatch shuffled;
  for (std::size_t k : order) shuffled.add(problems[k]);
  solver.solve(shuffled.view(), other, again);
  for (std::size_t k = 0; k < order.size(); ++k) checkSameBits(again, k, first, order[k]);
}

void checkBadProblems(std::vector<LinearProgram> const& problems, BatchOptions const& options) {
  BatchResults const clean = solveBatch(problems, options);
  std::vector<LinearProgram> const bad = poisonedProblems();
  std::vector<LinearProgram> mixed;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    mixed.push_back(problems[k]);
    mixed.push_back(bad[k % bad.size()]);
  }
  BatchResults const results = solveBatch(mixed, options);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    checkSameBits(results, 2 * k, clean, k);
    BOOST_TEST(toString(results.status[2 * k + 1]) == poisonedStatus(k % bad.size()));
  }
  // Of each invalid one a sentence says what is wrong.
  BOOST_REQUIRE(!results.notes.empty());
  BOOST_TEST(results.notes.front().problem == 1u);
  BOOST_TEST(!results.notes.front().sentence.empty());
}

void checkVariants(LinearProgram const& lp, PackedVariants const& variants,
                   BatchResults const& results) {
  for (std::size_t k = 0; k < variants.view().count(); ++k)
    BOOST_TEST_CONTEXT("variant " << k) checkAsAlone(variantOf(lp, variants, k), results, k);
}

BatchResults checkVariants(LinearProgram const& lp, Basis const& basis,
                           PackedVariants const& variants, VariantOptions const& options) {
  BatchResults results = solveVariants(lp, basis, variants.view(), options);
  checkVariants(lp, variants, results);
  return results;
}

void checkRandomVariants(std::vector<RandomLp> const& made, VariantOptions const& options) {
  std::size_t all = 0, there = 0, again = 0;
  for (RandomLp const& each : made) {
    PackedVariants const variants = randomVariants(each.lp, each.seed);
    BOOST_TEST_CONTEXT(each.description) {
      BatchResults const results =
          checkVariants(each.lp, solvedAlone(each.lp).basis, variants, options);
      BOOST_TEST(!results.deviceLost);
      if (each.lp.rows() == 0 || each.lp.columns() == 0) continue;
      all += results.status.size();
      there += results.onDevice;
      again += results.again;
    }
  }
  BOOST_TEST((there > all / 2) == onDevice(options));
  BOOST_TEST(again <= all / 20);
}

void checkStarts(std::vector<RandomLp> const& made, VariantOptions options) {
  options.keepStarts = true;
  std::int64_t pivots = 0, pivotsAgain = 0;
  for (RandomLp const& each : made) {
    PackedVariants const variants = randomVariants(each.lp, each.seed);
    VariantSolver solver(each.lp, solvedAlone(each.lp).basis);
    BatchResults first, again;
    solver.solve(variants.view(), options, first);
    BatchVariants view = variants.view();
    BOOST_TEST_CONTEXT(each.description) {
      BOOST_REQUIRE(first.start.size() == view.count());
      std::vector<std::int64_t> starts = first.start;
      view.start = starts;
      solver.solve(view, options, again);
      checkVariants(each.lp, variants, again);
      for (std::size_t k = 0; k < view.count(); ++k) {
        if (first.status[k] != BatchStatus::optimal) continue;
        pivots += first.iterations[k];
        pivotsAgain += again.iterations[k];
      }
      std::ranges::rotate(starts, starts.begin() + 1);
      solver.solve(view, options, again);
      checkVariants(each.lp, variants, again);
      std::ranges::fill(starts, 1 << 30);  // nobody's
      solver.solve(view, options, again);
      for (std::size_t k = 0; options.poolBytes == 0 && k < view.count(); ++k)
        checkSameBits(again, k, first, k);
    }
  }
  BOOST_TEST(pivots > 100);
  BOOST_TEST(pivotsAgain <= pivots / 50);
}

void checkCutoffs(std::vector<RandomLp> const& made, VariantOptions options) {
  VariantDraw draw;
  draw.costs = draw.coefficients = false;
  std::size_t ended = 0, through = 0;
  for (RandomLp const& each : made) {
    PackedVariants const variants = randomVariants(each.lp, each.seed, draw);
    VariantSolver solver(each.lp, solvedAlone(each.lp).basis);
    BatchResults whole, results;
    options.cutoff = std::nan("");
    solver.solve(variants.view(), options, whole);
    std::vector<double> optima;
    for (std::size_t k = 0; k < whole.status.size(); ++k)
      if (whole.status[k] == BatchStatus::optimal) optima.push_back(whole.objective[k]);
    if (optima.empty()) continue;
    std::ranges::sort(optima);
    double const sign = each.lp.sense == Sense::maximize ? -1.0 : 1.0;
    options.cutoff = optima[optima.size() / 2];
    solver.solve(variants.view(), options, results);
    for (std::size_t k = 0; k < results.status.size(); ++k)
      BOOST_TEST_CONTEXT(each.description << ", variant " << k) {
        if (results.status[k] != BatchStatus::objectiveLimit) {
          checkAsAlone(variantOf(each.lp, variants, k), results, k);
          through += results.status[k] == BatchStatus::optimal;
          continue;
        }
        ++ended;
        BOOST_TEST(results.iterations[k] <= whole.iterations[k]);
        if (whole.status[k] == BatchStatus::optimal)
          BOOST_TEST(sign * whole.objective[k] > sign * options.cutoff);
        LinearProgram const lp = variantOf(each.lp, variants, k);
        std::span<double const> const y = results.yOf(k);
        BOOST_TEST(verifyBound(lp, {y.begin(), y.end()}, options.cutoff, 1e-9).proved);
        BOOST_TEST(results.basisOf(k).columns.size() == static_cast<std::size_t>(lp.columns()));
      }
  }
  BOOST_TEST(ended > 10);
  BOOST_TEST(through > ended);
}

void checkSameBits(LinearProgram const& lp, PackedVariants const& variants,
                   VariantOptions const& one, VariantOptions const& other) {
  std::size_t const count = variants.view().count();
  std::span<VariantChange const> const changes(variants.changes);
  auto const changesOf = [&](std::size_t k) {
    return changes.subspan(variants.starts[k], variants.starts[k + 1] - variants.starts[k]);
  };
  VariantSolver solver(lp, solvedAlone(lp).basis);
  BatchResults first, again;
  solver.solve(variants.view(), one, first);
  for (int repeat = 0; repeat < 3; ++repeat) {
    solver.solve(variants.view(), repeat % 2 ? one : other, again);
    for (std::size_t k = 0; k < count; ++k) checkSameBits(again, k, first, k);
  }
  std::vector<std::size_t> const order = shuffledOrder(count);
  PackedVariants shuffled, alone;
  for (std::size_t k : order) shuffled.add(changesOf(k));
  for (int repeat = 0; repeat < 2; ++repeat) {
    solver.solve(shuffled.view(), other, again);
    for (std::size_t k = 0; k < count; ++k) checkSameBits(again, k, first, order[k]);
  }
  alone.add(changesOf(17));
  solver.solve(alone.view(), one, again);
  checkSameBits(again, 0, first, 17);

  VariantOptions options = other;
  options.points = false;
  solver.solve(variants.view(), options, again);
  for (std::size_t k = 0; k < count; ++k) {
    BOOST_TEST((again.status[k] == first.status[k]));
    BOOST_TEST(std::fabs(again.objective[k] - first.objective[k]) <= 1e-9);
  }
}

}  // namespace osi_cuda::testing
