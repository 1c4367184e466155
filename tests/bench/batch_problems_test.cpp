// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/batch_problems.hpp"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

using namespace osi_cuda;
using bench::BatchItem;

namespace {

BatchOptions onHost() {
  BatchOptions options;
  options.engine = BatchEngine::host;
  options.threads = 1;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch_problems)

BOOST_AUTO_TEST_CASE(mixed_problems_are_of_all_kinds_sizes_and_ends) {
  std::vector<BatchItem> const items = bench::mixedItems(2000, 6, 1);
  std::set<std::tuple<int, int, int>> shapes;
  std::set<std::uint64_t> seeds;
  for (BatchItem const& item : items) {
    shapes.insert({static_cast<int>(item.family), item.size.rows, item.size.columns});
    seeds.insert(item.seed);
  }
  BOOST_TEST(shapes.size() == 4u * 6 * 6);
  BOOST_TEST(seeds.size() == items.size());

  bench::BatchArrays const arrays(items);
  BatchResults const results = solveBatch(arrays.view(), onHost());
  std::array<int, 3> ends{};
  for (std::size_t k = 0; k < items.size(); ++k) {
    BOOST_TEST((results.proof[k] != ProofGrade::none));
    ++ends.at(static_cast<std::size_t>(results.status[k]));
  }
  for (int const count : ends) BOOST_TEST(count > 100);
}

BOOST_AUTO_TEST_CASE(items_are_the_problems_that_models_are) {
  std::vector<BatchItem> const items =
      bench::familyItems(bench::DenseFamily::uniform, {3, 4}, 5, 2, 7);
  bench::BatchArrays const arrays(items);
  BatchProblems const view = arrays.view();
  for (std::size_t k = 0; k < items.size(); ++k) {
    BOOST_TEST(items[k].seed == 7 + k % 2);
    LinearProgram const lp = bench::modelOf(items[k]);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        BOOST_TEST(view.matrix[k * 12 + i * 4 + j] == lp.matrix.values[j * 3 + i]);
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(view.rowUpper[k * 3 + i] == lp.rowUpper[i]);
    for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(view.objective[k * 4 + j] == lp.objective[j]);
  }
}

BOOST_AUTO_TEST_CASE(fingerprints_follow_an_order_and_tell_a_bit) {
  std::vector<BatchItem> const items = bench::mixedItems(200, 5, 3);
  bench::BatchArrays const arrays(items);
  BatchResults results = solveBatch(arrays.view(), onHost());
  std::vector<std::uint64_t> const prints = bench::fingerprintsOf(results);
  std::vector<std::size_t> const order = bench::shuffledOrder(items.size(), 1);
  BOOST_TEST(std::set<std::size_t>(order.begin(), order.end()).size() == items.size());
  BOOST_TEST(!std::is_sorted(order.begin(), order.end()));

  std::vector<BatchItem> inOrder;
  for (std::size_t const k : order) inOrder.push_back(items[k]);
  bench::BatchArrays const shuffled(inOrder);
  std::vector<std::uint64_t> const others =
      bench::fingerprintsOf(solveBatch(shuffled.view(), onHost()));
  for (std::size_t k = 0; k < order.size(); ++k) BOOST_TEST(others[k] == prints[order[k]]);

  std::size_t const first = results.certificates.front().problem;
  for (double* const number :
       {&results.objective[5], &results.residual[6], &results.x[results.columnStart[7]]})
    *number = *number == 0.0 ? -0.0 : -*number;
  BatchCertificate& certificate = results.certificates.front();
  (certificate.farkas.empty() ? certificate.ray : certificate.farkas).front() += 1.0;
  std::vector<std::uint64_t> const changed = bench::fingerprintsOf(results);
  for (std::size_t k = 0; k < prints.size(); ++k)
    BOOST_TEST((changed[k] != prints[k]) == (k == 5 || k == 6 || k == 7 || k == first));
}

BOOST_AUTO_TEST_SUITE_END()
