// SPDX-License-Identifier: EPL-2.0
#include "bridges/bridge.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <thread>

#include "bridges/comparison.hpp"
#include "bridges/translation.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::randomLp;

namespace {

using enum VariableStatus;

/// max 3 x1 + 2 x2 + x3 + 10 subject to
///   r1: x1 + x2 <= 4,   r2: 1 <= x1 - x2 + x3 <= 3,   r3: x1 + x3 free,
///   x1, x2 >= 0,   x3 <= 2.
LinearProgram rangedMaximum() {
  LinearProgram lp;
  lp.sense = Sense::maximize;
  lp.objectiveOffset = 10.0;
  lp.matrix = {3, 3, {0, 3, 5, 7}, {0, 1, 2, 0, 1, 1, 2}, {1, 1, 1, 1, -1, 1, 1}};
  lp.objective = {3.0, 2.0, 1.0};
  lp.columnLower = {0.0, 0.0, -infinity};
  lp.columnUpper = {infinity, infinity, 2.0};
  lp.rowLower = {-infinity, 1.0, -infinity};
  lp.rowUpper = {4.0, 3.0, infinity};
  return lp;
}

/// Every bridge with every algorithm: f(bridge, options). Returns how many refused the problem.
template <class F>
int forEachAlgorithm(F f) {
  int refused = 0;
  for (auto const& bridge : bridges()) {
    for (auto const& algorithm : bridge->algorithms()) {
      BOOST_TEST_CONTEXT(bridge->name() << '/' << algorithm) {
        BridgeOptions options;
        options.algorithm = algorithm;
        options.timeLimit = 60.0;
        try {
          f(*bridge, options);
        } catch (BridgeLimit const& limit) {
          BOOST_TEST(!std::string(limit.what()).empty());
          ++refused;
        }
      }
    }
  }
  return refused;
}

LinearProgram oneColumn(double cost, double lower, double upper) {
  LinearProgram lp;
  lp.matrix = {0, 1, {0, 0}, {}, {}};
  lp.objective = {cost};
  lp.columnLower = {lower};
  lp.columnUpper = {upper};
  return lp;
}

/// An assignment-like problem large enough that an interrupt comes in the middle.
LinearProgram slowProblem() {
  constexpr int side = 120;
  LinearProgram lp;
  lp.matrix.rows = 2 * side;
  std::uint64_t state = 7;
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      lp.matrix.indices.insert(lp.matrix.indices.end(), {i, side + j});
      lp.matrix.values.insert(lp.matrix.values.end(), {1.0, 1.0});
      lp.matrix.starts.push_back(std::int64_t(lp.matrix.indices.size()));
      state = state * 6364136223846793005u + 1442695040888963407u;
      lp.objective.push_back(double(state >> 40));
    }
  }
  lp.matrix.columns = side * side;
  lp.columnLower.assign(lp.objective.size(), 0.0);
  lp.columnUpper.assign(lp.objective.size(), infinity);
  lp.rowLower.assign(2 * side, 1.0);
  lp.rowUpper.assign(2 * side, 1.0);
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bridge_conventions)

BOOST_AUTO_TEST_CASE(thereAreThreeAtLeastAndNamesAreFound) {
  auto const all = bridges();
  for (char const* name : {"glpk", "lp_solve", "clp"}) {
    BOOST_REQUIRE(findBridge(all, name));
    BOOST_TEST(!findBridge(all, name)->version().empty());
  }
  BOOST_TEST(!findBridge(all, "nobody"));
}

BOOST_AUTO_TEST_CASE(maximisationConstantRangeAndFreeRow) {
  // Optimum by hand: r1 and r2 bind with x3 = 2: x1 + x2 = 4, x1 - x2 = 1, so x = (2.5, 1.5, 2) and
  // the objective 10 + 7.5 + 3 + 2 = 22.5. Duals: y1 + y2 = 3, y1 - y2 = 2, so y = (2.5, 0.5, 0)
  // and d3 = 1 - 0.5 = 0.5 at the upper bound of x3.
  auto const lp = rangedMaximum();
  int const refused = forEachAlgorithm([&](Bridge const& bridge, BridgeOptions const& options) {
    auto const solution = bridge.solve(lp, options);
    auto const near = boost::test_tools::tolerance(1e-6);
    BOOST_REQUIRE(solution.status == Status::optimal);
    BOOST_TEST(solution.objective == 22.5, near);
    BOOST_TEST(solution.columnValues == (std::vector{2.5, 1.5, 2.0}),
               near << boost::test_tools::per_element());
    BOOST_TEST(solution.rowActivity == (std::vector{4.0, 3.0, 4.5}),
               near << boost::test_tools::per_element());
    BOOST_TEST(solution.rowDuals[0] == 2.5, near);
    BOOST_TEST(solution.rowDuals[1] == 0.5, near);
    BOOST_TEST(solution.rowDuals[2] + 1.0 == 1.0, near);
    BOOST_TEST(solution.reducedCosts[2] == 0.5, near);
    BOOST_TEST(solution.residuals.largest() < 1e-6);
    if (solution.basis.empty()) return;  // an interior point
    BOOST_TEST((solution.basis.columns == std::vector{basic, basic, atUpper}));
    BOOST_TEST((solution.basis.rows == std::vector{atUpper, atUpper, basic}));
  });
  BOOST_TEST(refused == 0);
}

BOOST_AUTO_TEST_CASE(presolveChangesNoAnswer) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    LinearProgram const lp = randomLp(seed).lp;
    forEachAlgorithm([&](Bridge const& bridge, BridgeOptions options) {
      if (bridge.name() != "clp" && bridge.name() != "highs") return;
      Solution const without = bridge.solve(lp, options);
      options.presolve = true;
      Solution const with = bridge.solve(lp, options);
      BOOST_TEST(toString(with.status) == toString(without.status));
      if (with.status != Status::optimal) return;
      BOOST_TEST(std::fabs(with.objective - without.objective) <=
                 1e-6 * (1.0 + std::fabs(without.objective)));
      BOOST_TEST(with.residuals.largest() <= 1e-5);
    });
  }
}

BOOST_AUTO_TEST_CASE(dualsAreDerivativesOfTheObjective) {
  auto const lp = rangedMaximum();
  constexpr double step = 1e-3;
  auto moved = lp;
  moved.rowUpper[0] += step;
  int const refused = forEachAlgorithm([&](Bridge const& bridge, BridgeOptions const& options) {
    auto const before = bridge.solve(lp, options);
    auto const after = bridge.solve(moved, options);
    double const slope = (after.objective - before.objective) / step;
    BOOST_TEST(slope == before.rowDuals[0], boost::test_tools::tolerance(1e-3));
  });
  BOOST_TEST(refused == 0);
}

BOOST_AUTO_TEST_CASE(problemsWithoutRows) {
  forEachAlgorithm([&](Bridge const& bridge, BridgeOptions const& options) {
    auto const bounded = bridge.solve(oneColumn(2.0, -3.0, 5.0), options);
    BOOST_TEST((bounded.status == Status::optimal));
    BOOST_TEST(bounded.objective == -6.0);
    auto const unbounded = bridge.solve(oneColumn(-2.0, -3.0, infinity), options);
    BOOST_TEST((unbounded.status == Status::unbounded));
  });
}

BOOST_AUTO_TEST_CASE(crossedBoundsAreInfeasible) {
  int const refused = forEachAlgorithm([&](Bridge const& bridge, BridgeOptions const& options) {
    auto const solution = bridge.solve(oneColumn(1.0, 2.0, 1.0), options);
    BOOST_TEST((solution.status == Status::infeasible));
    BOOST_TEST(verifyFarkas(oneColumn(1.0, 2.0, 1.0), solution.farkas).proved);
  });
  BOOST_TEST(refused == 0);
}

BOOST_AUTO_TEST_CASE(certificatesThatAreGivenAreProofs) {
  int farkas = 0, rays = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const made = randomLp(seed);
    forEachAlgorithm([&](Bridge const& bridge, BridgeOptions const& options) {
      auto const solution = bridge.solve(made.lp, options);
      if (!solution.farkas.empty()) {
        ++farkas;
        BOOST_TEST(verifyFarkas(made.lp, solution.farkas).proved, made.description);
      }
      if (!solution.ray.empty()) {
        ++rays;
        BOOST_TEST(verifyRay(made.lp, solution.columnValues, solution.ray).proved,
                   made.description);
      }
    });
  }
  BOOST_TEST(farkas > 20);
  BOOST_TEST(rays > 20);
}

BOOST_AUTO_TEST_CASE(anOptimalBasisNeedsNoIteration) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const made = randomLp(seed);
    if (made.expected != Status::optimal) continue;
    forEachAlgorithm([&](Bridge const& bridge, BridgeOptions options) {
      if (!bridge.startsFromBasis(options.algorithm)) return;
      options.startBasis = made.basis;
      auto const solution = bridge.solve(made.lp, options);
      BOOST_TEST((solution.status == Status::optimal), made.description);
      BOOST_TEST(solution.iterations == 0, made.description);
    });
  }
}

BOOST_AUTO_TEST_CASE(aSingularStartBasisIsReplaced) {
  LinearProgram lp;  // two equal columns, both basic: singular
  lp.matrix = {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1}};
  lp.objective = {1.0, 2.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {9.0, 9.0};
  lp.rowLower = {2.0, 1.0};
  lp.rowUpper = {infinity, infinity};
  int const refused = forEachAlgorithm([&](Bridge const& bridge, BridgeOptions options) {
    if (!bridge.startsFromBasis(options.algorithm)) return;
    options.startBasis = {{basic, basic}, {atLower, atLower}};
    auto const solution = bridge.solve(lp, options);
    BOOST_TEST((solution.status == Status::optimal));
    BOOST_TEST(solution.objective == 2.0, boost::test_tools::tolerance(1e-9));
  });
  BOOST_TEST(refused == 0);
}

BOOST_AUTO_TEST_CASE(wrongUseIsRefused) {
  auto const lp = rangedMaximum();
  for (auto const& bridge : bridges()) {
    BridgeOptions options;
    options.algorithm = "magic";
    BOOST_CHECK_THROW(bridge->solve(lp, options), BridgeLimit);
    options.algorithm.clear();
    auto broken = lp;
    broken.objective.pop_back();
    BOOST_CHECK_THROW(bridge->solve(broken, options), std::invalid_argument);
    options.algorithm = bridge->algorithms().front();
    if (!bridge->startsFromBasis(options.algorithm)) continue;
    options.startBasis = {{basic}, {}};
    BOOST_CHECK_THROW(bridge->solve(lp, options), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(anInterruptEndsASolve) {
  auto const lp = slowProblem();
  int const refused = forEachAlgorithm([&](Bridge const& bridge, BridgeOptions options) {
    if (options.algorithm == "exact") return;  // its simplex start would be done before
    options.interrupted = [] { return true; };
    auto const solution = bridge.solve(lp, options);
    BOOST_TEST((solution.status == Status::interrupted || solution.status == Status::optimal));
    BOOST_TEST(solution.seconds < 30.0);
    if (bridge.name() != "glpk")  // whose solves may end before they are asked, every 200 ms
      BOOST_TEST((solution.status == Status::interrupted));
  });
  BOOST_TEST(refused == 0);
}

BOOST_AUTO_TEST_CASE(aTimeLimitEndsASolve) {
  auto const lp = slowProblem();
  int const refused = forEachAlgorithm([&](Bridge const& bridge, BridgeOptions options) {
    options.timeLimit = 1e-3;
    auto const solution = bridge.solve(lp, options);
    BOOST_TEST((solution.status == Status::timeLimit || solution.status == Status::optimal));
    BOOST_TEST(solution.seconds < 30.0);
  });
  BOOST_TEST(refused == 0);
}

BOOST_AUTO_TEST_CASE(bridgesMayBeUsedFromSeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(3, 0);
  for (std::size_t k = 0; k < wrong.size(); ++k)
    threads.emplace_back([&, k] {
      for (std::uint64_t seed = 100 * k + 1; seed <= 100 * k + 40; ++seed) {
        auto const made = randomLp(seed);
        for (auto const& bridge : bridges()) try {
            BridgeOptions options;
            if (bridge->name() == "clp") options.algorithm = "primal";
            wrong[k] += bridge->solve(made.lp, options).status != made.expected;
          } catch (BridgeLimit const&) {
          }
      }
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(wrong == std::vector<int>(3, 0), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(theArbiterFindsCertificates) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    auto const made = randomLp(seed);
    auto const found = searchCertificates(made.lp, bridges(), {});
    BOOST_TEST_CONTEXT(made.description) {
      BOOST_TEST(found.farkas.has_value() == (made.expected == Status::infeasible));
      BOOST_TEST(found.point.has_value() == (made.expected != Status::infeasible));
      BOOST_TEST(found.ray.has_value() == (made.expected == Status::unbounded));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
