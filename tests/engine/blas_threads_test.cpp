// SPDX-License-Identifier: EPL-2.0
// OpenBLAS has one number of threads for a process: who solves with this library finds it again.
#include "osi_cuda/base/threads.hpp"

#include <cblas.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <thread>
#include <vector>

#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;

namespace {

constexpr double much = 1e12, little = 1.0;  // flops

/// The setting of an application, for as long as the test takes.
struct Application {
  explicit Application(int threads) : before(openblas_get_num_threads()) {
    openblas_set_num_threads(threads);
  }
  ~Application() { openblas_set_num_threads(before); }
  int before;
};

auto threadsOfProcess() {
  std::filesystem::directory_iterator const tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

/// Whether so many are left; the system may show some that have ended for a moment.
bool fallsTo(std::ptrdiff_t most) {
  for (int wait = 0; wait < 1000 && threadsOfProcess() > most; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return threadsOfProcess() <= most;
}

/// Of two matrices of ones: an entry of it.
double productOnThreads(int order) {
  BlasThreads const threads(3, much);
  std::vector<double> const ones(static_cast<std::size_t>(order) * order, 1.0);
  std::vector<double> product(ones.size());
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, order, order, order, 1.0, ones.data(), order,
              ones.data(), order, 0.0, product.data(), order);
  return product[ones.size() / 2];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(blas_threads)

// They spin before they sleep, and who waits for a core waits for them.
BOOST_AUTO_TEST_CASE(threads_of_a_program_end_when_they_are_idle) {
  Application const application(3);
  auto const all = threadsOfProcess();
  BlasThreads::rest();  // not ours
  BOOST_TEST(threadsOfProcess() == all);
  BlasThreads::owned();
  BOOST_TEST(fallsTo(all - 2));
  for (int repeat = 0; repeat < 3; ++repeat) {
    BOOST_TEST(productOnThreads(300) == 300.0);
    BOOST_TEST(threadsOfProcess() >= all);
    {
      BlasThreads const another(3, little);
      BlasThreads::rest();  // in use
      BOOST_TEST(threadsOfProcess() >= all);
    }
    BlasThreads::rest();
    BOOST_TEST(fallsTo(all - 2));
  }
  BOOST_TEST(openblas_get_num_threads() == 1);
}

BOOST_AUTO_TEST_CASE(the_setting_comes_back_in_whatever_order_users_go) {
  Application const application(3);
  for (bool const firstGoesFirst : {true, false}) {
    auto first = std::make_unique<BlasThreads>(2, much);
    BOOST_TEST(openblas_get_num_threads() == 2);
    auto second = std::make_unique<BlasThreads>(8, little);
    BOOST_TEST(openblas_get_num_threads() == 1);
    (firstGoesFirst ? first : second).reset();
    (firstGoesFirst ? second : first).reset();
    BOOST_TEST(openblas_get_num_threads() == 3);
  }
}

BOOST_AUTO_TEST_CASE(nobody_gets_more_threads_than_asked_for) {
  Application const application(3);
  BlasThreads const few(1, much);
  BlasThreads const many(4, much);
  BOOST_TEST(openblas_get_num_threads() == 1);
}

BOOST_AUTO_TEST_CASE(what_the_application_sets_meanwhile_stays) {
  Application const application(3);
  {
    BlasThreads const ours(1, much);
    openblas_set_num_threads(2);
  }
  BOOST_TEST(openblas_get_num_threads() == 2);
}

BOOST_AUTO_TEST_CASE(solvers_on_many_threads_leave_no_trace) {
  Application const application(3);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([k] {
      for (int repeat = 0; repeat < 3; ++repeat) {
        Options options;
        options.engine = EngineChoice::host;
        options.threads = 1 + k % 2;
        Solver(testing::denseLp(300, 200, static_cast<std::uint64_t>(k), true)).solve(options);
        for (int turn = 0; turn < 1000; ++turn) BlasThreads const often(1 + turn % 3, much);
      }
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(openblas_get_num_threads() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
