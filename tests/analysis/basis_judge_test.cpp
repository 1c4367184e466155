// SPDX-License-Identifier: EPL-2.0
// The judge of bases, and that it sees a wrong one.
#include "tests/analysis/basis_judge.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <utility>

#include "readers/read.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda::testing {
namespace {

using Extended = long double;
using Rows = std::vector<std::vector<Extended>>;

/// Solves rows * z = right by elimination with row pivots; false: singular.
bool eliminate(Rows rows, std::vector<Extended> right, std::vector<Extended>& z) {
  std::size_t const size = right.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < size; ++i)
      if (std::fabs(rows[i][k]) > std::fabs(rows[best][k])) best = i;
    if (std::fabs(rows[best][k]) < 1e-9L) return false;
    std::swap(rows[k], rows[best]);
    std::swap(right[k], right[best]);
    for (std::size_t i = k + 1; i < size; ++i) {
      Extended const factor = rows[i][k] / rows[k][k];
      if (factor == 0.0L) continue;
      for (std::size_t j = k; j < size; ++j) rows[i][j] -= factor * rows[k][j];
      right[i] -= factor * right[k];
    }
  }
  z.assign(size, 0.0L);
  for (std::size_t k = size; k-- > 0;) {
    Extended sum = right[k];
    for (std::size_t j = k + 1; j < size; ++j) sum -= rows[k][j] * z[j];
    z[k] = sum / rows[k][k];
  }
  return true;
}

/// A x - r = 0 over columns x and activities r.
struct Plain {
  std::size_t m, n;
  Rows rows;  ///< m x (n + m)
  std::vector<double> lower, upper, cost;
  std::vector<VariableStatus> status;
};

Plain plainOf(LinearProgram const& lp, Basis const& basis, std::vector<double> const& rowCosts) {
  Plain p;
  p.m = lp.rowLower.size();
  p.n = lp.objective.size();
  p.rows.assign(p.m, std::vector<Extended>(p.n + p.m, 0.0L));
  for (std::size_t j = 0; j < p.n; ++j) {
    auto const indices = lp.matrix.columnIndices(static_cast<int>(j));
    auto const values = lp.matrix.columnValues(static_cast<int>(j));
    for (std::size_t e = 0; e < indices.size(); ++e)
      p.rows[static_cast<std::size_t>(indices[e])][j] += values[e];
  }
  for (std::size_t i = 0; i < p.m; ++i) p.rows[i][p.n + i] = -1.0L;
  p.lower = lp.columnLower;
  p.upper = lp.columnUpper;
  p.cost = lp.objective;
  p.status = basis.columns;
  p.lower.insert(p.lower.end(), lp.rowLower.begin(), lp.rowLower.end());
  p.upper.insert(p.upper.end(), lp.rowUpper.begin(), lp.rowUpper.end());
  p.cost.resize(p.n + p.m, 0.0);
  for (std::size_t i = 0; i < rowCosts.size(); ++i) p.cost[p.n + i] = rowCosts[i];
  p.status.insert(p.status.end(), basis.rows.begin(), basis.rows.end());
  return p;
}

}  // namespace

BasisVerdict judgeBasis(LinearProgram const& lp, Basis const& basis,
                        std::vector<double> const& rowCosts) {
  Plain const p = plainOf(lp, basis, rowCosts);
  BasisVerdict verdict;
  std::vector<std::size_t> basic;
  std::vector<Extended> x(p.n + p.m, 0.0L);
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (p.status[v] == VariableStatus::basic) basic.push_back(v);
    if (p.status[v] == VariableStatus::atLower) x[v] = p.lower[v];
    if (p.status[v] == VariableStatus::atUpper) x[v] = p.upper[v];
  }
  verdict.singular = basic.size() != p.m;
  for (Extended const value : x) verdict.singular |= std::isinf(value);  // no bound to rest on
  if (verdict.singular) return verdict;
  Rows matrix(p.m, std::vector<Extended>(p.m)), transposed = matrix;
  std::vector<Extended> right(p.m, 0.0L), costs(p.m), z, y;
  for (std::size_t i = 0; i < p.m; ++i) {
    for (std::size_t v = 0; v < x.size(); ++v) right[i] -= p.rows[i][v] * x[v];
    for (std::size_t k = 0; k < p.m; ++k) transposed[k][i] = matrix[i][k] = p.rows[i][basic[k]];
    costs[i] = p.cost[basic[i]];
  }
  verdict.singular = !eliminate(matrix, right, z) || !eliminate(transposed, costs, y);
  if (verdict.singular) return verdict;
  for (std::size_t k = 0; k < p.m; ++k) x[basic[k]] = z[k];
  Extended const sign = lp.sense == Sense::maximize ? -1.0L : 1.0L;
  Extended objective = lp.objectiveOffset, primal = 0.0L, dual = 0.0L;
  for (std::size_t v = 0; v < x.size(); ++v) {
    objective += p.cost[v] * x[v];
    primal = std::max({primal, p.lower[v] - x[v], x[v] - p.upper[v]});
    if (p.status[v] == VariableStatus::basic || p.lower[v] == p.upper[v]) continue;
    Extended d = p.cost[v];
    for (std::size_t i = 0; i < p.m; ++i) d -= p.rows[i][v] * y[i];
    d *= sign;
    if (p.status[v] != VariableStatus::atUpper) dual = std::max(dual, -d);
    if (p.status[v] != VariableStatus::atLower) dual = std::max(dual, d);
  }
  verdict.primalViolation = static_cast<double>(primal);
  verdict.dualViolation = static_cast<double>(dual);
  verdict.objective = static_cast<double>(objective);
  verdict.value.assign(x.begin(), x.end());
  return verdict;
}

BOOST_AUTO_TEST_SUITE(basis_judge)

BOOST_AUTO_TEST_CASE(acceptsTheKnownBasis) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomLpShape shape;
    shape.status = Status::optimal;
    shape.emptyDimensions = false;
    RandomLp const r = randomLp(seed, shape);
    BasisVerdict const verdict = judgeBasis(r.lp, r.basis);
    BOOST_TEST(verdict.optimal(), r.description);
    BOOST_TEST(std::fabs(verdict.objective - r.objective) <= 1e-9, r.description);
  }
}

BOOST_AUTO_TEST_CASE(refusesOthers) {
  LinearProgram const lp = readers::readText(smallMps(), "small").lp;
  using enum VariableStatus;
  BOOST_TEST(judgeBasis(lp, {{atUpper, basic}, {atUpper, basic}}).optimal());
  BOOST_TEST(judgeBasis(lp, {{atUpper, basic}, {atUpper, basic}}).objective == -10.0);
  BOOST_TEST(judgeBasis(lp, {{atLower, atLower}, {basic, basic}}).dualViolation == 3.0);
  BOOST_TEST(judgeBasis(lp, {{basic, atLower}, {atUpper, basic}}).primalViolation == 1.0);
  BOOST_TEST(judgeBasis(lp, {{basic, basic}, {basic, basic}}).singular);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
