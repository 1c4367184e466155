// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/perturbation.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

using namespace osi_cuda;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Variables 0 to 3 are basic, 4 to 9 nonbasic.
Snapshot point(std::vector<double> value, std::vector<double> reducedCost) {
  Snapshot s;
  s.value = std::move(value);
  s.reducedCost = std::move(reducedCost);
  s.basicVariable = {0, 1, 2, 3};
  s.nonbasicVariable = {4, 5, 6, 7, 8, 9};
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(perturbation)

BOOST_AUTO_TEST_CASE(relaxed_bounds_lie_beyond_the_point) {
  Snapshot const s = point({-3, 7, 1, -1e-9, 0, 0, 0, 0, 0, 0}, std::vector<double>(10));
  std::vector<double> lower(10, 0.0), upper(10, 5.0);
  lower[4] = 1.0;  // nonbasic: not a matter of the basis
  relaxBounds(lower, upper, s, 1e-7, 1);
  BOOST_TEST((lower[0] <= -4.5 && lower[0] >= -6.0));
  BOOST_TEST((upper[1] >= 8.0 && upper[1] <= 9.0));
  BOOST_TEST((upper[0] == 5.0 && lower[1] == 0.0));
  for (std::size_t v : {2, 3, 5, 9}) BOOST_TEST((lower[v] == 0.0 && upper[v] == 5.0));
  BOOST_TEST(lower[4] == 1.0);

  std::vector<double> again(10, 0.0), otherwise(10, 0.0), above(10, 5.0);
  relaxBounds(again, above, s, 1e-7, 1);
  relaxBounds(otherwise, above, s, 1e-7, 2);
  BOOST_TEST(again[0] == lower[0]);
  BOOST_TEST(otherwise[0] != lower[0]);
}

BOOST_AUTO_TEST_CASE(modified_costs_turn_reduced_costs_that_have_no_bound_to_go_to) {
  //                                                     one-sided: right, wrong, above, boxed,
  //                                                     free, fixed
  Snapshot const s = point(std::vector<double>(10), {0, 0, 0, 0, 2, -2, 3, -2, -4, -2});
  std::vector<double> const lower{0, 0, 0, 0, 0, 0, -inf, 0, -inf, 1};
  std::vector<double> const upper{inf, inf, inf, inf, inf, inf, 0, 1, inf, 1};
  std::vector<double> const cost{1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<double> const modified = modifyCosts(cost, lower, upper, s, 1e-7, 1);
  auto const reduced = [&](std::size_t v) { return s.reducedCost[v] + modified[v] - cost[v]; };
  for (std::size_t v : {0, 1, 2, 3, 4, 7, 9}) BOOST_TEST(modified[v] == 1.0);
  BOOST_TEST((reduced(5) >= 1.0 && reduced(5) <= 2.0));
  BOOST_TEST((reduced(6) <= -1.5 && reduced(6) >= -3.0));
  BOOST_TEST(reduced(8) == 0.0);
}

BOOST_AUTO_TEST_CASE(perturbed_bounds_cut_nothing_off) {
  constexpr double size = 1e-3;
  std::vector<double> const from{0, -2, -inf, 1, 0, 3, -inf, 0, 0, 0};
  std::vector<double> const to{5, inf, 4, 1, 5, 3, inf, inf, 5, 5};
  std::vector<double> lower = from, upper = to;
  perturbBounds(lower, upper, point(from, std::vector<double>(10)), size, 1);
  for (std::size_t v = 0; v < 10; ++v) {
    if (v == 5) {  // nonbasic and fixed: it can't move
      BOOST_TEST((lower[v] == 3.0 && upper[v] == 3.0));
      continue;
    }
    double const below = std::isfinite(from[v]) ? size * (1.0 + std::fabs(from[v])) : 0.0;
    double const above = std::isfinite(to[v]) ? size * (1.0 + std::fabs(to[v])) : 0.0;
    BOOST_TEST((lower[v] <= from[v] - 0.5 * below && !(lower[v] < from[v] - below)));
    BOOST_TEST((upper[v] >= to[v] + 0.5 * above && !(upper[v] > to[v] + above)));
  }
}

BOOST_AUTO_TEST_CASE(perturbed_costs_keep_a_basis_dual_feasible) {
  constexpr double size = 1e-3;
  // Nonbasic: at lower, at upper without a lower one, boxed at lower, boxed at upper, fixed, free.
  std::vector<double> const lower{0, 0, 0, 0, 0, -inf, 0, 0, 2, -inf};
  std::vector<double> const upper{inf, inf, inf, inf, inf, 5, 5, 5, 2, inf};
  Snapshot const s = point({1, 1, 1, 1, 0, 5, 0, 5, 2, 0}, std::vector<double>(10));
  std::vector<double> const cost{1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<double> const perturbed = perturbCosts(cost, lower, upper, s, size, 1);
  for (std::size_t v : {4, 6}) BOOST_TEST((perturbed[v] >= 1.001 && perturbed[v] <= 1.002));
  for (std::size_t v : {5, 7}) BOOST_TEST((perturbed[v] <= 0.999 && perturbed[v] >= 0.998));
  for (std::size_t v : {8, 9}) BOOST_TEST(perturbed[v] == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
