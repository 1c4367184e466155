// SPDX-License-Identifier: EPL-2.0
// What a solution has, callbacks, interrupts, threads and forks.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

BOOST_AUTO_TEST_SUITE(solves, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(a_solution_has_all_its_parts) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_proof(p) == OSI_CUDA_PROOF_TOLERANCE);
  auto const x = values(problem, OSI_CUDA_COLUMN_VALUES, 2);
  BOOST_TEST(x[0] == 4.0);
  BOOST_TEST(x[1] == 12.0);
  auto const y = values(problem, OSI_CUDA_ROW_DUALS, 2);
  BOOST_TEST(y[0] == 3.5);
  BOOST_TEST(y[1] == 0.4);
  auto const activity = values(problem, OSI_CUDA_ROW_ACTIVITY, 2);
  BOOST_TEST(activity[0] == 40.0);
  BOOST_TEST(activity[1] == 120.0);
  for (double const d : values(problem, OSI_CUDA_REDUCED_COSTS, 2))
    BOOST_TEST((std::fabs(d) < 1e-9));
  for (double const low : values(problem, OSI_CUDA_COLUMN_VALUES_LOW, 2)) BOOST_TEST(low == 0.0);
  for (int const residual :
       {OSI_CUDA_PRIMAL_RESIDUAL, OSI_CUDA_DUAL_RESIDUAL, OSI_CUDA_COMPLEMENTARITY}) {
    BOOST_TEST(number(problem, residual) >= 0.0);
    BOOST_TEST((number(problem, residual) < 1e-9));
  }
  BOOST_TEST(number(problem, OSI_CUDA_SECONDS) >= 0.0);
  BOOST_TEST(number(problem, OSI_CUDA_ITERATIONS) >= 2.0);
  BOOST_TEST(number(problem, OSI_CUDA_DEVICE_LOST) == 0.0);
  BOOST_TEST(osi_cuda_text(p, OSI_CUDA_TEXT_ENGINE) == std::string("host"));
  BOOST_TEST(osi_cuda_text(p, OSI_CUDA_TEXT_STATUS) == std::string("optimal"));
}

BOOST_AUTO_TEST_CASE(a_point_to_start_from_serves_one_solve) {
  Problem const problem = dense(40, 30);
  auto* const p = problem.get();
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  double const cold = number(problem, OSI_CUDA_ITERATIONS);
  double const optimum = number(problem, OSI_CUDA_OBJECTIVE);
  auto x = values(problem, OSI_CUDA_COLUMN_VALUES, 30);
  auto const y = values(problem, OSI_CUDA_ROW_DUALS, 40);
  for (double& value : x) value *= 1.0 + 1e-6;
  for (bool const whole : {true, false}) {
    BOOST_TEST(osi_cuda_forget_basis(p) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_set_start(p, x.data(), whole ? y.data() : nullptr) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
    BOOST_TEST(number(problem, OSI_CUDA_ITERATIONS) * 4 <= cold);
    BOOST_TEST(number(problem, OSI_CUDA_OBJECTIVE) == optimum);
  }
  BOOST_TEST(osi_cuda_forget_basis(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(number(problem, OSI_CUDA_ITERATIONS) == cold);
  BOOST_TEST(osi_cuda_set_start(p, nullptr, nullptr) == OSI_CUDA_OK);
  x[3] = NAN;
  BOOST_TEST(osi_cuda_set_start(p, x.data(), nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_message(p) == std::string("the start's x[3] is not finite"));
}

BOOST_AUTO_TEST_CASE(the_enclosure_of_the_optimum_holds_it) {
  Problem const problem = furniture();
  double lower = 0.0, upper = 0.0, error = 0.0;
  BOOST_TEST(osi_cuda_get_objective_enclosure(problem.get(), &lower, &upper, &error) ==
             OSI_CUDA_NOTHING);
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_objective_enclosure(problem.get(), &lower, &upper, &error) ==
             OSI_CUDA_OK);
  BOOST_TEST(lower <= 188.0);
  BOOST_TEST(upper >= 188.0);
  double const objective = number(problem, OSI_CUDA_OBJECTIVE);
  BOOST_TEST(error >= std::max(upper - objective, objective - lower));
  BOOST_TEST(osi_cuda_get_objective_enclosure(problem.get(), nullptr, nullptr, nullptr) ==
             OSI_CUDA_OK);
}

BOOST_AUTO_TEST_CASE(both_parts_of_a_point_are_handed_out) {
  // x1 - x2 = 1e-12 and x1 + 2 x2 = 1: no two doubles satisfy the first row as it is written.
  Problem const problem = makeProblem();
  double const matrix[4] = {1e12, -1e12, 1, 2}, sides[2] = {1, 1}, costs[2] = {1, 1},
               lower[2] = {-INFINITY, -INFINITY};
  BOOST_TEST(osi_cuda_load_dense(problem.get(), 2, 2, matrix, 2, 1, lower, nullptr, sides, sides,
                                 costs) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(problem.get()) == OSI_CUDA_STATUS_OPTIMAL);
  double high[2], low[2];
  BOOST_TEST(osi_cuda_get_values(problem.get(), OSI_CUDA_COLUMN_VALUES, 2, high) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_values(problem.get(), OSI_CUDA_COLUMN_VALUES_LOW, 2, low) == OSI_CUDA_OK);
  double const residual = std::fabs(1e12 * (high[0] - high[1]) + 1e12 * (low[0] - low[1]) - 1);
  BOOST_TEST(residual / 2 <= number(problem, OSI_CUDA_PRIMAL_RESIDUAL) + 1e-12);
}

BOOST_AUTO_TEST_CASE(exact_proofs_are_asked_for_by_an_option) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  BOOST_TEST(osi_cuda_set_option(p, "exact", "on") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_option(p, "exact") == std::string("on"));
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_proof(p) == OSI_CUDA_PROOF_EXACT);
  BOOST_TEST(osi_cuda_text(p, OSI_CUDA_TEXT_EXACT_OBJECTIVE) == std::string("188"));
}

BOOST_AUTO_TEST_CASE(options_stand_in_a_table) {
  Problem const problem = makeProblem();
  BOOST_TEST(osi_cuda_option_count() > 10);
  for (int k = 0; k < osi_cuda_option_count(); ++k) {
    char const* const name = osi_cuda_option_name(k);
    BOOST_TEST(osi_cuda_get_option(problem.get(), name) == std::string(osi_cuda_option_default(k)));
    BOOST_TEST(osi_cuda_set_option(problem.get(), name, osi_cuda_option_default(k)) == OSI_CUDA_OK);
    BOOST_TEST(*osi_cuda_option_help(k) != '\0');
    BOOST_TEST(*osi_cuda_option_values(k) != '\0');
  }
  BOOST_TEST(osi_cuda_option_name(-1) == nullptr);
  BOOST_TEST(osi_cuda_option_name(osi_cuda_option_count()) == nullptr);
}

namespace {

struct Heard {
  int sentences = 0, progress = 0;
  int busy = OSI_CUDA_OK;
  osi_cuda_problem* problem = nullptr;
};

}  // namespace

BOOST_AUTO_TEST_CASE(callbacks_are_called_and_may_not_use_the_problem) {
  Problem const problem = dense(200, 150);
  auto* const p = problem.get();
  Heard heard;
  heard.problem = p;
  osi_cuda_set_log(
      p,
      [](void* data, char const* sentence) {
        static_cast<Heard*>(data)->sentences += *sentence != '\0';
      },
      &heard);
  osi_cuda_set_progress(
      p,
      [](void* data, std::int64_t iterations, double seconds, double, double infeasibility,
         char const* phase) {
        auto& h = *static_cast<Heard*>(data);
        h.progress += iterations >= 0 && seconds >= 0.0 && infeasibility >= 0.0 && *phase != '\0';
        h.busy = osi_cuda_forget_basis(h.problem);
      },
      &heard);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_OPTIMAL);
  BOOST_TEST(heard.sentences > 0);
  BOOST_TEST(heard.progress > 0);
  BOOST_TEST(heard.busy == OSI_CUDA_BUSY);
}

BOOST_AUTO_TEST_CASE(a_solve_is_interrupted_and_goes_on) {
  Problem const problem = dense(200, 150);
  auto* const p = problem.get();
  osi_cuda_set_interrupt(
      p, [](void*) { return 1; }, nullptr);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_INTERRUPTED);
  BOOST_TEST(osi_cuda_proof(p) == OSI_CUDA_PROOF_NONE);
  osi_cuda_set_interrupt(p, nullptr, nullptr);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_OPTIMAL);
  double const optimum = number(problem, OSI_CUDA_OBJECTIVE);

  // The same by the function that may be called at any time, here during the solve.
  BOOST_TEST(osi_cuda_forget_basis(p) == OSI_CUDA_OK);
  osi_cuda_set_progress(
      p,
      [](void* data, std::int64_t, double, double, double, char const*) {
        osi_cuda_interrupt(static_cast<osi_cuda_problem*>(data));
      },
      p);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_INTERRUPTED);
  osi_cuda_set_progress(p, nullptr, nullptr);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(number(problem, OSI_CUDA_OBJECTIVE) == optimum);
}

// What one thread was handed out stays when another asks, and its message is that of its own call.
BOOST_AUTO_TEST_CASE(strings_belong_to_the_thread_that_asked) {
  Problem const problem = furniture();
  osi_cuda_problem* const p = problem.get();
  BOOST_TEST(osi_cuda_set_option(p, "first", "1") == OSI_CUDA_BAD_ARGUMENT);
  char const* const name = osi_cuda_row_name(p, 0);
  std::string const mine = name;
  std::thread([&] {
    BOOST_TEST(std::string(osi_cuda_message(p)).find("first") != std::string::npos);
    BOOST_TEST(osi_cuda_row_name(p, 1) != mine);
    BOOST_TEST(osi_cuda_set_option(p, "second", "1") == OSI_CUDA_BAD_ARGUMENT);
    BOOST_TEST(std::string(osi_cuda_message(p)).find("second") != std::string::npos);
  }).join();
  BOOST_TEST(name == mine);
  BOOST_TEST(std::string(osi_cuda_message(p)).find("first") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(eight_threads_with_a_problem_each) {
  std::vector<double> alone, together(8);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Problem const problem = dense(40, 30, seed);
    osi_cuda_solve(problem.get());
    alone.push_back(number(problem, OSI_CUDA_OBJECTIVE));
  }
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 8; ++seed)
    threads.emplace_back([seed, &together] {
      Problem const problem = dense(40, 30, seed);
      for (int k = 0; k < 5; ++k) {
        osi_cuda_forget_basis(problem.get());
        osi_cuda_solve(problem.get());
      }
      together[seed - 1] = number(problem, OSI_CUDA_OBJECTIVE);
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(alone == together, boost::test_tools::per_element());
}

// It would wait for threads that did not come along; the alarm ends it then.
BOOST_AUTO_TEST_CASE(a_forked_process_solves) {
  Problem const problem = dense(300, 250, 5);
  BOOST_TEST(osi_cuda_set_option(problem.get(), "threads", "2") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
  double const objective = number(problem, OSI_CUDA_OBJECTIVE);
  pid_t const child = fork();
  if (child == 0) {
    alarm(60);
    Problem const another = dense(300, 250, 5);
    bool good = osi_cuda_forget_basis(problem.get()) == OSI_CUDA_OK;
    for (Problem const* const one : {&problem, &another})
      good = good && osi_cuda_solve(one->get()) == OSI_CUDA_OK &&
             number(*one, OSI_CUDA_OBJECTIVE) == objective;
    bool const told = osi_cuda_set_option(problem.get(), "sead", "1") != OSI_CUDA_OK &&
                      message(problem).find("seed") != std::string::npos;
    _exit(good && told ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
}

BOOST_AUTO_TEST_SUITE_END()
