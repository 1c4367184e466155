// SPDX-License-Identifier: EPL-2.0
// The main() of every test program: a *_test.cpp includes <boost/test/unit_test.hpp> and no more.
#include <omp.h>

#define BOOST_TEST_MODULE osi_cuda
#define BOOST_TEST_NO_MAIN
#include <algorithm>
#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "tests/support/needs.hpp"

int main(int count, char** words) {
  setenv("OSI_CUDA_MACHINE", "builtin", 0);  // the same choices on every machine
  // The same solves on every machine: from four threads on, methods race.
  omp_set_num_threads(std::min(2, omp_get_max_threads()));
  int const status = boost::unit_test::unit_test_main(&init_unit_test, count, words);
  if (osi_cuda::testing::skippedCases == 0) return status;
  // Boost calls a program that left out everything a failure; CTest gets its status of "skipped".
  constexpr int skipped = 77;
  auto const& all = boost::unit_test::results_collector.results(
      boost::unit_test::framework::master_test_suite().p_id);
  bool const ran = all.p_test_cases_passed + all.p_test_cases_warned + all.p_test_cases_failed +
                       all.p_test_cases_aborted >
                   0;
  return ran ? status : skipped;
}
