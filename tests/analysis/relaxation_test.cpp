// SPDX-License-Identifier: EPL-2.0
// Relaxations judged by another formulation (sums) and by trying all sets of sides (counts).
#include "osi_cuda/analysis/relaxation.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/proof/residuals.hpp"
#include "readers/read.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  return options;
}

bool mayGive(Relaxed relaxed, Side const& side) {
  return relaxed == Relaxed::both || (relaxed == Relaxed::rows) == side.isRow();
}

std::vector<Side> sidesOf(LinearProgram const& lp, Relaxed relaxed) {
  std::vector<Side> sides;
  for (Side::Of const of : {Side::Of::row, Side::Of::column})
    for (int k = 0; k < (of == Side::Of::row ? lp.rows() : lp.columns()); ++k)
      for (Side::End const end : {Side::End::lower, Side::End::upper})
        if (Side const side{of, k, end}; mayGive(relaxed, side) && std::isfinite(boundOf(lp, side)))
          sides.push_back(side);
  return sides;
}

/// The least total by a problem in which each side is a row of its own, bounds too.
Solution leastTotal(LinearProgram const& lp, Relaxed relaxed) {
  LinearProgram all;
  int const n = lp.columns();
  std::vector<std::vector<std::pair<int, double>>> columns(static_cast<std::size_t>(n));
  std::vector<std::pair<int, double>> elastic;  // row, sign
  auto const add = [&](Side const& side) {
    double const bound = boundOf(lp, side);
    if (!std::isfinite(bound)) return;
    int const row = static_cast<int>(all.rowLower.size());
    all.rowLower.push_back(side.isLower() ? bound : -infinity);
    all.rowUpper.push_back(side.isLower() ? infinity : bound);
    if (mayGive(relaxed, side)) elastic.emplace_back(row, side.isLower() ? 1.0 : -1.0);
    if (!side.isRow()) {
      columns[static_cast<std::size_t>(side.index)].emplace_back(row, 1.0);
      return;
    }
    for (int j = 0; j < n; ++j)
      for (std::size_t e = 0; e < lp.matrix.columnIndices(j).size(); ++e)
        if (lp.matrix.columnIndices(j)[e] == side.index)
          columns[static_cast<std::size_t>(j)].emplace_back(row, lp.matrix.columnValues(j)[e]);
  };
  for (Side::Of const of : {Side::Of::row, Side::Of::column})
    for (int k = 0; k < (of == Side::Of::row ? lp.rows() : lp.columns()); ++k)
      for (Side::End const end : {Side::End::lower, Side::End::upper}) add({of, k, end});
  for (auto const& [row, sign] : elastic) columns.push_back({{row, sign}});
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (auto const& [row, value] : columns[j]) {
      all.matrix.indices.push_back(row);
      all.matrix.values.push_back(value);
    }
    all.matrix.starts.push_back(std::ssize(all.matrix.indices));
    bool const own = j < static_cast<std::size_t>(n);
    all.columnLower.push_back(own ? -infinity : 0.0);
    all.columnUpper.push_back(infinity);
    all.objective.push_back(own ? 0.0 : 1.0);
  }
  all.matrix.columns = static_cast<int>(columns.size());
  all.matrix.rows = static_cast<int>(all.rowLower.size());
  return Solver(all).solve(onHost());
}

bool feasibleWithout(LinearProgram lp, std::vector<Side> const& sides) {
  std::fill(lp.objective.begin(), lp.objective.end(), 0.0);
  for (Side const& side : sides) boundOf(lp, side) = absentBound(side);
  return Solver(lp).solve(onHost()).status == Status::optimal;
}

/// The point violates what is told by what is told, and nothing else.
void checkPoint(LinearProgram const& lp, Relaxed relaxed, Relaxation const& found) {
  LinearProgram given = lp;
  double total = 0.0;
  for (auto const& [side, amount] : found.violations) {
    BOOST_TEST(mayGive(relaxed, side));
    boundOf(given, side) += side.isLower() ? -amount : amount;
    total += amount;
  }
  BOOST_TEST(std::fabs(total - found.total) <= 1e-9 * (1.0 + total));
  Solution point;
  point.columnValues = found.columnValues;
  BOOST_TEST(residualsOf(given, point).primal <= 1e-7);
}

testing::RandomLp infeasibleLp(std::uint64_t seed) {
  testing::RandomLpShape shape{8, 8, Status::infeasible, false};
  return testing::randomLp(seed, shape);
}

constexpr Relaxed everything[] = {Relaxed::rows, Relaxed::bounds, Relaxed::both};

BOOST_AUTO_TEST_SUITE(relaxation)

BOOST_AUTO_TEST_CASE(twoRowsThatAreOneApart) {
  LinearProgram const lp = readers::readText(testing::infeasibleMps(), "t").lp;
  for (RelaxationGoal const goal : {RelaxationGoal::sum, RelaxationGoal::count}) {
    Relaxation const found = relax(lp, goal, Relaxed::rows, onHost());
    BOOST_TEST((found.status == Status::optimal));
    BOOST_TEST(found.violations.size() == 1u);
    BOOST_TEST(found.total == 1.0);
    BOOST_TEST(found.objective == 0.0);  // y alone, which costs nothing
    BOOST_TEST(found.objectiveIsOptimal);
  }
  BOOST_TEST(
      (relax(lp, RelaxationGoal::sum, Relaxed::bounds, onHost()).status == Status::infeasible));
}

BOOST_AUTO_TEST_CASE(leastTotals) {
  int found = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    testing::RandomLp const r = infeasibleLp(seed);
    for (Relaxed const relaxed : everything) {
      BOOST_TEST_CONTEXT(r.description << ", what: " << static_cast<int>(relaxed)) {
        Relaxation const relaxation = relax(r.lp, RelaxationGoal::sum, relaxed, onHost());
        Solution const least = leastTotal(r.lp, relaxed);
        BOOST_TEST((relaxation.status == least.status));
        if (least.status != Status::optimal) {
          ++none;
          continue;
        }
        ++found;
        BOOST_TEST(relaxation.leastTotal);
        BOOST_TEST(std::fabs(relaxation.total - least.objective) <= 1e-7 * (1.0 + least.objective),
                   relaxation.total << " instead of " << least.objective);
        checkPoint(r.lp, relaxed, relaxation);
      }
    }
  }
  BOOST_TEST(found > 100);
  BOOST_TEST(none > 20);
}

BOOST_AUTO_TEST_CASE(fewSides) {
  int least = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    testing::RandomLp const r = infeasibleLp(seed);
    BOOST_TEST_CONTEXT(r.description) {
      Relaxation const found = relax(r.lp, RelaxationGoal::count, Relaxed::both, onHost());
      BOOST_TEST((found.status == Status::optimal));
      checkPoint(r.lp, Relaxed::both, found);
      std::vector<Side> given;
      for (Violation const& violation : found.violations) given.push_back(violation.side);
      BOOST_TEST(feasibleWithout(r.lp, given));
      for (std::size_t k = 0; k < given.size(); ++k) {
        std::vector<Side> fewer = given;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
        BOOST_TEST(!feasibleWithout(r.lp, fewer));
      }
      bool oneIsEnough = false;
      for (Side const& side : sidesOf(r.lp, Relaxed::both))
        oneIsEnough = oneIsEnough || feasibleWithout(r.lp, {side});
      least += oneIsEnough && given.size() == 1u;
      all += oneIsEnough;
    }
  }
  BOOST_TEST(all > 30);
  BOOST_TEST(least >= 9 * all / 10, least << " of " << all);  // where one side is enough
}

BOOST_AUTO_TEST_CASE(nothingToRelax) {
  LinearProgram const lp = readers::readText(testing::smallMps(), "t").lp;
  Relaxation const found = relax(lp, RelaxationGoal::sum, Relaxed::both, onHost());
  BOOST_TEST((found.status == Status::optimal));
  BOOST_TEST(found.violations.empty());
  BOOST_TEST(found.objective == -10.0);
}

/// Beside a side of 2^58 a violation of 64 is less than any tolerance, and all of the total.
BOOST_AUTO_TEST_CASE(aTotalIsNoShareOfTheSides) {
  Relaxation const found =
      relax(readers::readText("NAME wide\nROWS\n N obj\n L R1\n G R2\nCOLUMNS\n X R1 1 R2 1\nRHS\n"
                              " RHS R1 288230376151711744 R2 288230376151711808\nENDATA\n",
                              "t")
                .lp,
            RelaxationGoal::sum, Relaxed::rows, onHost());
  BOOST_TEST((found.status == Status::optimal));
  BOOST_TEST(found.total == 64.0);
  BOOST_TEST(found.totalLower == 64.0);
  BOOST_TEST(found.leastTotal);
}

/// 1 + (2^120 + 2^70) - 2^120 - 2^70 <= 0 for fixed columns: no long double holds the sum.
BOOST_AUTO_TEST_CASE(violationsAreThoseOfExactSums) {
  Relaxation const found =
      relax(readers::readText("NAME sums\nROWS\n N obj\n L R1\nCOLUMNS\n A R1 1\n"
                              " B R1 1180591620717411303424\n"
                              " C R1 -1329227995784915872903807060280344576\n"
                              " D R1 -1180591620717411303424\n"
                              "RHS\n RHS R1 0\nBOUNDS\n FX BND A 1\n FX BND B 1125899906842625\n"
                              " FX BND C 1\n FX BND D 1\nENDATA\n",
                              "t")
                .lp,
            RelaxationGoal::sum, Relaxed::rows, onHost());
  BOOST_TEST((found.status == Status::optimal));
  BOOST_TEST(found.total >= 1.0);
  BOOST_TEST(found.total <= 1.0 + 1e-13);
  BOOST_TEST(found.leastTotal);
}

BOOST_AUTO_TEST_CASE(theEndComes) {
  Callbacks callbacks;
  callbacks.interrupted = [] { return true; };
  LinearProgram const lp = infeasibleLp(3).lp;
  Relaxation const found = relax(lp, RelaxationGoal::sum, Relaxed::both, onHost(), callbacks);
  BOOST_TEST((found.status == Status::interrupted));
  BOOST_TEST(found.columnValues.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
