// SPDX-License-Identifier: EPL-2.0
// The pool of bases that variants are tried at, and the enclosures of their optima.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/random_variants.hpp"

using namespace osi_cuda;
using testing::variantOf;

namespace {

VariantOptions options(std::size_t poolBytes) {
  VariantOptions chosen;
  chosen.engine = BatchEngine::host;
  chosen.poolBytes = poolBytes;
  return chosen;
}
constexpr std::size_t ample = std::size_t{64} << 20;

Basis optimalBasis(LinearProgram const& lp) {
  Options chosen;
  chosen.engine = EngineChoice::host;
  Solver solver(lp);
  solver.solve(chosen);
  return solver.basis();
}

/// A few scenarios of costs far from the problem's own, each many times with a little noise.
PackedVariants scenarios(LinearProgram const& lp, std::size_t count, unsigned seed) {
  testing::Random random(seed);
  std::vector<std::vector<double>> factors(4);
  for (std::vector<double>& own : factors)
    for (int j = 0; j < lp.columns(); ++j) own.push_back(random.between(0.5, 2.0));
  PackedVariants variants;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<VariantChange> changes;
    for (int j = 0; j < lp.columns(); ++j) {
      auto const place = static_cast<std::size_t>(j);
      changes.push_back(
          {VariantChange::What::cost, j,
           lp.objective[place] * factors[k % 4][place] * random.between(0.9999, 1.0001)});
    }
    variants.add(changes);
  }
  return variants;
}

void compare(LinearProgram const& lp, PackedVariants const& variants, BatchResults const& pooled,
             BatchResults const& alone) {
  for (std::size_t k = 0; k < alone.status.size(); ++k) BOOST_TEST_CONTEXT("variant " << k) {
      BOOST_TEST(toString(pooled.status[k]) == toString(alone.status[k]));
      BOOST_TEST(std::fabs(pooled.objective[k] - alone.objective[k]) <=
                 1e-9 * (1.0 + std::fabs(alone.objective[k])));
      testing::checkAnswer(variantOf(lp, variants, k), pooled, k);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variant_pool)

BOOST_AUTO_TEST_CASE(bases_of_others_answer_without_a_pivot) {
  LinearProgram const lp = testing::denseLp(30, 40, 3, true);
  PackedVariants const variants = scenarios(lp, 600, 5);
  Basis const basis = optimalBasis(lp);
  BatchResults const alone = solveVariants(lp, basis, variants.view(), options(0));
  BOOST_TEST(alone.pooled == 0u);
  VariantSolver solver(lp, basis);
  BatchResults results;
  solver.solve(variants.view(), options(ample), results);
  compare(lp, variants, results, alone);
  BOOST_TEST(results.pooled > 400u);
  // The pool stays: others of the same scenarios are answered from the first one on.
  PackedVariants const more = scenarios(lp, 200, 5);
  solver.solve(more.view(), options(ample), results);
  BOOST_TEST(results.pooled > 180u);
  std::int64_t pivots = 0;
  for (std::int32_t const own : results.iterations) pivots += own;
  BOOST_TEST(pivots < 100);
}

BOOST_AUTO_TEST_CASE(threads_do_not_change_a_bit) {
  LinearProgram const lp = testing::denseLp(25, 30, 4, true);
  PackedVariants const variants = scenarios(lp, 300, 6);
  Basis const basis = optimalBasis(lp);
  VariantOptions chosen = options(ample);
  chosen.threads = 1;
  BatchResults const one = solveVariants(lp, basis, variants.view(), chosen);
  chosen.threads = 4;
  BatchResults const four = solveVariants(lp, basis, variants.view(), chosen);
  BOOST_TEST(one.pooled == four.pooled);
  for (std::size_t k = 0; k < one.status.size(); ++k) testing::checkSameBits(four, k, one, k);
}

// Costs, bounds, right-hand sides and coefficients; optimal, infeasible and unbounded ones.
BOOST_AUTO_TEST_CASE(variants_of_all_kinds_have_the_answers_that_they_have_alone) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = seed % 3 == 0 ? 40 : 12;
    shape.emptyDimensions = false;
    testing::RandomLp const made = testing::randomLp(seed, shape);
    testing::VariantDraw draw;
    draw.count = 150;
    PackedVariants variants = testing::randomVariants(made.lp, seed, draw);
    for (std::size_t k = 0; k < 150; ++k) {  // each once more, for the pool
      std::vector<VariantChange> const again(changesOf(variants.view(), k).begin(),
                                             changesOf(variants.view(), k).end());
      variants.add(again);
    }
    Basis const basis = optimalBasis(made.lp);
    BOOST_TEST_CONTEXT(made.description)
    compare(made.lp, variants, solveVariants(made.lp, basis, variants.view(), options(ample)),
            solveVariants(made.lp, basis, variants.view(), options(0)));
  }
}

PackedVariants inOrder(PackedVariants const& variants, std::vector<std::size_t> const& order) {
  PackedVariants other;
  for (std::size_t const k : order) other.add(changesOf(variants.view(), k));
  return other;
}

// The same questions in other orders, by several threads, with no pool, one of a single basis and
// one of all: statuses and objectives are the same; without a pool all bits are.
BOOST_AUTO_TEST_CASE(neither_order_nor_pool_nor_threads_change_an_answer) {
  std::size_t const oneBasis = 8 * (30 * 40 + 30 + 40);
  std::size_t pooled[2] = {};
  auto const check = [&](LinearProgram const& lp, PackedVariants const& variants) {
    std::size_t const count = variants.view().count();
    Basis const basis = optimalBasis(lp);
    BatchResults const alone = solveVariants(lp, basis, variants.view(), options(0));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int way = 0; way < 4; ++way) {
      if (way == 1) std::ranges::reverse(order);
      if (way > 1) testing::Random(at(way)).shuffle(order);
      PackedVariants const asked = inOrder(variants, order);
      for (std::size_t const bytes : {std::size_t{0}, oneBasis, ample})
        for (int const threads : {1, 2}) {
          VariantOptions chosen = options(bytes);
          chosen.threads = threads;
          BatchResults const found = solveVariants(lp, basis, asked.view(), chosen);
          if (bytes > 0) pooled[bytes == ample] += found.pooled;
          BOOST_TEST_CONTEXT("order " << way << ", pool of " << bytes << ", threads " << threads)
          for (std::size_t k = 0; k < count; ++k) BOOST_TEST_CONTEXT("variant " << order[k]) {
              BatchStatus const status = alone.status[order[k]];
              BOOST_TEST(toString(found.status[k]) == toString(status));
              if (bytes == 0) testing::checkSameBits(found, k, alone, order[k]);
              if (status != BatchStatus::optimal) continue;
              double const objective = alone.objective[order[k]];
              BOOST_TEST(std::fabs(found.objective[k] - objective) <=
                         1e-11 * (1.0 + std::fabs(objective)));
            }
        }
    }
  };
  LinearProgram const lp = testing::denseLp(30, 40, 3, true);
  check(lp, scenarios(lp, 400, 5));
  // Many vertices are optimal: half of the columns have no costs.
  LinearProgram flat = testing::denseLp(30, 40, 6, true);
  for (int j = 0; j < flat.columns(); j += 2) flat.objective[at(j)] = 0.0;
  check(flat, scenarios(flat, 300, 7));
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = 12;
    shape.emptyDimensions = false;
    testing::RandomLp const made = testing::randomLp(seed, shape);
    testing::VariantDraw draw;
    draw.count = 200;
    BOOST_TEST_CONTEXT(made.description)
    check(made.lp, testing::randomVariants(made.lp, seed, draw));
  }
  BOOST_TEST(pooled[0] > 100u);
  BOOST_TEST(pooled[1] > pooled[0]);
}

double entryOfFirstRow(LinearProgram const& lp, int j) {
  auto const rows = lp.matrix.columnIndices(j);
  auto const place = std::ranges::find(rows, 0);
  return place == rows.end() ? 0.0 : lp.matrix.columnValues(j)[place - rows.begin()];
}

// In every second variant the first row's least activity is above its bound.
BOOST_AUTO_TEST_CASE(multipliers_of_others_refute_without_a_pivot) {
  LinearProgram const lp = testing::denseLp(30, 40, 3, true);
  testing::Random random(8);
  PackedVariants variants;
  for (int k = 0; k < 600; ++k) {
    std::vector<VariantChange> changes;
    for (int j = 0; k % 2 == 0 && j < lp.columns(); ++j) {
      bool const grows = entryOfFirstRow(lp, j) > 0.0;
      changes.push_back(
          {grows ? VariantChange::What::columnLower : VariantChange::What::columnUpper, j,
           (grows ? 1e4 : 10.0) * random.between(0.9, 1.1)});
    }
    for (int j = 0; j < lp.columns(); ++j)
      changes.push_back({VariantChange::What::cost, j,
                         lp.objective[static_cast<std::size_t>(j)] * random.between(0.9, 1.1)});
    variants.add(changes);
  }
  Basis const basis = optimalBasis(lp);
  BatchResults const alone = solveVariants(lp, basis, variants.view(), options(0));
  VariantOptions chosen = options(ample);
  chosen.threads = 1;
  BatchResults const one = solveVariants(lp, basis, variants.view(), chosen);
  chosen.threads = 4;
  BatchResults const four = solveVariants(lp, basis, variants.view(), chosen);
  compare(lp, variants, one, alone);
  BOOST_TEST(one.pooled == four.pooled);
  int infeasible = 0, refuted = 0, refutedAlone = 0;
  for (std::size_t k = 0; k < one.status.size(); ++k) {
    testing::checkSameBits(four, k, one, k);
    if (one.status[k] != BatchStatus::infeasible) continue;
    ++infeasible;
    if (one.iterations[k] == 0) ++refuted;
    if (alone.iterations[k] == 0) ++refutedAlone;
  }
  BOOST_TEST(infeasible == 300);
  BOOST_TEST(refuted > refutedAlone + 100);
}

BOOST_AUTO_TEST_CASE(what_follows_without_a_pool_begins_at_the_common_basis) {
  LinearProgram const lp = testing::denseLp(30, 40, 3, true);
  PackedVariants const variants = scenarios(lp, 600, 5);
  Basis const basis = optimalBasis(lp);
  BatchResults const fresh = solveVariants(lp, basis, variants.view(), options(0));
  VariantSolver solver(lp, basis);
  BatchResults results;
  solver.solve(variants.view(), options(ample), results);
  BOOST_TEST(results.pooled > 0u);
  solver.solve(variants.view(), options(0), results);
  for (std::size_t k = 0; k < 600; ++k) testing::checkSameBits(results, k, fresh, k);
}

BOOST_AUTO_TEST_CASE(memory_is_bounded) {
  LinearProgram const lp = testing::denseLp(30, 40, 3, true);
  PackedVariants const variants = scenarios(lp, 300, 5);
  BatchResults const results =
      solveVariants(lp, optimalBasis(lp), variants.view(), options(30 * 40 * 8));
  BOOST_TEST(results.pooled == 0u);  // not even one tableau with its weights
}

BOOST_AUTO_TEST_CASE(enclosures_hold_the_optima) {
  LinearProgram const lp = testing::denseLp(20, 25, 8, true);  // columns without upper bounds
  testing::VariantDraw draw;
  draw.count = 120;
  PackedVariants const variants = testing::randomVariants(lp, 11, draw);
  VariantOptions chosen = options(0);
  chosen.enclosures = true;
  BatchResults const results = solveVariants(lp, optimalBasis(lp), variants.view(), chosen);
  BOOST_TEST(results.enclosure.size() == 120u);
  std::size_t optimal = 0;
  for (std::size_t k = 0; k < 120; ++k) BOOST_TEST_CONTEXT("variant " << k) {
      ObjectiveEnclosure const own = results.enclosure[k];
      if (results.status[k] != BatchStatus::optimal) continue;
      ++optimal;
      Options single;
      single.engine = EngineChoice::host;
      Solution const alone = Solver(variantOf(lp, variants, k)).solve(single);
      double const slack = 1e-9 * (1.0 + std::fabs(alone.objective));
      // Both enclose the same number.
      BOOST_TEST(own.lower <= alone.objectiveEnclosure.upper);
      BOOST_TEST(own.upper >= alone.objectiveEnclosure.lower);
      bool const maximise = lp.sense == Sense::maximize;
      BOOST_TEST(std::fabs((maximise ? own.upper : own.lower) - alone.objective) <= slack);
    }
  BOOST_TEST(optimal > 40u);
  // A limit leaves multipliers, and these a bound.
  chosen.iterationLimit = 1;
  BatchResults const stopped = solveVariants(lp, optimalBasis(lp), variants.view(), chosen);
  for (std::size_t k = 0; k < 120; ++k)
    if (stopped.status[k] == BatchStatus::iterationLimit &&
        results.status[k] == BatchStatus::optimal) {
      BOOST_TEST(stopped.enclosure[k].lower <= results.enclosure[k].upper);
      BOOST_TEST(stopped.enclosure[k].upper >= results.enclosure[k].lower);
    }
}

BOOST_AUTO_TEST_SUITE_END()
