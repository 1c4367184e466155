// SPDX-License-Identifier: EPL-2.0
// The batch on the processor against the answers that problems were built from, and against the
// ordinary solver.
#include "osi_cuda/batch/batch.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solver.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using testing::checkAnswer;

namespace {

BatchOptions onHost(int threads = 2) {
  BatchOptions options;
  options.engine = BatchEngine::host;
  options.threads = threads;
  return options;
}

std::vector<LinearProgram> randomProblems(int count, int size, std::uint64_t seed) {
  testing::RandomLpShape shape;
  shape.maxRows = shape.maxColumns = size;
  std::vector<LinearProgram> problems;
  for (int k = 0; k < count; ++k)
    problems.push_back(testing::randomLp(seed + static_cast<std::uint64_t>(k), shape).lp);
  return problems;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch)

BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers_and_proofs) {
  for (int const size : {3, 12, 40}) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = size;
    std::vector<testing::RandomLp> made;
    std::vector<LinearProgram> problems;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      made.push_back(testing::randomLp(seed, shape));
      problems.push_back(made.back().lp);
    }
    for (auto const pricing :
         {BatchPricing::automatic, BatchPricing::devex, BatchPricing::dantzig}) {
      BatchOptions options = onHost();
      options.pricing = pricing;
      BatchResults const results = solveBatch(problems, options);
      for (std::size_t k = 0; k < made.size(); ++k) {
        BOOST_TEST_CONTEXT(made[k].description) {
          BOOST_TEST(toString(results.status[k]) == toString(made[k].expected));
          if (made[k].expected == Status::optimal)
            BOOST_TEST(std::fabs(results.objective[k] - made[k].objective) <=
                       1e-9 * (1.0 + std::fabs(made[k].objective)));
          checkAnswer(problems[k], results, k);
        }
      }
      // The ordinary solver is for the odd one.
      BOOST_TEST(results.again <= made.size() / 20);
    }
  }
}

BOOST_AUTO_TEST_CASE(answers_are_those_of_the_ordinary_solver) {
  std::vector<LinearProgram> const problems = randomProblems(120, 60, 5000);
  BatchResults const results = solveBatch(problems, onHost());
  Options options;
  options.engine = EngineChoice::host;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    Solution const single = Solver(problems[k]).solve(options);
    BOOST_TEST(toString(results.status[k]) == toString(single.status));
    if (single.status == Status::optimal)
      BOOST_TEST(std::fabs(results.objective[k] - single.objective) <=
                 1e-9 * (1.0 + std::fabs(single.objective)));
  }
}

BOOST_AUTO_TEST_CASE(neither_order_nor_threads_change_a_bit) {
  std::vector<LinearProgram> const problems = randomProblems(300, 30, 900);
  BatchResults const first = solveBatch(problems, onHost(1));
  std::vector<std::size_t> order(problems.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(7);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<LinearProgram> shuffled;
  for (std::size_t k : order) shuffled.push_back(problems[k]);
  BatchResults const second = solveBatch(shuffled, onHost(3));
  for (std::size_t k = 0; k < order.size(); ++k) testing::checkSameBits(second, k, first, order[k]);
}

BOOST_AUTO_TEST_CASE(a_bad_problem_costs_only_itself) {
  std::vector<LinearProgram> const problems = randomProblems(20, 10, 77);
  BatchResults const clean = solveBatch(problems, onHost());
  std::vector<LinearProgram> const bad = testing::poisonedProblems();
  std::vector<LinearProgram> mixed;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    mixed.push_back(problems[k]);
    mixed.push_back(bad[k % bad.size()]);
  }
  BatchResults const results = solveBatch(mixed, onHost());
  for (std::size_t k = 0; k < problems.size(); ++k)
    testing::checkSameBits(results, 2 * k, clean, k);
  for (std::size_t k = 0; k < bad.size(); ++k)
    BOOST_TEST(toString(results.status[2 * k + 1]) == testing::poisonedStatus(k));
  // Of each invalid one a sentence says what is wrong.
  BOOST_REQUIRE(!results.notes.empty());
  BOOST_TEST(results.notes.front().problem == 1u);
  BOOST_TEST(!results.notes.front().sentence.empty());
}

BOOST_AUTO_TEST_CASE(arrays_that_are_left_out_have_the_usual_bounds) {
  // max x + y, x + 2 y <= 4, 3 x + y <= 6, x, y >= 0; twice, as rows and columns need places
  std::vector<int> const size{2, 2};
  std::vector<double> const matrix{1, 2, 3, 1, 1, 2, 3, 1}, objective{1, 1, 1, 1},
      rowUpper{4, 6, 4, 6};
  std::vector<Sense> const sense{Sense::maximize, Sense::maximize};
  BatchProblems problems;
  problems.rows = problems.columns = size;
  problems.matrix = matrix;
  problems.objective = objective;
  problems.rowUpper = rowUpper;
  problems.sense = sense;
  BatchResults const results = solveBatch(problems, onHost());
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(toString(results.status[k]) == "optimal");
    BOOST_TEST(std::fabs(results.objective[k] - 2.8) <= 1e-12);
    BOOST_TEST(std::fabs(results.x[2 * k] - 1.6) <= 1e-12);
    BOOST_TEST(std::fabs(results.y[2 * k] - 0.4) <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(lengths_that_do_not_fit_are_refused) {
  std::vector<int> const rows{1}, columns{2}, negative{-1};
  std::vector<double> const one{1.0}, two{1.0, 1.0};
  BatchProblems problems;
  problems.rows = rows;
  problems.columns = columns;
  problems.matrix = one;
  problems.objective = two;
  BOOST_CHECK_EXCEPTION(solveBatch(problems), std::invalid_argument, [](std::exception const& e) {
    return std::string(e.what()) == "the batch's array matrix has 1 elements instead of 2";
  });
  problems.matrix = two;
  BOOST_TEST(findFault(problems).empty());
  problems.rows = negative;
  BOOST_CHECK_THROW(solveBatch(problems), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_empty_batch_has_no_answers) {
  BatchResults const results = solveBatch(BatchProblems{}, onHost());
  BOOST_TEST(results.status.empty());
  BOOST_TEST(results.x.empty());
}

BOOST_AUTO_TEST_CASE(limits_and_interruptions_end_a_batch) {
  std::vector<LinearProgram> const problems = randomProblems(50, 40, 4000);
  BatchOptions options = onHost();
  options.iterationLimit = 1;
  BatchResults const limited = solveBatch(problems, options);
  BatchResults const whole = solveBatch(problems, onHost());
  int stopped = 0;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    BOOST_TEST(
        (limited.status[k] == whole.status[k] || limited.status[k] == BatchStatus::iterationLimit));
    stopped += limited.status[k] == BatchStatus::iterationLimit;
  }
  BOOST_TEST(stopped > 10);

  PackedBatch many;
  for (int k = 0; k < 400; ++k)
    for (LinearProgram const& lp : problems) many.add(lp);
  options = onHost();
  options.timeLimit = 0.0;
  BatchResults const late = solveBatch(many.view(), options);
  BOOST_TEST((late.status.back() == BatchStatus::timeLimit));
  BatchCallbacks callbacks;
  callbacks.interrupted = [] { return true; };
  BatchResults const broken = solveBatch(many.view(), onHost(), callbacks);
  BOOST_TEST((broken.status.back() == BatchStatus::interrupted));
}

// The module is opened once in a process, by this test alone.
BOOST_AUTO_TEST_CASE(a_device_that_fails_costs_nothing_but_time) {
  setenv("OSI_CUDA_ENGINE_PATH", OSI_CUDA_LOST_MODULE, 1);
  std::vector<LinearProgram> const problems = randomProblems(40, 10, 300);
  BatchOptions options = onHost();
  options.engine = BatchEngine::cuda;
  BatchResults const lost = solveBatch(problems, options), host = solveBatch(problems, onHost());
  BOOST_TEST(lost.deviceLost);
  BOOST_TEST(lost.onDevice == 0u);
  for (std::size_t k = 0; k < problems.size(); ++k) testing::checkSameBits(lost, k, host, k);
}

BOOST_AUTO_TEST_CASE(large_problems_go_to_the_ordinary_solver) {
  std::vector<LinearProgram> problems = randomProblems(3, 10, 60);
  LinearProgram wide;  // 400000 cells, nearly all of them zeros
  wide.matrix.rows = 20;
  wide.matrix.columns = 20000;
  for (int j = 0; j < 20000; ++j) {
    wide.matrix.indices.push_back(j % 20);
    wide.matrix.values.push_back(1.0 + j % 7);
    wide.matrix.starts.push_back(j + 1);
  }
  wide.objective.assign(20000, -1.0);
  wide.columnLower.assign(20000, 0.0);
  wide.columnUpper.assign(20000, infinity);
  wide.rowLower.assign(20, -infinity);
  wide.rowUpper.assign(20, 7.0);
  problems.insert(problems.begin() + 1, wide);
  BatchResults const results = solveBatch(problems, onHost());
  BOOST_TEST((results.status[1] == BatchStatus::optimal));
  BOOST_TEST(std::fabs(results.objective[1] + 140.0) <= 1e-9);
  BOOST_TEST(results.again >= 1u);
  for (std::size_t k = 0; k < problems.size(); ++k) checkAnswer(problems[k], results, k);
}

BOOST_AUTO_TEST_SUITE_END()
