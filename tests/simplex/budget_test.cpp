// SPDX-License-Identifier: EPL-2.0
// The one object that says what a call may still use.
#include <boost/test/unit_test.hpp>
#include <ctime>
#include <thread>

#include "osi_cuda/barrier/basis_choice.hpp"
#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/factors/sparse_lu.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;

BOOST_AUTO_TEST_SUITE(budget)

BOOST_AUTO_TEST_CASE(without_limits_nothing_is_reached) {
  Budget budget;
  budget.spend(1'000'000'000);
  BOOST_TEST((budget.reached() == Limit::none));
  BOOST_TEST(budget.iterationsLeft() == Budget::unlimitedIterations);
  BOOST_TEST(budget.secondsLeft() == Budget::unlimitedSeconds);
}

BOOST_AUTO_TEST_CASE(a_part_ends_when_it_is_enough) {
  Budget whole(1e6, 10, {});
  bool enough = false;
  Budget part(whole, [&] { return enough; });
  part.spend(3);
  part.addWork(0.5);
  BOOST_TEST((part.reached() == Limit::none));
  enough = true;
  BOOST_TEST((part.reached() == Limit::iterations));
  BOOST_TEST((part.interruption() == Limit::none));
  BOOST_TEST((whole.reached() == Limit::none));
  BOOST_TEST(whole.iterationsLeft() == 7);
  BOOST_TEST(whole.work() == 0.5);
}

BOOST_AUTO_TEST_CASE(each_limit_is_named) {
  bool stop = false;
  Budget budget(1e6, 5, [&] { return stop; });
  BOOST_TEST((budget.reached() == Limit::none));
  budget.spend(4);
  BOOST_TEST((budget.reached() == Limit::none));
  budget.spend(3);
  BOOST_TEST((budget.reached() == Limit::iterations));
  BOOST_TEST((budget.interruption() == Limit::none));  // iterations end nothing in the middle
  BOOST_TEST(budget.iterationsLeft() == 0);
  stop = true;
  BOOST_TEST((budget.reached() == Limit::stop));
  Budget const late(0.0, 5, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BOOST_TEST((late.reached() == Limit::time));
  BOOST_TEST(late.secondsLeft() == 0.0);
  BOOST_TEST((statusOf(Limit::time) == Status::timeLimit));
  BOOST_CHECK_THROW(statusOf(Limit::none), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_part_spends_from_the_whole) {
  Budget whole(1e6, 10, {});
  Budget part(whole, 4);
  BOOST_TEST(part.iterationsLeft() == 4);
  part.spend(4);
  BOOST_TEST((part.reached() == Limit::iterations));
  BOOST_TEST((whole.reached() == Limit::none));
  BOOST_TEST(whole.iterationsLeft() == 6);
  Budget other(whole, 100);
  BOOST_TEST(other.iterationsLeft() == 6);
  Options const rest = withinBudget(Options{}, other);
  BOOST_TEST(rest.iterationLimit == 6);
  BOOST_TEST(rest.timeLimit < 1e6);
}

BOOST_AUTO_TEST_CASE(a_poll_spares_a_stop_request) {
  int asked = 0;
  std::function<bool()> const stop = [&] { return ++asked > 0; };
  Poll poll(stop, 0.0);
  BOOST_TEST(poll());
  for (int k = 0; k < 100; ++k) poll();
  BOOST_TEST(asked <= 2);
  Poll patient(stop, 100.0);
  asked = 0;
  BOOST_TEST(!patient());
  BOOST_TEST(asked == 0);
}

// Whatever stages a solve has, the smaller problem's and the interior point method's too.
BOOST_AUTO_TEST_CASE(all_stages_share_one_allowance) {
  LinearProgram const lp = testing::sparseLp(60, 90, 3, 5);
  Options options;
  options.engine = EngineChoice::host;
  for (auto const presolve : {Toggle::off, Toggle::on})
    for (auto const algorithm :
         {AlgorithmChoice::primal, AlgorithmChoice::dual, AlgorithmChoice::barrier}) {
      options.presolve = presolve;
      options.algorithm = algorithm;
      options.iterationLimit = Options{}.iterationLimit;
      options.exact = Toggle::off;
      Solution const whole = Solver(lp).solve(options);
      BOOST_TEST_REQUIRE((whole.status == Status::optimal));
      std::int64_t const all = whole.iterations + whole.barrierIterations;
      BOOST_TEST_REQUIRE(all > 4);
      for (std::int64_t limit = 1; limit < all; limit += 1 + all / 12) {
        options.iterationLimit = limit;
        options.exact = Toggle::off;  // a proof that nobody asked for spends what is left
        Solution const part = Solver(lp).solve(options);
        options.exact = Toggle::automatic;
        Solution const proved = Solver(lp).solve(options);
        BOOST_TEST_CONTEXT("presolve " << int(presolve) << ", algorithm " << int(algorithm)
                                       << ", limit " << limit << " of " << all) {
          BOOST_TEST((part.status == Status::iterationLimit), toString(part.status));
          BOOST_TEST(part.iterations + part.barrierIterations <= limit);
          BOOST_TEST(proved.iterations + proved.barrierIterations <= limit);
        }
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(polls)

// Elimination of a dense rest asks within each panel of rows.
BOOST_AUTO_TEST_CASE(sparse_factors_of_a_dense_matrix_are_stopped) {
  constexpr int size = 1500;
  factors::Lines<double> columns;
  std::uint64_t state = 7;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      columns.add(i, static_cast<double>(state >> 40) * 0x1p-24 + 0.5);
    }
    columns.endLine();
  }
  auto const seconds = [begin = std::clock()] {  // of the processor: others may use it as well
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  double latest = 0.0, longest = 0.0;
  bool stopped = false;
  auto const stop = [&] {
    longest = std::max(longest, seconds() - latest);
    latest = seconds();
    return latest > 0.1;
  };
  try {
    factors::SparseLu<double>(size, columns, stop);
  } catch (Interrupted const&) {
    stopped = true;
  }
  BOOST_TEST(stopped);
  BOOST_TEST(longest < 0.5);
}

// What is left is a basis: as many basic variables as rows.
BOOST_AUTO_TEST_CASE(a_choice_of_basis_is_stopped) {
  LinearProgram const lp = testing::sparseLp(300, 500, 4, 3);
  StandardForm const form = makeStandardForm(lp, true);
  std::vector<std::size_t> order(static_cast<std::size_t>(form.variables()));
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
  for (bool const stopped : {false, true}) {
    std::vector<char> const basic = independentBasis(form, order, 1, [&] { return stopped; });
    BOOST_TEST(std::count(basic.begin(), basic.end(), char{1}) == form.rows());
    auto const structurals = basic.begin() + form.columns();
    BOOST_TEST((std::count(basic.begin(), structurals, char{1}) > 1) == !stopped);
  }
}

// The poll after an iteration lets it go on; the one while the next matrix is formed does not.
BOOST_AUTO_TEST_CASE(a_stopped_interior_point_method_tells_its_iterations) {
  Options options;
  options.engine = EngineChoice::host;
  options.algorithm = AlgorithmChoice::barrier;
  bool reported = false;
  int polled = 0;
  Callbacks callbacks;
  callbacks.progress = [&](Progress const& progress) {
    reported = reported || (progress.stage == Stage::barrier && progress.iterations >= 3);
  };
  callbacks.interrupted = [&] { return reported && polled++ > 0; };
  Solution const solution = Solver(testing::denseLp(120, 80, 1, false)).solve(options, callbacks);
  BOOST_TEST((solution.status == Status::interrupted));
  BOOST_TEST(solution.barrierIterations == 3);
}

BOOST_AUTO_TEST_SUITE_END()
