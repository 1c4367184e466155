// SPDX-License-Identifier: EPL-2.0
// Many variants of one problem through the C interface.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

namespace {

struct FreeBatch {
  void operator()(osi_cuda_batch* batch) const { osi_cuda_batch_free(batch); }
};
using Batch = std::unique_ptr<osi_cuda_batch, FreeBatch>;

Batch onHost() {
  Batch batch(osi_cuda_batch_create());
  osi_cuda_batch_set_option(batch.get(), "engine", "host");
  return batch;
}

std::vector<double> objectives(Batch const& batch, int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  BOOST_TEST(osi_cuda_batch_get_results(batch.get(), count, nullptr, nullptr, nullptr,
                                        values.data(), nullptr) == OSI_CUDA_OK);
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(variants, *boost::unit_test::tolerance(1e-9))

BOOST_AUTO_TEST_CASE(arrays_and_single_numbers) {
  Problem const p = furniture();
  Batch const batch = onHost();
  // Without a solution there is no basis to begin at.
  BOOST_TEST(osi_cuda_solve_variants(p.get(), batch.get(), 1, 0, nullptr, nullptr, nullptr, nullptr,
                                     nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr) == OSI_CUDA_NOTHING);
  osi_cuda_solve(p.get());
  // As it is; dearer chairs; less wood; no tables, and a coefficient.
  double const costs[] = {NAN, NAN, 20, 15, NAN, NAN, NAN, NAN};
  double const upper[] = {NAN, NAN, NAN, NAN, 30, NAN, NAN, NAN};
  int64_t const starts[] = {0, 0, 0, 0, 2};
  int32_t const kinds[] = {OSI_CUDA_CHANGE_COLUMN_UPPER, OSI_CUDA_CHANGE_COEFFICIENT};
  int32_t const indices[] = {0, 1}, rows[] = {0, 1};
  double const values[] = {0.0, 10.0};
  int const flags =
      OSI_CUDA_VARIANTS_POINTS | OSI_CUDA_VARIANTS_ENCLOSURES | OSI_CUDA_VARIANTS_ALONE;
  BOOST_TEST(osi_cuda_solve_variants(p.get(), batch.get(), 4, flags, costs, nullptr, nullptr,
                                     nullptr, upper, starts, kinds, indices, rows,
                                     values) == OSI_CUDA_OK);
  std::vector<double> const found = objectives(batch, 4);
  BOOST_TEST(found[0] == 188.0);
  BOOST_TEST(found[1] == 300.0);
  BOOST_TEST(found[2] == 150.0);
  BOOST_TEST(found[3] == 108.0);
  std::vector<double> x(8), lower(4), above(4);
  BOOST_TEST(osi_cuda_batch_get_values(batch.get(), OSI_CUDA_COLUMN_VALUES, 8, x.data()) ==
             OSI_CUDA_OK);
  BOOST_TEST(x[7] == 12.0);
  BOOST_TEST(osi_cuda_batch_get_enclosures(batch.get(), 4, lower.data(), above.data()) ==
             OSI_CUDA_OK);
  for (std::size_t k = 0; k < 4; ++k) {
    BOOST_TEST(above[k] >= found[k] - 1e-9);
    BOOST_TEST(above[k] == found[k]);
    BOOST_TEST(lower[k] <= above[k]);
  }
}

BOOST_AUTO_TEST_CASE(where_they_begin_and_end) {
  Problem const p = furniture();
  osi_cuda_solve(p.get());
  Batch const batch = onHost();
  int const flags = OSI_CUDA_VARIANTS_POINTS | OSI_CUDA_VARIANTS_ALONE;
  auto const solve = [&](int more) {
    double const upper[] = {NAN, NAN, 12, NAN, NAN, NAN};
    BOOST_TEST(osi_cuda_solve_variants(p.get(), batch.get(), 3, flags | more, nullptr, nullptr,
                                       nullptr, nullptr, upper, nullptr, nullptr, nullptr, nullptr,
                                       nullptr) == OSI_CUDA_OK);
    std::vector<int32_t> pivots(3);
    BOOST_TEST(osi_cuda_batch_get_results(batch.get(), 3, nullptr, nullptr, pivots.data(), nullptr,
                                          nullptr) == OSI_CUDA_OK);
    return pivots[0] + pivots[1] + pivots[2];
  };
  int64_t starts[3];
  BOOST_TEST(solve(0) > 0);
  BOOST_TEST(osi_cuda_batch_get_starts(batch.get(), 3, starts) == OSI_CUDA_NOTHING);
  solve(OSI_CUDA_VARIANTS_STARTS);
  std::vector<double> const found = objectives(batch, 3);
  BOOST_TEST(osi_cuda_batch_get_starts(batch.get(), 3, starts) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_set_starts(batch.get(), 3, starts, NAN) == OSI_CUDA_OK);
  BOOST_TEST(solve(0) == 0);
  BOOST_TEST(objectives(batch, 3) == found, boost::test_tools::per_element());
  // The one with less wood is worth less than that.
  double const between = 0.5 * (found[0] + found[1]);
  BOOST_TEST(osi_cuda_batch_set_starts(batch.get(), 0, nullptr, between) == OSI_CUDA_OK);
  solve(0);
  uint8_t statuses[3];
  BOOST_TEST(osi_cuda_batch_get_results(batch.get(), 3, statuses, nullptr, nullptr, nullptr,
                                        nullptr) == OSI_CUDA_OK);
  BOOST_TEST(int{statuses[0]} == OSI_CUDA_STATUS_OPTIMAL);
  BOOST_TEST(int{statuses[1]} == OSI_CUDA_STATUS_OBJECTIVE_LIMIT);
}

BOOST_AUTO_TEST_CASE(without_costs_and_points) {
  Problem const p = furniture();
  osi_cuda_solve(p.get());
  Batch const batch = onHost();
  // The largest of both columns: min -x.
  double const costs[] = {-1, NAN, NAN, -1};
  BOOST_TEST(osi_cuda_solve_variants(p.get(), batch.get(), 2, OSI_CUDA_VARIANTS_NO_COSTS, costs,
                                     nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr, nullptr) == OSI_CUDA_OK);
  std::vector<double> const found = objectives(batch, 2);
  BOOST_TEST(found[0] == -8.0);
  BOOST_TEST(found[1] == -20.0);
  BOOST_TEST(osi_cuda_batch_get_values(batch.get(), OSI_CUDA_COLUMN_VALUES, 0, nullptr) ==
             OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_batch_get_enclosures(batch.get(), 2, nullptr, nullptr) == OSI_CUDA_NOTHING);
  double pooled = -1;
  BOOST_TEST(osi_cuda_batch_get_number(batch.get(), OSI_CUDA_BATCH_POOLED, &pooled) == OSI_CUDA_OK);
  BOOST_TEST(pooled == 0.0);
}

BOOST_AUTO_TEST_CASE(what_is_refused_is_named) {
  Problem const p = furniture();
  osi_cuda_solve(p.get());
  Batch const batch = onHost();
  auto const solve = [&](int flags, int64_t const* starts, int32_t const* kinds,
                         int32_t const* rows) {
    int32_t const indices[] = {0};
    double const values[] = {1.0};
    return osi_cuda_solve_variants(p.get(), batch.get(), 1, flags, nullptr, nullptr, nullptr,
                                   nullptr, nullptr, starts, kinds, indices, rows, values);
  };
  int64_t const starts[] = {0, 1}, wrong[] = {1, 1};
  int32_t const cost[] = {0}, coefficient[] = {5}, unknown[] = {6};
  BOOST_TEST(solve(0, starts, cost, nullptr) == OSI_CUDA_OK);
  BOOST_TEST(solve(32, starts, cost, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(p) == "there are no flags 32");
  BOOST_TEST(solve(16, starts, cost, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(p) == "starts are kept of bases on the host, where points are wanted");
  int64_t const begins[] = {-1, -1};
  BOOST_TEST(osi_cuda_batch_set_starts(batch.get(), -1, begins, NAN) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_batch_set_starts(batch.get(), 2, begins, NAN) == OSI_CUDA_OK);
  BOOST_TEST(solve(0, starts, cost, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(p) == "start has 2 bases for 1 variants");
  BOOST_TEST(osi_cuda_batch_set_starts(batch.get(), 0, nullptr, NAN) == OSI_CUDA_OK);
  BOOST_TEST(solve(0, wrong, cost, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(p) == "starts[0] is not 0");
  BOOST_TEST(solve(0, starts, unknown, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(p) == "kinds[0] is 6, but a kind is from 0 to 5");
  BOOST_TEST(solve(0, starts, coefficient, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_solve_variants(p.get(), nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr,
                                     nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr) == OSI_CUDA_BAD_ARGUMENT);
  // A count whose product with the columns is 0 in 64 bits.
  double const costs[] = {1.0, 2.0};
  BOOST_TEST(osi_cuda_solve_variants(p.get(), batch.get(), INT64_MAX / 2 + 1, 0, costs, nullptr,
                                     nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(p) ==
             "an array would have 4611686018427387904 x 2 numbers, more than any memory holds");
  // As above, with bytes.
  uint64_t bytes[OSI_CUDA_DEVICE_NEEDS];
  BOOST_TEST(osi_cuda_device_memory(1 << 30, 1 << 30, 1, 0, bytes) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_device_memory(INT32_MAX, 2, 1, 0, bytes) == OSI_CUDA_BAD_ARGUMENT);
  uint64_t many[OSI_CUDA_DEVICE_NEEDS];
  BOOST_TEST(osi_cuda_device_memory(9, 9, 4, 1 << 24, bytes) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_device_memory(9, 9, 4, INT64_MAX / 2 + 1, many) == OSI_CUDA_OK);
  BOOST_TEST(many[5] == bytes[5]);
}

BOOST_AUTO_TEST_SUITE_END()
