// SPDX-License-Identifier: EPL-2.0
// The uses of variants that docs/guide/batch.md shows, on a polygon whose corners are known.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "osi_cuda/batch/variants.hpp"

namespace osi_cuda {
namespace {

using What = VariantChange::What;

/// x + y <= 4, x - y <= 1, -x + 2 y <= 3, 0 <= x, y <= 10: corners (0, 0), (1, 0), (2.5, 1.5),
/// (5/3, 7/3), (0, 1.5).
LinearProgram polygon() {
  LinearProgram lp;
  lp.matrix.rows = 3;
  lp.matrix.columns = 2;
  lp.matrix.starts = {0, 3, 6};
  lp.matrix.indices = {0, 1, 2, 0, 1, 2};
  lp.matrix.values = {1.0, 1.0, -1.0, 1.0, -1.0, 2.0};
  lp.objective = {0.0, 0.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {10.0, 10.0};
  lp.rowLower.assign(3, -infinity);
  lp.rowUpper = {4.0, 1.0, 3.0};
  return lp;
}
std::vector<std::pair<double, double>> const corners{
    {0.0, 0.0}, {1.0, 0.0}, {2.5, 1.5}, {5.0 / 3.0, 7.0 / 3.0}, {0.0, 1.5}};

BOOST_AUTO_TEST_SUITE(batch_uses)

// The least and the greatest value of each column.
BOOST_AUTO_TEST_CASE(bounds_are_tightened_by_two_variants_a_column) {
  LinearProgram lp = polygon();
  PackedVariants variants;
  for (int j = 0; j < lp.columns(); ++j)
    for (double const sign : {1.0, -1.0})
      variants.add(std::vector<VariantChange>{{What::cost, j, sign}});
  BatchResults const results = solveVariants(lp, {}, variants.view());
  for (int j = 0; j < lp.columns(); ++j) {
    auto const k = static_cast<std::size_t>(2 * j);
    BOOST_REQUIRE((results.status[k] == BatchStatus::optimal));
    BOOST_REQUIRE((results.status[k + 1] == BatchStatus::optimal));
    lp.columnLower[static_cast<std::size_t>(j)] = results.objective[k];
    lp.columnUpper[static_cast<std::size_t>(j)] = -results.objective[k + 1];
  }
  BOOST_TEST(std::fabs(lp.columnLower[0]) < 1e-9);
  BOOST_TEST(std::fabs(lp.columnUpper[0] - 2.5) < 1e-9);
  BOOST_TEST(std::fabs(lp.columnLower[1]) < 1e-9);
  BOOST_TEST(std::fabs(lp.columnUpper[1] - 7.0 / 3.0) < 1e-9);
}

// The greatest value of a direction's product with a point of the polygon.
BOOST_AUTO_TEST_CASE(the_support_function_in_many_directions) {
  LinearProgram lp = polygon();
  lp.sense = Sense::maximize;
  constexpr int directions = 360;
  constexpr double degree = 3.14159265358979323846 / 180.0;
  PackedVariants variants;
  for (int k = 0; k < directions; ++k)
    variants.add(std::vector<VariantChange>{{What::cost, 0, std::cos(k * degree)},
                                            {What::cost, 1, std::sin(k * degree)}});
  BatchResults const results = solveVariants(lp, {}, variants.view());
  for (int k = 0; k < directions; ++k) {
    double most = -infinity;
    for (auto const& [x, y] : corners)
      most = std::max(most, std::cos(k * degree) * x + std::sin(k * degree) * y);
    BOOST_TEST(std::fabs(results.objective[static_cast<std::size_t>(k)] - most) < 1e-9,
               k << " degrees");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
