// SPDX-License-Identifier: EPL-2.0
// Batches on a device: known answers, the processor's answers, the same bits whatever the order.
#include "osi_cuda/batch/batch.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "osi_cuda/engine/cuda_module.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/batch_contract.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/hard_problems.hpp"

using namespace osi_cuda;

namespace {

BatchOptions onDevice() {
  BatchOptions options;
  options.engine = BatchEngine::cuda;
  return options;
}

std::vector<testing::RandomLp> mixedLps(int count) {
  return testing::randomLps(1, count, {30, 70, 8});
}
std::vector<LinearProgram> mixedProblems(int count) {
  return testing::problemsOf(mixedLps(count));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch_on_device)

BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers_and_proofs) {
  testing::checkKnownAnswers(mixedLps(3000), onDevice());
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
  testing::checkAsAlone(problems, onDevice());
  BOOST_TEST(solveBatch(problems, onDevice()).onDevice == problems.size());
}

BOOST_AUTO_TEST_CASE(neither_order_nor_repetition_changes_a_bit) {
  testing::checkSameBits(mixedProblems(1500), onDevice(), onDevice());
}

BOOST_AUTO_TEST_CASE(a_bad_problem_costs_only_itself) {
  testing::checkBadProblems(mixedProblems(40), onDevice());
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
