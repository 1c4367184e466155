// SPDX-License-Identifier: EPL-2.0
// The interior point method on a device beside the one on the host; cuda_test.cpp skips the program
// where there is no device.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::sparseLp;

namespace {

Options barrierOn(EngineChoice engine) {
  Options options;
  options.engine = engine;
  options.algorithm = AlgorithmChoice::barrier;
  return options;
}

/// States of the first iterations of a run.
std::vector<BarrierState> statesOf(Barrier& barrier, StandardForm const& form) {
  std::vector<BarrierState> states;
  BarrierRequest request;
  request.handover = false;
  request.report = [&](BarrierState const& state) { states.push_back(state); };
  barrier.load(form);
  BarrierPoint const point = barrier.run(request);
  barrier.unload();
  BOOST_TEST(toString(point.end) == "converged");
  return states;
}

std::vector<LinearProgram> problems() {
  return {denseLp(200, 90, 3, true), denseLp(90, 200, 4, false), sparseLp(150, 220, 5, 5),
          sparseLp(220, 150, 5, 6)};
}

bool near(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(barrier_on_device)

BOOST_AUTO_TEST_CASE(iterates_are_those_of_the_host) {
  auto const device = makeCudaBarrier({}), host = makeHostBarrier({});
  for (LinearProgram const& lp : problems()) {
    StandardForm const form = makeStandardForm(lp, true);
    auto const there = statesOf(*device, form), here = statesOf(*host, form);
    // How many correctors pay differs, so only what comes before the first of them is the same.
    BOOST_TEST_REQUIRE((!there.empty() && !here.empty()));
    BOOST_TEST(near(there[0].mu, here[0].mu, 1e-8));
    BOOST_TEST(near(there[0].primalResidual, here[0].primalResidual, 1e-8));
    BOOST_TEST(near(there.back().primalObjective, here.back().primalObjective, 1e-6));
    auto const again = statesOf(*device, form);
    auto const shared = statesOf(*makeCudaBarrier({0, {0, 0, 0}}), form);
    BOOST_TEST_REQUIRE(!shared.empty());
    BOOST_TEST(near(shared[0].mu, there[0].mu, 1e-8));
    BOOST_TEST(near(shared.back().primalObjective, there.back().primalObjective, 1e-6));
    BOOST_TEST_REQUIRE(again.size() == there.size());
    for (std::size_t k = 0; k < again.size(); ++k) BOOST_TEST(again[k].mu == there[k].mu);
  }
}

BOOST_AUTO_TEST_CASE(whole_solves_have_known_answers) {
  for (LinearProgram const& lp : problems()) {
    Solution const s = Solver(lp).solve(barrierOn(EngineChoice::cuda));
    BOOST_TEST(toString(s.status) == "optimal");
    BOOST_TEST((s.engine == SolveEngine::cuda));
    BOOST_TEST(s.barrierIterations > 0);
    BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9);
    BOOST_TEST(near(s.objective, Solver(lp).solve(barrierOn(EngineChoice::host)).objective, 1e-9));
  }
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    auto const r = testing::randomLp(seed, {});
    Solution const s = Solver(r.lp).solve(barrierOn(EngineChoice::cuda));
    BOOST_TEST(toString(s.status) == toString(r.expected), r.description);
    if (s.status == Status::optimal) BOOST_TEST(near(s.objective, r.objective, 1e-9));
  }
}

// From some 1500 lines on the early normal matrices come from bytes, by columns and by rows; a side
// of 1601 fills up no block and no 16 bytes.
BOOST_AUTO_TEST_CASE(large_dense_problems_end_where_the_simplex_method_does) {
  for (auto const& [rows, columns] : {std::pair(3203, 1601), std::pair(1601, 3203)}) {
    LinearProgram const lp = denseLp(rows, columns, 8, false);
    Solution const s = Solver(lp).solve(barrierOn(EngineChoice::cuda));
    Options options = barrierOn(EngineChoice::cuda);
    options.algorithm = AlgorithmChoice::dual;
    Solution const dual = Solver(lp).solve(options);
    BOOST_TEST(toString(s.status) == "optimal");
    BOOST_TEST(s.barrierIterations < 30);
    BOOST_TEST(s.iterations < dual.iterations / 4);
    BOOST_TEST(near(s.objective, dual.objective, 1e-9));
    BOOST_TEST(Solver(lp).solve(barrierOn(EngineChoice::cuda)).columnValues == s.columnValues);
    // Several shares, on one device or on all, end at the same vertex, each time with the same
    // bits.
    for (char const* const devices : {"0,0", "0,0,0,0,0", "all"}) {
      Options shared = barrierOn(EngineChoice::cuda);
      shared.devices = devices;
      Solution const split = Solver(lp).solve(shared);
      BOOST_TEST(toString(split.status) == "optimal");
      BOOST_TEST((split.basis == s.basis));
      BOOST_TEST(near(split.objective, s.objective, 1e-12));
      BOOST_TEST(Solver(lp).solve(shared).columnValues == split.columnValues);
    }
  }
}

// Of a basis that is too far for exchanges; small panels make small problems worth a share.
BOOST_AUTO_TEST_CASE(a_later_refactorisation_is_shared) {
  LinearProgram const lp = denseLp(310, 290, 5, false);
  Basis basis;
  basis.columns.assign(290, VariableStatus::basic);
  basis.rows.assign(290, VariableStatus::atLower);
  basis.rows.resize(310, VariableStatus::basic);
  auto const solved = [&](char const* devices) {
    EngineMakers makers;
    makers.deviceBarrier = [](BarrierOptions wanted) {
      wanted.panelWidth = 32;
      return makeCudaBarrier(wanted);
    };
    Solver solver = solverWith(makers);
    solver.load(lp);
    Options options = barrierOn(EngineChoice::cuda);
    options.devices = devices;
    solver.solve(options);
    solver.setBasis(basis);
    options.algorithm = AlgorithmChoice::primal;
    return solver.solve(options);
  };
  Solution const alone = solved("0");
  for (char const* const devices : {"0,0,0", "all"}) {
    Solution const shared = solved(devices), again = solved(devices);
    BOOST_TEST(toString(shared.status) == "optimal");
    BOOST_TEST((shared.engine == SolveEngine::cuda));
    BOOST_TEST(near(shared.objective, alone.objective, 1e-12));
    BOOST_TEST((again.columnValues == shared.columnValues));
  }
}

// The method reads the matrix that the engine holds: it has to be that of the present problem.
BOOST_AUTO_TEST_CASE(one_solver_and_several_dense_problems_of_one_size) {
  Solver solver;
  for (std::uint64_t const seed : {1, 2, 3}) {
    LinearProgram const lp = denseLp(300, 150, seed, false);
    solver.load(lp);
    Solution const s = solver.solve(barrierOn(EngineChoice::cuda));
    Solution const alone = Solver(lp).solve(barrierOn(EngineChoice::cuda));
    BOOST_TEST(s.columnValues == alone.columnValues);
    BOOST_TEST(s.barrierIterations == alone.barrierIterations);
  }
}

BOOST_AUTO_TEST_CASE(without_crossover_the_interior_point_is_the_answer) {
  Options options = barrierOn(EngineChoice::cuda);
  options.crossover = false;
  LinearProgram const lp = denseLp(200, 90, 3, false);
  Solution const s = Solver(lp).solve(options);
  BOOST_TEST(toString(s.status) == "interior");
  BOOST_TEST(residualsOf(lp, s).largest() <= 1e-7);
}

BOOST_AUTO_TEST_SUITE_END()
