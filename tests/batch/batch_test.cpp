// SPDX-License-Identifier: EPL-2.0
// The batch on the processor against the answers that problems were built from, and against the
// ordinary solver.
#include "osi_cuda/batch/batch.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <thread>

#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/batch_checks.hpp"
#include "tests/support/batch_contract.hpp"
#include "tests/support/hard_problems.hpp"

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
  return testing::problemsOf(testing::randomLps(seed, count, {size}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch)

BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers_and_proofs) {
  for (int const size : {3, 12, 40})
    testing::checkKnownAnswers(testing::randomLps(1, 400, {size}), onHost());
}

BOOST_AUTO_TEST_CASE(answers_are_those_of_the_ordinary_solver) {
  testing::checkAsAlone(randomProblems(120, 60, 5000), onHost());
}

BOOST_AUTO_TEST_CASE(neither_order_nor_threads_change_a_bit) {
  testing::checkSameBits(randomProblems(300, 30, 900), onHost(1), onHost(3));
}

BOOST_AUTO_TEST_CASE(a_bad_problem_costs_only_itself) {
  testing::checkBadProblems(randomProblems(20, 10, 77), onHost());
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

// 1e12 (x1 - x2) = 1, x1 + 2 x2 = 1: no doubles come nearer to the first row than 2e-5.
BOOST_AUTO_TEST_CASE(what_is_handed_out_is_what_was_verified) {
  LinearProgram lp;
  lp.matrix.rows = lp.matrix.columns = 2;
  lp.matrix.starts = {0, 2, 4};
  lp.matrix.indices = {0, 1, 0, 1};
  lp.matrix.values = {1e12, 1.0, -1e12, 2.0};
  lp.objective = {1.0, 1.0};
  lp.columnLower = {-infinity, -infinity};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = lp.rowUpper = {1.0, 1.0};
  BatchResults const results = solveBatch(std::vector<LinearProgram>{lp}, onHost());
  BOOST_TEST((results.status[0] == BatchStatus::numerical));
  BOOST_REQUIRE(results.notes.size() == 1u);
  BOOST_TEST(results.notes[0].sentence.find("two parts") != std::string::npos,
             results.notes[0].sentence);
}

BOOST_AUTO_TEST_CASE(answers_to_hard_problems_stand) {
  PackedBatch packed;
  testing::addHardProblems(packed, 3000, 5);
  BatchResults const results = [&] {
    BatchResults r;
    BatchSolver().solve(packed.view(), onHost(), r);
    return r;
  }();
  BatchOptions const options;
  for (std::size_t k = 0; k < results.status.size(); ++k) {
    if (results.status[k] != BatchStatus::optimal) continue;
    LinearProgram const lp = testing::problemOf(packed, k);
    BOOST_TEST(testing::stands(lp, results, k, options.primalTolerance), "problem " << k);
    bool const within =
        residualsOf(lp, testing::pointOf(results, k)).largest() <= options.primalTolerance;
    BOOST_TEST(results.residual[k] <= (within ? 1.0 : 10.0) * options.primalTolerance,
               "problem " << k);
  }
}

BOOST_AUTO_TEST_CASE(the_iteration_limit_is_for_all_that_is_done_with_a_problem) {
  PackedBatch packed;
  testing::addHardProblems(packed, 2000, 6);
  for (int const limit : {1, 3}) {
    BatchOptions options = onHost();
    options.iterationLimit = limit;
    BatchResults results;
    BatchSolver().solve(packed.view(), options, results);
    BOOST_TEST(results.again > 0u);
    BOOST_TEST(*std::ranges::max_element(results.iterations) <= limit);
  }
}

BOOST_AUTO_TEST_CASE(what_a_callback_throws_ends_the_batch_and_leaves_answers) {
  std::vector<LinearProgram> const problems = randomProblems(40, 10, 300);
  BatchResults const whole = solveBatch(problems, onHost());
  PackedBatch packed;
  for (int copies = 0; copies < 500; ++copies)
    for (LinearProgram const& lp : problems) packed.add(lp);
  BatchSolver solver;
  BatchResults results;
  int calls = 0;
  BatchCallbacks callbacks;
  callbacks.progress = [&](std::size_t, std::size_t) {
    ++calls;
    throw std::runtime_error("enough");
  };
  BOOST_CHECK_EXCEPTION(solver.solve(packed.view(), onHost(), results, callbacks),
                        std::runtime_error,
                        [](std::exception const& e) { return std::string(e.what()) == "enough"; });
  BOOST_TEST(calls == 1);
  BOOST_REQUIRE(results.status.size() == packed.rows.size());
  for (std::size_t k = 0; k < results.status.size(); ++k)
    if (results.status[k] != BatchStatus::interrupted)
      testing::checkSameBits(results, k, whole, k % problems.size());
  solver.solve(packed.view(), onHost(), results);  // all is as it was
  BOOST_TEST((results.status.back() == whole.status.back()));
}

BOOST_AUTO_TEST_CASE(workers_end_before_what_they_throw_arrives) {
  std::atomic<int> atWork = 0;
  auto const work = [&](std::size_t item, int) {
    ++atWork;
    if (item == 70) throw std::bad_alloc();
    --atWork;
  };
  BOOST_CHECK_THROW(osi_cuda::batch::runWorkers(3, 1000, work), std::bad_alloc);
  BOOST_TEST(atWork == 1);
  std::atomic<bool> go = false;
  auto const wait = [&](std::size_t, int) {
    while (!go) std::this_thread::yield();
  };
  auto const watch = [&](std::size_t) -> bool {
    go = true;
    throw std::runtime_error("no more");
  };
  BOOST_CHECK_THROW(osi_cuda::batch::runWorkers(2, 50, wait, watch), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(sizes_that_do_not_fit_are_refused) {
  constexpr int most = std::numeric_limits<int>::max();
  double const nothing = 0.0;
  auto const ofLength = [&](std::size_t length) { return std::span(&nothing, length); };
  // Nobody reads the numbers of these.
  std::vector<int> rows{most}, columns{1};
  BatchProblems problems;
  problems.rows = rows;
  problems.columns = columns;
  problems.matrix = ofLength(std::size_t{most});
  problems.objective = ofLength(1);
  BOOST_TEST(findFault(problems) ==
             "problem 0 of the batch has 2147483647 rows and 1 columns; together they can be "
             "2147483647 at most");
  // 32 matrices of 2^59 coefficients: 2^64, which counts as 0.
  rows.assign(32, 1 << 30);
  columns.assign(32, 1 << 29);
  problems.rows = rows;
  problems.columns = columns;
  problems.matrix = {};
  problems.objective = ofLength(std::size_t{32} << 29);
  BOOST_TEST(findFault(problems).find("more coefficients up to problem 1 ") != std::string::npos,
             findFault(problems));
  BOOST_TEST(!osi_cuda::batch::HostSolver::fits(most, 0));
  BOOST_TEST(!osi_cuda::batch::HostSolver::fits(0, most));
  BOOST_TEST(osi_cuda::batch::HostSolver::fits(500, 500));
}

// A new option needs no line here: it is honoured, or refused.
BOOST_AUTO_TEST_CASE(each_option_of_the_solver_is_honoured_or_refused) {
  std::vector<LinearProgram> const problems = randomProblems(3, 6, 1);
  for (OptionRecord const& record : optionTable()) {
    std::vector<std::string> texts = record.choices;
    texts.insert(texts.end(), {"0.01", "7"});
    for (std::string const& text : texts) {
      BatchOptions options = onHost();
      if (!record.set(options, text).empty() || record.get(options) == record.defaultText) continue;
      if (record.name == "engine" || record.name == "device") continue;
      bool const known = record.ofBatches && text != "sketched" && text != "greatest";
      BOOST_TEST(findFault(options).empty() == known, record.name << " " << text);
      BOOST_TEST(
          (BatchOptions(static_cast<Options const&>(options)) == BatchOptions(onHost())) == !known,
          record.name << " " << text);
      if (!known) BOOST_CHECK_THROW(solveBatch(problems, options), std::invalid_argument);
    }
  }
  BatchOptions options = onHost();
  BOOST_TEST(setOption(options, "problem-time-limit", "2.5").empty());
  BOOST_TEST(options.problemTimeLimit == 2.5);
  BOOST_TEST(!setOption(options, "problem-time-limit", "-1").empty());
  BOOST_TEST(!setOption(options, "scaling", "on").empty());
  BOOST_TEST(setOption(options, "pricing", "devex").empty());
  BOOST_TEST((options.pricing == Pricing::devex));
  options.algorithm = AlgorithmChoice::dual;
  BOOST_TEST(findFault(options) ==
             "a batch has no option 'algorithm'; it has problem-time-limit, engine, pricing, "
             "time-limit, iteration-limit, primal-tolerance, dual-tolerance, infinity, seed, "
             "threads, device, devices, device-loss");
}

BOOST_AUTO_TEST_SUITE_END()
