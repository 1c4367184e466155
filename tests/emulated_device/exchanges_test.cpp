// SPDX-License-Identifier: EPL-2.0
// Exchanges, many at once, beside refactorisations of the same bases.
#include <boost/test/unit_test.hpp>
#include <random>

#include "osi_cuda/model/edits.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"
#include "tests/support/engine_bench.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

Bench benchOf(LinearProgram lp, int blockSize) {
  EngineOptions options;
  options.blockSize = blockSize;
  emulated_runtime::reset();
  return {std::move(lp), std::make_unique<cuda::CudaEngine>(options)};
}

std::vector<char> basisOf(Engine& engine) {
  Snapshot const point = engine.snapshotOf(SnapshotContent::basis);
  std::vector<char> basic(point.basicVariable.size() + point.nonbasicVariable.size(), 0);
  for (int const v : point.basicVariable) basic[at(v)] = 1;
  return basic;
}

/// The basis with `count` of the nonbasic structurals in place of as many basic slacks, at random.
std::vector<char> exchanged(Bench const& bench, std::vector<char> basic, int count, unsigned seed) {
  std::mt19937 random(seed);
  int const n = bench.form.columns();
  auto const swap = [&](int first, int last, char from) {
    std::vector<int> some;
    for (int v = first; v < last; ++v)
      if (basic[at(v)] == from) some.push_back(v);
    std::shuffle(some.begin(), some.end(), random);
    BOOST_TEST_REQUIRE(some.size() >= at(count));
    for (int k = 0; k < count; ++k) basic[at(some[at(k)])] = !from;
  };
  swap(0, n, 0);
  swap(n, bench.form.variables(), 1);
  return basic;
}

/// Entries by variable, rows of nonbasic and columns of basic ones being zero.
std::vector<double> entries(Engine& engine) {
  Snapshot const point = engine.snapshotOf(SnapshotContent::basis);
  std::size_t const size = point.basicVariable.size() + point.nonbasicVariable.size();
  std::vector<double> all(size * size, 0.0);
  for (std::size_t j = 0; j < point.nonbasicVariable.size(); ++j) {
    std::vector<double> const column = engine.column(static_cast<int>(j));
    for (std::size_t i = 0; i < column.size(); ++i)
      all[at(point.basicVariable[i]) * size + at(point.nonbasicVariable[j])] = column[i];
  }
  return all;
}

double distance(std::vector<double> const& a, std::vector<double> const& b) {
  double worst = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    worst = std::max(worst, std::fabs(a[k] - b[k]) / (1.0 + std::fabs(b[k])));
  return worst;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(emulated_exchanges)

BOOST_AUTO_TEST_CASE(the_tableau_is_that_of_a_refactorisation) {
  for (int const blockSize : {16, 128})
    for (int const count : {1, 2, 16, 31, 64, 75}) {
      Bench bench = benchOf(denseLp(90, 80, static_cast<std::uint64_t>(count), true), blockSize);
      bench.run(Algorithm::primal, Phase::one, Pricing::dantzig, 5);  // factors in use
      std::vector<char> const wanted = exchanged(bench, basisOf(*bench.engine), count, 1);
      Snapshot const before = bench.engine->snapshot();
      BOOST_TEST_REQUIRE(reach(*bench.engine, wanted));
      BOOST_TEST(basisOf(*bench.engine) == wanted, boost::test_tools::per_element());
      BOOST_TEST(bench.engine->snapshot().value == before.value, boost::test_tools::per_element());
      std::vector<double> const reached = entries(*bench.engine);
      bench.engine->refactor(wanted);
      BOOST_TEST(distance(reached, entries(*bench.engine)) < 1e-8);
      BOOST_TEST(emulated_runtime::faults().empty());
    }
}

BOOST_AUTO_TEST_CASE(they_leave_the_same_bits_every_time_and_a_tableau_to_pivot_on) {
  std::vector<double> first;
  for (unsigned long long const seed : {1, 1000}) {
    Bench bench = benchOf(sparseLp(60, 90, 5, 3), 16);
    emulated_runtime::setSeed(seed);
    bench.run(Algorithm::primal, Phase::one, Pricing::steepest, 20);
    std::vector<char> const before = basisOf(*bench.engine);
    bench.run(Algorithm::primal, Phase::one, Pricing::steepest, 30);
    BOOST_TEST(reach(*bench.engine, before));
    std::vector<double> const reached = entries(*bench.engine);
    BOOST_TEST((first.empty() || first == reached));
    first = reached;
    bench.engine->setValues(bench.boundValues());
    bench.engine->setCosts(bench.form.cost);
    bench.run(Algorithm::primal, Phase::one, Pricing::steepest, 20);
    BOOST_TEST(bench.tableauError() < 1e-9);
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

// Equal columns cannot be basic together, neither in one block nor in two.
BOOST_AUTO_TEST_CASE(a_singular_basis_is_refused_and_the_tableau_stays_right) {
  for (int const blockSize : {4, 16, 128}) {
    LinearProgram lp = denseLp(40, 30, 5, true);
    for (int e = 0; e < 40; ++e) lp.matrix.values[at(29 * 40 + e)] = lp.matrix.values[at(e)];
    Bench bench = benchOf(lp, blockSize);
    std::vector<char> wanted(70, 1);
    std::fill(wanted.begin() + 30, wanted.begin() + 60, 0);
    std::vector<char> const start = basisOf(*bench.engine);
    BOOST_TEST(!reach(*bench.engine, wanted));
    BOOST_TEST((basisOf(*bench.engine) == start) == (blockSize == 128));
    BOOST_TEST(bench.tableauError() < 1e-9);
    wanted[29] = 0;
    wanted[30] = 1;
    BOOST_TEST(reach(*bench.engine, wanted));
    BOOST_TEST(bench.tableauError() < 1e-9);
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

// Every basic variable that stays may leave for the slack of a lost row.
BOOST_AUTO_TEST_CASE(slacks_of_lost_rows_take_any_row) {
  for (int const blockSize : {8, 128})
    for (int const lost : {1, 9, 70}) {
      Bench bench = benchOf(denseLp(100, 80, 7, true), blockSize);
      bench.engine->refactor(exchanged(bench, basisOf(*bench.engine), 75, 2));
      std::vector<char> const basic = basisOf(*bench.engine);
      std::vector<int> gone;
      for (int i = 0; i < 100 && gone.size() < at(lost); ++i)
        if (!basic[at(80 + i)]) gone.push_back(i);
      Reshape const change{reshapeMap(100, gone, 0), reshapeMap(80, {}, 0)};
      LinearProgram& lp = bench.lp;
      removeRows(lp.matrix, gone);
      osi_cuda::reshape(lp.rowLower, change.rows, 0.0);
      osi_cuda::reshape(lp.rowUpper, change.rows, 0.0);
      reshapeForm(bench.form, lp, change);
      BOOST_TEST_REQUIRE(bench.engine->as<TakesRowsAndColumns>()->reshape(change, bench.form));
      BOOST_TEST(bench.tableauError() < 1e-8);
      BOOST_TEST(emulated_runtime::faults().empty());
    }
}

BOOST_AUTO_TEST_SUITE_END()
