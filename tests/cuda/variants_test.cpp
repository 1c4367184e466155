// SPDX-License-Identifier: EPL-2.0
// Variants of one problem on a device: the processor's answers, proofs, the same bits whatever the
// order.
#include "osi_cuda/batch/variants.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/random_variants.hpp"

using namespace osi_cuda;
using testing::randomVariants;
using testing::variantOf;

namespace {

VariantOptions on(BatchEngine engine) {
  VariantOptions options;
  options.engine = engine;
  return options;
}

Basis optimalBasis(LinearProgram const& lp) {
  Options options;
  options.engine = EngineChoice::host;
  Solver solver(lp);
  solver.solve(options);
  return solver.basis();
}

/// Statuses and objectives are those of the processor, and the proofs stand.
void compareWithHost(LinearProgram const& lp, PackedVariants const& variants, Basis const& basis,
                     BatchResults const& device) {
  BatchResults const host = solveVariants(lp, basis, variants.view(), on(BatchEngine::host));
  for (std::size_t k = 0; k < host.status.size(); ++k) {
    BOOST_TEST_CONTEXT("variant " << k) {
      BOOST_TEST(toString(device.status[k]) == toString(host.status[k]));
      BOOST_TEST(std::fabs(device.objective[k] - host.objective[k]) <=
                 1e-9 * (1.0 + std::fabs(host.objective[k])));
      testing::checkAnswer(variantOf(lp, variants, k), device, k);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variants_on_device)

BOOST_AUTO_TEST_CASE(random_variants_have_the_answers_of_the_processor) {
  std::size_t all = 0, there = 0, again = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = seed % 3 == 0 ? 60 : 15;
    shape.emptyDimensions = false;
    testing::RandomLp const made = testing::randomLp(seed, shape);
    PackedVariants const variants = randomVariants(made.lp, seed);
    Basis const basis = optimalBasis(made.lp);
    BOOST_TEST_CONTEXT(made.description) {
      BatchResults const device =
          solveVariants(made.lp, basis, variants.view(), on(BatchEngine::cuda));
      BOOST_TEST(!device.deviceLost);
      compareWithHost(made.lp, variants, basis, device);
      all += device.status.size();
      there += device.onDevice;
      again += device.again;
    }
  }
  BOOST_TEST(there > all / 2);
  BOOST_TEST(again <= all / 20);
}

BOOST_AUTO_TEST_CASE(shapes_of_all_kinds_agree_with_the_processor) {
  for (auto const& [rows, columns] :
       {std::pair{1, 1}, {3, 700}, {700, 3}, {256, 256}, {300, 200}, {1000, 12}}) {
    LinearProgram const lp = testing::denseLp(rows, columns, 1, true);
    testing::VariantDraw draw;
    draw.count = 40;
    PackedVariants const variants = randomVariants(lp, 8, draw);
    Basis const basis = optimalBasis(lp);
    BOOST_TEST_CONTEXT(rows << " x " << columns)
    compareWithHost(lp, variants, basis,
                    solveVariants(lp, basis, variants.view(), on(BatchEngine::cuda)));
  }
  LinearProgram const sparse = testing::sparseLp(200, 400, 4, 3);
  PackedVariants const variants = randomVariants(sparse, 9);
  Basis const basis = optimalBasis(sparse);
  compareWithHost(sparse, variants, basis,
                  solveVariants(sparse, basis, variants.view(), on(BatchEngine::cuda)));
}

BOOST_AUTO_TEST_CASE(neither_order_nor_repetition_changes_a_bit) {
  LinearProgram const lp = testing::sparseLp(80, 120, 4, 11);
  testing::VariantDraw draw;
  draw.count = 1000;
  PackedVariants const variants = randomVariants(lp, 4, draw);
  VariantSolver solver(lp, optimalBasis(lp));
  BatchResults first, again;
  solver.solve(variants.view(), on(BatchEngine::cuda), first);
  for (int repeat = 0; repeat < 3; ++repeat) {
    solver.solve(variants.view(), on(BatchEngine::cuda), again);
    for (std::size_t k = 0; k < 1000; ++k) testing::checkSameBits(again, k, first, k);
  }
  std::vector<std::size_t> order(1000);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(7);
  std::shuffle(order.begin(), order.end(), random);
  PackedVariants shuffled;
  std::span<VariantChange const> const changes(variants.changes);
  for (std::size_t k : order)
    shuffled.add(changes.subspan(variants.starts[k], variants.starts[k + 1] - variants.starts[k]));
  solver.solve(shuffled.view(), on(BatchEngine::cuda), again);
  for (std::size_t k = 0; k < order.size(); ++k) testing::checkSameBits(again, k, first, order[k]);
  VariantOptions options = on(BatchEngine::cuda);
  options.points = false;
  BatchResults without;
  solver.solve(variants.view(), options, without);
  for (std::size_t k = 0; k < 1000; ++k) {
    BOOST_TEST((without.status[k] == first.status[k]));
    BOOST_TEST(std::fabs(without.objective[k] - first.objective[k]) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(those_that_outgrow_their_factors_begin_again_with_more) {
  LinearProgram const lp = testing::denseLp(160, 140, 5, true);
  PackedVariants variants;
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> wide(0.1, 8.0);
  for (int k = 0; k < 3; ++k) {
    std::vector<VariantChange> changes;
    for (int j = 0; j < 140; ++j)
      changes.push_back(
          {VariantChange::What::cost, j, lp.objective[static_cast<std::size_t>(j)] * wide(random)});
    variants.add(changes);
  }
  Basis const basis = optimalBasis(lp);
  VariantOptions few = on(BatchEngine::cuda);
  few.factors = 16;  // asked for: the ordinary solver takes them over
  BatchResults const asked = solveVariants(lp, basis, variants.view(), few);
  BatchResults const device = solveVariants(lp, basis, variants.view(), on(BatchEngine::cuda));
  BOOST_TEST(asked.again == 3u);
  BOOST_TEST(device.again == 0u);
  BOOST_TEST(*std::ranges::max_element(device.iterations) > 128);
  compareWithHost(lp, variants, basis, device);
  for (std::size_t k = 0; k < 3; ++k)
    BOOST_TEST(std::fabs(asked.objective[k] - device.objective[k]) <=
               1e-9 * (1.0 + std::fabs(device.objective[k])));
}

BOOST_AUTO_TEST_CASE(limits_and_interruptions_end_them) {
  LinearProgram const lp = testing::denseLp(100, 80, 2, true);
  PackedVariants variants;
  for (int j = 0; j < 80; ++j)
    variants.add(std::vector<VariantChange>{{VariantChange::What::columnLower, j, 3.0}});
  VariantOptions options = on(BatchEngine::cuda);
  options.iterationLimit = 2;
  Basis const basis = optimalBasis(lp);
  BatchResults const limited = solveVariants(lp, basis, variants.view(), options);
  BOOST_TEST(std::count(limited.status.begin(), limited.status.end(), BatchStatus::iterationLimit) >
             10);
  BatchCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  PackedVariants many;
  for (int k = 0; k < 200000; ++k)
    many.add(std::vector<VariantChange>{{VariantChange::What::columnLower, k % 80, 3.0}});
  options = on(BatchEngine::cuda);
  options.points = false;
  BOOST_TEST((solveVariants(lp, basis, many.view(), options, callbacks).status.back() ==
              BatchStatus::interrupted));
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there_is_refused) {
  VariantOptions options = on(BatchEngine::cuda);
  options.device = 77;
  LinearProgram const lp = testing::denseLp(5, 5, 1, true);
  BOOST_CHECK_THROW(solveVariants(lp, {}, randomVariants(lp, 1).view(), options),
                    EngineUnavailable);
}

BOOST_AUTO_TEST_SUITE_END()
