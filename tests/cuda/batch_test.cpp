// SPDX-License-Identifier: EPL-2.0
// Batches on a device: known answers, the processor's answers, the same bits whatever the order.
#include "osi_cuda/batch/batch.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "osi_cuda/engine/cuda_module.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/hard_problems.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;

namespace {

BatchOptions onDevice() {
  BatchOptions options;
  options.engine = BatchEngine::cuda;
  return options;
}

std::vector<LinearProgram> mixedProblems(int count) {
  std::vector<LinearProgram> problems;
  testing::RandomLpShape shape;
  for (int k = 0; k < count; ++k) {
    shape.maxRows = shape.maxColumns = k % 3 == 0 ? 8 : k % 3 == 1 ? 30 : 70;
    problems.push_back(testing::randomLp(static_cast<std::uint64_t>(k + 1), shape).lp);
  }
  return problems;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch_on_device)

BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers_and_proofs) {
  std::vector<testing::RandomLp> made;
  std::vector<LinearProgram> problems;
  testing::RandomLpShape shape;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    shape.maxRows = shape.maxColumns = seed % 3 == 0 ? 8 : seed % 3 == 1 ? 30 : 70;
    made.push_back(testing::randomLp(seed, shape));
    problems.push_back(made.back().lp);
  }
  for (auto const pricing : {BatchPricing::automatic, BatchPricing::devex, BatchPricing::dantzig}) {
    BatchOptions options = onDevice();
    options.pricing = pricing;
    BatchResults const results = solveBatch(problems, options);
    for (std::size_t k = 0; k < made.size(); ++k) {
      BOOST_TEST_CONTEXT(made[k].description) {
        BOOST_TEST(toString(results.status[k]) == toString(made[k].expected));
        if (made[k].expected == Status::optimal)
          BOOST_TEST(std::fabs(results.objective[k] - made[k].objective) <=
                     1e-9 * (1.0 + std::fabs(made[k].objective)));
        testing::checkAnswer(problems[k], results, k);
      }
    }
    BOOST_TEST(results.onDevice > made.size() / 2);
    BOOST_TEST(results.again <= made.size() / 20);
    BOOST_TEST(!results.deviceLost);
  }
}

BOOST_AUTO_TEST_CASE(problems_of_all_sizes_agree_with_the_processor) {
  std::vector<LinearProgram> problems;
  for (auto const& [m, n] : {std::pair{1, 1},
                             {3, 200},
                             {200, 3},
                             {50, 50},
                             {97, 96},
                             {160, 160},
                             {200, 200},
                             {400, 300},
                             {1100, 4}})
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      problems.push_back(testing::denseLp(m, n, seed, seed % 2 == 0));
  BatchResults const device = solveBatch(problems, onDevice());
  BatchOptions options;
  options.engine = BatchEngine::host;
  BatchResults const host = solveBatch(problems, options);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    BOOST_TEST((device.status[k] == host.status[k]));
    BOOST_TEST(std::fabs(device.objective[k] - host.objective[k]) <=
               1e-9 * (1.0 + std::fabs(host.objective[k])));
    testing::checkAnswer(problems[k], device, k);
  }
  BOOST_TEST(device.onDevice == problems.size());
}

BOOST_AUTO_TEST_CASE(neither_order_nor_repetition_changes_a_bit) {
  std::vector<LinearProgram> const problems = mixedProblems(1500);
  BatchSolver solver;
  PackedBatch packed;
  for (LinearProgram const& lp : problems) packed.add(lp);
  BatchResults first, again;
  solver.solve(packed.view(), onDevice(), first);
  for (int repeat = 0; repeat < 5; ++repeat) {
    solver.solve(packed.view(), onDevice(), again);
    for (std::size_t k = 0; k < problems.size(); ++k) testing::checkSameBits(again, k, first, k);
  }
  std::vector<std::size_t> order(problems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(7);
  std::shuffle(order.begin(), order.end(), random);
  PackedBatch shuffled;
  for (std::size_t k : order) shuffled.add(problems[k]);
  solver.solve(shuffled.view(), onDevice(), again);
  for (std::size_t k = 0; k < order.size(); ++k) testing::checkSameBits(again, k, first, order[k]);
}

BOOST_AUTO_TEST_CASE(a_bad_problem_costs_only_itself) {
  std::vector<LinearProgram> const problems = mixedProblems(40), bad = testing::poisonedProblems();
  BatchResults const clean = solveBatch(problems, onDevice());
  std::vector<LinearProgram> mixed;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    mixed.push_back(problems[k]);
    mixed.push_back(bad[k % bad.size()]);
  }
  BatchResults const results = solveBatch(mixed, onDevice());
  for (std::size_t k = 0; k < problems.size(); ++k)
    testing::checkSameBits(results, 2 * k, clean, k);
  for (std::size_t k = 0; k < problems.size(); ++k)
    BOOST_TEST(toString(results.status[2 * k + 1]) == testing::poisonedStatus(k % bad.size()));
}

// Each verdict of the device is that of the processor's verifier on the same answer. The
// processor's own pivots may end elsewhere: a problem that is infeasible by less than the
// tolerances has points within them, too, and both statements stand.
BOOST_AUTO_TEST_CASE(a_million_hard_problems_have_the_verdicts_of_the_processor) {
  PackedBatch packed;
  testing::addHardProblems(packed, 1'000'000, 3);
  BatchOptions options = onDevice();
  BatchResults device, host;
  BatchSolver().solve(packed.view(), options, device);
  options.engine = BatchEngine::host;
  BatchSolver().solve(packed.view(), options, host);
  std::vector<bool> crossed(device.status.size());  // bounds that cross need no multipliers
  for (BatchCertificate const& c : device.certificates)
    crossed[c.problem] = device.status[c.problem] == BatchStatus::infeasible &&
                         std::ranges::all_of(c.farkas, [](double y) { return y == 0.0; });
  std::size_t open = 0, proved = 0, elsewhere = 0;
  testing::PackedPlace place;
  for (std::size_t k = 0; k < device.status.size(); ++k, place.skip(packed)) {
    BatchStatus const a = device.status[k], b = host.status[k];
    bool const numerical = a == BatchStatus::numerical || b == BatchStatus::numerical;
    if (a != b) ++(numerical ? open : elsewhere);
    if (a == BatchStatus::numerical || a == BatchStatus::invalid) continue;
    ++proved;
    if (!crossed[k] &&
        !testing::stands(testing::problemAt(packed, place), device, k, options.primalTolerance))
      BOOST_ERROR("problem " << k << ": " << toString(a));
  }
  BOOST_TEST_MESSAGE(proved << " proved, " << open << " by one side only, " << elsewhere
                            << " ended elsewhere");
  BOOST_TEST(open <= 5000u);
  BOOST_TEST(elsewhere <= 500u);
  BOOST_TEST(proved > 900'000u);
  BOOST_TEST(device.onDevice == 1'000'000u);
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there_is_refused) {
  BatchOptions options = onDevice();
  options.device = 77;
  BOOST_CHECK_THROW(solveBatch(mixedProblems(3), options), EngineUnavailable);
}

BOOST_AUTO_TEST_SUITE_END()
