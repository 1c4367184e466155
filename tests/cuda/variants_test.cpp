// SPDX-License-Identifier: EPL-2.0
// Variants of one problem on a device: the processor's answers, proofs, the same bits whatever the
// order.
#include "osi_cuda/batch/variants.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/engine/cuda_module.hpp"
#include "tests/support/batch_contract.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_variants.hpp"

using namespace osi_cuda;
using testing::randomVariants;

namespace {

VariantOptions onDevice() {
  VariantOptions options;
  options.engine = BatchEngine::cuda;
  return options;
}

Basis optimalBasis(LinearProgram const& lp) {
  return testing::solvedAlone(lp).basis;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variants_on_device)

BOOST_AUTO_TEST_CASE(random_variants_are_solved_as_each_by_itself) {
  testing::checkRandomVariants(testing::randomLps(1, 40, {15, 15, 60}, false), onDevice());
}

BOOST_AUTO_TEST_CASE(variants_begin_where_others_ended) {
  testing::checkStarts(testing::randomLps(1, 40, {15, 15, 60}, false), onDevice());
}

BOOST_AUTO_TEST_CASE(pivots_end_beyond_a_cutoff) {
  testing::checkCutoffs(testing::randomLps(1, 60, {15, 15, 60}, false), onDevice());
}

BOOST_AUTO_TEST_CASE(what_outgrows_its_factors_goes_on_there) {
  LinearProgram const lp = testing::denseLp(250, 200, 1, true);
  testing::VariantDraw draw;
  draw.count = 20;
  BatchResults const results =
      testing::checkVariants(lp, {}, randomVariants(lp, 3, draw), onDevice());
  BOOST_TEST(std::ranges::max(results.iterations) > 128);
  BOOST_TEST(results.again <= 1u);  // what is unbounded may want more digits
}

BOOST_AUTO_TEST_CASE(shapes_of_all_kinds_agree_with_the_processor) {
  for (auto const& [rows, columns] :
       {std::pair{1, 1}, {3, 700}, {700, 3}, {256, 256}, {300, 200}, {1000, 12}}) {
    LinearProgram const lp = testing::denseLp(rows, columns, 1, true);
    testing::VariantDraw draw;
    draw.count = 40;
    PackedVariants const variants = randomVariants(lp, 8, draw);
    BOOST_TEST_CONTEXT(rows << " x " << columns)
    testing::checkVariants(lp, optimalBasis(lp), variants, onDevice());
  }
  LinearProgram const sparse = testing::sparseLp(200, 400, 4, 3);
  PackedVariants const variants = randomVariants(sparse, 9);
  testing::checkVariants(sparse, optimalBasis(sparse), variants, onDevice());
}

BOOST_AUTO_TEST_CASE(neither_order_nor_repetition_nor_company_changes_a_bit) {
  LinearProgram const lp = testing::sparseLp(80, 120, 4, 11);
  testing::VariantDraw draw;
  draw.count = 1000;
  testing::checkSameBits(lp, randomVariants(lp, 4, draw), onDevice(), onDevice());
}

BOOST_AUTO_TEST_CASE(those_that_outgrow_their_factors_begin_again_with_more) {
  LinearProgram const lp = testing::denseLp(160, 140, 5, true);
  PackedVariants variants;
  testing::Random random(4);
  for (int k = 0; k < 3; ++k) {
    std::vector<VariantChange> changes;
    for (int j = 0; j < 140; ++j)
      changes.push_back({VariantChange::What::cost, j,
                         lp.objective[static_cast<std::size_t>(j)] * random.between(0.1, 8.0)});
    variants.add(changes);
  }
  Basis const basis = optimalBasis(lp);
  VariantOptions few = onDevice();
  few.factors = 16;  // asked for: the ordinary solver takes them over
  BatchResults const asked = solveVariants(lp, basis, variants.view(), few);
  BatchResults const device = testing::checkVariants(lp, basis, variants, onDevice());
  BOOST_TEST(asked.again == 3u);
  BOOST_TEST(device.again == 0u);
  BOOST_TEST(*std::ranges::max_element(device.iterations) > 128);
  for (std::size_t k = 0; k < 3; ++k)
    BOOST_TEST(std::fabs(asked.objective[k] - device.objective[k]) <=
               1e-9 * (1.0 + std::fabs(device.objective[k])));
}

BOOST_AUTO_TEST_CASE(limits_and_interruptions_end_them) {
  LinearProgram const lp = testing::denseLp(100, 80, 2, true);
  PackedVariants variants;
  for (int j = 0; j < 80; ++j)
    variants.add(std::vector<VariantChange>{{VariantChange::What::columnLower, j, 3.0}});
  VariantOptions options = onDevice();
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
  options = onDevice();
  options.points = false;
  BOOST_TEST((solveVariants(lp, basis, many.view(), options, callbacks).status.back() ==
              BatchStatus::interrupted));
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there_is_refused) {
  VariantOptions options = onDevice();
  options.device = 77;
  LinearProgram const lp = testing::denseLp(5, 5, 1, true);
  BOOST_CHECK_THROW(solveVariants(lp, {}, randomVariants(lp, 1).view(), options),
                    EngineUnavailable);
}

BOOST_AUTO_TEST_SUITE_END()
