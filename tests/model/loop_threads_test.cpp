// SPDX-License-Identifier: EPL-2.0
// Small loops stay on their thread; what a loop computes is the same on one thread and on many.
#include "osi_cuda/base/threads.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/proof/products.hpp"

using namespace osi_cuda;

namespace {

/// The setting of the calling thread, for as long as the test takes.
struct Team {
  explicit Team(int threads) : before(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~Team() { omp_set_num_threads(before); }
  int before;
};

/// Integers that scaling gains from, more than 8 threads are woken for.
LinearProgram largeLp() {
  constexpr int m = 600, n = 1000;
  std::mt19937 random(1);
  LinearProgram lp;
  lp.matrix.rows = m;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i)
      lp.matrix.add(i, std::ldexp(1.0 + static_cast<double>(random() % 1000), i % 17 - j % 11));
    lp.matrix.endColumn();
  }
  lp.objective.assign(n, 1.0);
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, 1.0);
  lp.rowLower.assign(m, 0.0);
  lp.rowUpper.assign(m, 1.0);
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loop_threads)

BOOST_AUTO_TEST_CASE(a_loop_takes_all_threads_or_one) {
  BOOST_TEST(loopThreads(0, 32) == 1);
  BOOST_TEST(loopThreads(100 * 2000, 32) == 1);
  BOOST_TEST(loopThreads(500 * 2000, 32) == 1);
  BOOST_TEST(loopThreads(500 * 2000, 8) == 8);  // each has more to do
  for (int const all : {1, 2, 32, 128}) BOOST_TEST(loopThreads(5000 * 2500, all) == all);
  Team const four(4);
  BOOST_TEST(loopThreads(5000 * 2500) == 4);
}

BOOST_AUTO_TEST_CASE(scales_and_products_are_the_same_on_one_thread_and_on_eight) {
  LinearProgram const lp = largeLp();
  std::vector<double> const x(600, 1.0 / 3.0), y(1000, 1.0 / 7.0);
  std::vector<std::vector<double>> seen;
  for (int const threads : {1, 8}) {
    Team const team(threads);
    BOOST_TEST_REQUIRE(loopThreads(lp.matrix.nonzeros()) == threads);
    BOOST_TEST(findFault(lp) == "");
    StandardForm const form = makeStandardForm(lp, true);
    proof::Parts const point(y, {}), multipliers(x, {});
    auto const products = proof::productsOf(form.matrix(), &point, &multipliers);
    seen.insert(seen.end(), {form.rowScale, form.columnScale, form.matrix().values,
                             products.activity.error, products.product.error});
    for (auto const& part : {products.activity, products.product})
      for (auto const& value : part.value)
        seen.back().insert(seen.back().end(), {value.hi, value.lo});
  }
  BOOST_TEST((seen[0] != std::vector<double>(600, 1.0)));
  for (std::size_t k = 0; k < 5; ++k) BOOST_TEST((seen[k] == seen[k + 5]));
}

BOOST_AUTO_TEST_SUITE_END()
