// SPDX-License-Identifier: EPL-2.0
// Whole solves that begin with the interior point method on the host, and the method by itself.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "osi_cuda/barrier/arrays.hpp"
#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/barrier/direction_rules.hpp"
#include "osi_cuda/barrier/independent_columns.hpp"
#include "osi_cuda/barrier/stop_rule.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/transport_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::positiveLp;
using osi_cuda::testing::sparseLp;

namespace {

Options barrierOptions() {
  Options options;
  options.engine = EngineChoice::host;
  options.algorithm = AlgorithmChoice::barrier;
  return options;
}

Options interiorOptions() {
  Options options = barrierOptions();
  options.crossover = false;
  return options;
}

double optimumOf(LinearProgram const& lp) {
  Options options;
  options.engine = EngineChoice::host;
  Solution const s = Solver(lp).solve(options);
  BOOST_TEST_REQUIRE(toString(s.status) == "optimal");
  return s.objective;
}

bool near(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * (1.0 + std::fabs(b));
}

/// Whether each nonbasic variable of an optimal solution rests on a bound that it has.
bool isVertex(LinearProgram const& lp, Solution const& s) {
  auto const rests = [](VariableStatus status, double x, double lower, double upper) {
    if (status == VariableStatus::atLower) return near(x, lower, 1e-9);
    if (status == VariableStatus::atUpper) return near(x, upper, 1e-9);
    return status == VariableStatus::basic || (std::isinf(lower) && std::isinf(upper));
  };
  std::size_t basic = 0;
  for (std::size_t j = 0; j < lp.columnLower.size(); ++j) {
    basic += s.basis.columns[j] == VariableStatus::basic;
    if (!rests(s.basis.columns[j], s.columnValues[j], lp.columnLower[j], lp.columnUpper[j]))
      return false;
  }
  for (std::size_t i = 0; i < lp.rowLower.size(); ++i) {
    basic += s.basis.rows[i] == VariableStatus::basic;
    if (!rests(s.basis.rows[i], s.rowActivity[i], lp.rowLower[i], lp.rowUpper[i])) return false;
  }
  return basic == lp.rowLower.size();
}

/// min x + y, x + y >= 2 for free x and y, and a free row: no variable has a bound.
LinearProgram freeLp() {
  LinearProgram lp;
  lp.matrix.rows = 2;
  lp.matrix.columns = 2;
  lp.matrix.starts = {0, 2, 4};
  lp.matrix.indices = {0, 1, 0, 1};
  lp.matrix.values = {1.0, 1.0, 1.0, -1.0};
  lp.objective = {1.0, 1.0};
  lp.columnLower = {-infinity, -infinity};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {2.0, -infinity};
  lp.rowUpper = {infinity, infinity};
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(barrier_method)

// Infeasible and unbounded ones are handed to the simplex method, which proves them.
BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers) {
  for (int const size : {5, 12, 40}) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = size;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      auto const r = testing::randomLp(seed, shape);
      Solution const s = Solver(r.lp).solve(barrierOptions());
      BOOST_TEST(toString(s.status) == toString(r.expected), r.description);
      if (s.status != r.expected) continue;
      if (s.status == Status::optimal) {
        BOOST_TEST(near(s.objective, r.objective, 1e-9), r.description);
        BOOST_TEST(residualsOf(r.lp, s).largest() <= 1e-9, r.description);
      } else if (s.status == Status::infeasible) {
        BOOST_TEST(verifyFarkas(r.lp, s.farkas, s.farkasLow).proved, r.description);
      } else {
        BOOST_TEST(verifyRay(r.lp, s.columnValues, s.ray, 1e-6, s.rayLow).proved, r.description);
      }
    }
  }
}

// More rows than columns: normal equations by columns; fewer: by rows.
BOOST_AUTO_TEST_CASE(dense_problems_of_either_shape_end_at_the_vertex_of_the_simplex_method) {
  struct Shape {
    int rows, columns;
  };
  for (Shape const shape : {Shape{120, 40}, Shape{40, 120}, Shape{60, 60}})
    for (bool const origin : {true, false}) {
      LinearProgram const lp = denseLp(shape.rows, shape.columns, 7, origin);
      Solution const s = Solver(lp).solve(barrierOptions());
      BOOST_TEST(toString(s.status) == "optimal");
      BOOST_TEST((s.algorithm == SolveAlgorithm::barrier));
      BOOST_TEST((s.barrierIterations > 3 && s.barrierIterations < 40));
      BOOST_TEST(near(s.objective, optimumOf(lp), 1e-9));
      BOOST_TEST(isVertex(lp, s));
    }
}

// The gap is small before any variable has a side: pivots must not begin by the gap.
BOOST_AUTO_TEST_CASE(few_pivots_follow_where_all_good_points_cost_nearly_the_same) {
  for (bool const covering : {false, true})
    for (bool const tall : {false, true}) {
      LinearProgram const lp = positiveLp(tall ? 240 : 120, tall ? 120 : 240, 3, covering);
      Solution const s = Solver(lp).solve(barrierOptions());
      BOOST_TEST(toString(s.status) == "optimal");
      BOOST_TEST(s.iterations <= 20);
      BOOST_TEST(s.barrierIterations <= 12);
      BOOST_TEST(near(s.objective, optimumOf(lp), 1e-9));
      BOOST_TEST(isVertex(lp, s));
    }
}

BOOST_AUTO_TEST_CASE(all_kinds_of_bounds_and_rows) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    bool const tall = seed % 2 == 0;
    LinearProgram const lp = sparseLp(tall ? 90 : 50, tall ? 50 : 90, 5, seed);
    Solution const s = Solver(lp).solve(barrierOptions());
    BOOST_TEST(toString(s.status) == "optimal", "seed " << seed);
    BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9);
    BOOST_TEST(near(s.objective, optimumOf(lp), 1e-9), "seed " << seed);
    BOOST_TEST(isVertex(lp, s), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(the_middle_of_an_optimal_face_is_pushed_to_a_vertex) {
  LinearProgram const lp = testing::transportLp(8);
  Solution const inside = Solver(lp).solve(interiorOptions());
  BOOST_TEST(toString(inside.status) == "interior");
  BOOST_TEST(
      near(*std::max_element(inside.columnValues.begin(), inside.columnValues.end()), 0.125, 1e-3));
  Solution const s = Solver(lp).solve(barrierOptions());
  BOOST_TEST(toString(s.status) == "optimal");
  BOOST_TEST(near(s.objective, 8.0, 1e-12));
  BOOST_TEST(isVertex(lp, s));
  // 64 variables between their bounds, of which 15 can be basic: each of the others is one push.
  BOOST_TEST(s.iterations >= 49);
  BOOST_TEST(s.iterations <= 200);
}

BOOST_AUTO_TEST_CASE(problems_without_rows_columns_or_bounds) {
  LinearProgram const free = freeLp();
  Solution const s = Solver(free).solve(barrierOptions());
  BOOST_TEST(toString(s.status) == "optimal");
  BOOST_TEST(near(s.objective, 2.0, 1e-9));
  LinearProgram empty;
  BOOST_TEST(toString(Solver(empty).solve(barrierOptions()).status) == "optimal");
  LinearProgram rowless;
  rowless.matrix.columns = 1;
  rowless.matrix.starts = {0, 0};
  rowless.objective = {1.0};
  rowless.columnLower = {-3.0};
  rowless.columnUpper = {5.0};
  BOOST_TEST(near(Solver(rowless).solve(barrierOptions()).objective, -3.0, 1e-12));
}

BOOST_AUTO_TEST_CASE(without_crossover_the_interior_point_is_the_answer) {
  for (bool const tall : {true, false}) {
    LinearProgram const lp = denseLp(tall ? 100 : 50, tall ? 50 : 100, 3, false);
    Solution const s = Solver(lp).solve(interiorOptions());
    BOOST_TEST(toString(s.status) == "interior");
    BOOST_TEST(toString(s.proof) == "tolerance");
    BOOST_TEST(s.iterations == 0);
    BOOST_TEST(residualsOf(lp, s).largest() <= 1e-7);
    BOOST_TEST(near(s.objective, optimumOf(lp), 1e-6));
    // Columns are bounded by 0, which an interior point comes near to, but does not reach.
    BOOST_TEST(*std::min_element(s.columnValues.begin(), s.columnValues.end()) > 0.0);
  }
}

// No interior point can say so: the simplex method goes on and proves it.
BOOST_AUTO_TEST_CASE(without_crossover_infeasibility_is_still_proved) {
  testing::RandomLpShape shape;
  shape.status = Status::infeasible;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const r = testing::randomLp(seed, shape);
    BOOST_TEST(toString(Solver(r.lp).solve(interiorOptions()).status) == "infeasible",
               r.description);
  }
}

// Multipliers, or a point, that are as good as a proof end it: whatever the sizes, in the method
// itself, without a word of the simplex method.
BOOST_AUTO_TEST_CASE(rays_of_infeasible_and_unbounded_problems_are_seen) {
  for (bool const infeasible : {true, false}) {
    testing::RandomLpShape shape;
    shape.status = infeasible ? Status::infeasible : Status::unbounded;
    shape.maxRows = shape.maxColumns = 30;
    int seen = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      auto const r = testing::randomLp(seed, shape);
      StandardForm const form = makeStandardForm(r.lp, true);
      auto const crossed = [&](std::size_t v) { return form.lower[v] > form.upper[v]; };
      std::vector<std::size_t> all(form.lower.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      if (std::any_of(all.begin(), all.end(), crossed)) continue;  // a proof by themselves
      auto const barrier = makeHostBarrier({});
      barrier->load(form);
      BarrierRequest request;
      request.handover = false;
      BarrierPoint const point = barrier->run(request);
      BOOST_TEST(toString(point.end) != "converged", r.description);
      BOOST_TEST(point.state.iteration < 100, r.description);
      seen += point.end == BarrierEnd::diverged ? 1 : 0;
    }
    BOOST_TEST(seen >= 15);
  }
}

// Multipliers of a feasible problem grow with its bounds.
BOOST_AUTO_TEST_CASE(large_bounds_are_no_sign_of_an_infeasible_problem) {
  for (double const size : {1.0, 1e3, 1e6}) {
    LinearProgram lp = positiveLp(240, 120, 1, true);
    for (double& bound : lp.rowLower) bound *= size;
    StandardForm const form = makeStandardForm(lp, true);
    auto const barrier = makeHostBarrier({});
    barrier->load(form);
    BarrierRequest request;
    request.handover = false;
    BOOST_TEST(toString(barrier->run(request).end) == "converged", "size " << size);
  }
}

// Residuals grow again where a direction is off by rounding, which takes no variable's side from
// it.
BOOST_AUTO_TEST_CASE(pivots_begin_once_sides_are_known_whatever_the_residuals) {
  constexpr std::size_t m = 200, n = 100;
  LinearProgram const lp = positiveLp(m, n, 1, true);
  StandardForm const form = makeStandardForm(lp, true);
  BarrierRequest request;
  request.pivotSeconds = 1.0;
  for (double const nonbasic : {1e6, 1e-2}) {
    BarrierPoint point;
    point.stiffness.assign(m + n, nonbasic);
    std::fill_n(point.stiffness.begin(), m, 1e-4);
    StopRule rule(request, form, 2.0, 1.0, 1.0, [&]() -> BarrierPoint const& { return point; });
    BarrierState state;
    state.iteration = 9;
    state.dualResidual = 1e-3;
    state.gap = 1e-4;
    BOOST_TEST((rule.look(state) == BarrierEnd::handover) == (nonbasic > 1.0));
  }
}

// Where residuals make the gap, complementarity falls for nothing.
BOOST_AUTO_TEST_CASE(a_gap_that_complementarity_does_not_make_ends_the_method_soon) {
  LinearProgram const lp = sparseLp(200, 100, 3, 1);
  StandardForm const form = makeStandardForm(lp, true);
  BarrierRequest const request;
  for (double const gap : {0.2, 1e-6}) {
    StopRule rule(request, form, 2.0, 1.0, 1.0, nullptr);
    BarrierState state;
    state.gap = gap;
    state.mu = 1e-3;
    state.primalStep = state.dualStep = 1.0;
    std::optional<BarrierEnd> end;
    for (; !end && state.mu > 1e-10; ++state.iteration, state.mu *= 0.1) end = rule.look(state);
    BOOST_TEST((end == BarrierEnd::stalled) == (gap > 0.1));
  }
}

BOOST_AUTO_TEST_CASE(a_direction_that_misses_its_equations_is_not_followed) {
  std::vector<double> numbers(barrier::numbersOfView(1, 1), 1.0);
  std::vector<unsigned char> const kinds(2, 0);
  for (double const missed : {0.5, 1e-4}) {
    barrier::Scalars scalars{};
    scalars.primalStep = scalars.dualStep = 0.5;
    scalars.rightNorm = 1.0;
    scalars.residualNorm = missed * missed;
    barrier::View view = barrier::placeView(1, 1, numbers.data());
    view.kind = kinds.data();
    view.s = &scalars;
    view.x[0] = 1.0;
    barrier::Move const move{view, 0.995};
    move.finish(move(0));
    BOOST_TEST((view.x[0] == 1.0) == (missed > 0.1));
    BOOST_TEST((scalars.failed == barrier::directionMissed) == (missed > 0.1));
  }
}

BOOST_AUTO_TEST_CASE(stiffness_has_a_middle_of_either_kind) {
  auto const [basic, nonbasic] =
      middleStiffness({infinity, 5.0, 0.0, 3.0, 1e-3, 4.0, 2e-3, 1e-2}, 4);
  BOOST_TEST(basic == 2e-3);
  BOOST_TEST(nonbasic == 4.0);
  BOOST_TEST(middleStiffness({0.0, infinity}, 1).basic == 1.0);
}

// The same of dense problems, by rows and by columns: row 1 asks for more than row 0 allows, or
// column 0 gains and takes nothing.
BOOST_AUTO_TEST_CASE(dense_problems_without_an_optimum_are_seen_in_few_iterations) {
  struct Shape {
    int rows, columns;
  };
  for (Shape const shape : {Shape{120, 40}, Shape{40, 120}})
    for (bool const origin : {true, false})
      for (bool const infeasible : {true, false}) {
        LinearProgram lp = denseLp(shape.rows, shape.columns, 9, origin);
        auto const m = static_cast<std::size_t>(shape.rows);
        if (infeasible) {
          for (std::size_t j = 0; j < static_cast<std::size_t>(shape.columns); ++j)
            lp.matrix.values[j * m + 1] = lp.matrix.values[j * m];
          lp.rowLower[1] = lp.rowUpper[0] + 1.0;
          lp.rowUpper[1] = infinity;
        } else {
          for (std::size_t i = 0; i < m; ++i) lp.matrix.values[i] = -std::fabs(lp.matrix.values[i]);
          lp.objective[0] = lp.sense == Sense::maximize ? 1.0 : -1.0;
        }
        Solution const s = Solver(lp).solve(barrierOptions());
        BOOST_TEST(toString(s.status) == (infeasible ? "infeasible" : "unbounded"));
        BOOST_TEST(s.barrierIterations <= 40);
        if (infeasible)
          BOOST_TEST(verifyFarkas(lp, s.farkas, s.farkasLow).proved);
        else
          BOOST_TEST(verifyRay(lp, s.columnValues, s.ray, 1e-6, s.rayLow).proved);
      }
}

BOOST_AUTO_TEST_CASE(limits_and_interruptions_stop_it) {
  LinearProgram const lp = denseLp(100, 50, 3, false);
  Options options = barrierOptions();
  options.iterationLimit = 3;
  Solution s = Solver(lp).solve(options);
  BOOST_TEST(toString(s.status) == "iteration_limit");
  BOOST_TEST(s.barrierIterations == 3);
  BOOST_TEST(s.columnValues.size() == 50u);
  options = barrierOptions();
  options.timeLimit = 0.0;
  BOOST_TEST(toString(Solver(lp).solve(options).status) == "time_limit");
  int asked = 0;
  Callbacks callbacks;
  callbacks.interrupted = [&asked] { return ++asked > 4; };
  s = Solver(lp).solve(barrierOptions(), callbacks);
  BOOST_TEST(toString(s.status) == "interrupted");
  BOOST_TEST(s.barrierIterations < 8);
}

BOOST_AUTO_TEST_CASE(every_iteration_is_told) {
  LinearProgram const lp = denseLp(100, 50, 3, false);
  std::vector<Progress> told;
  std::int64_t traced = 0;
  Callbacks callbacks;
  callbacks.progress = [&](Progress const& progress) {
    if (progress.stage == Stage::barrier) told.push_back(progress);
  };
  callbacks.trace = [&](TraceEvent const& event) {
    traced += std::string(event.kind) == "barrier" ? 1 : 0;
  };
  Solution const s = Solver(lp).solve(barrierOptions(), callbacks);
  BOOST_TEST_REQUIRE(static_cast<std::int64_t>(told.size()) == s.barrierIterations + 1);
  BOOST_TEST(traced == s.barrierIterations + 1);
  BOOST_TEST(told.back().mu < 1e-2 * told.front().mu);
  BOOST_TEST(told.back().gap < told.front().gap);
}

BOOST_AUTO_TEST_CASE(a_solve_is_repeatable_whatever_the_threads) {
  LinearProgram const lp = denseLp(150, 60, 5, false);
  Options one = barrierOptions(), two = barrierOptions();
  one.threads = 1;
  two.threads = 2;
  Solution const a = Solver(lp).solve(one), b = Solver(lp).solve(one), c = Solver(lp).solve(two);
  BOOST_TEST(a.columnValues == b.columnValues);
  BOOST_TEST(a.iterations == b.iterations);
  BOOST_TEST(c.objective == a.objective);
}

// What it would take is computed before any memory is taken, and before a number is read.
BOOST_AUTO_TEST_CASE(too_little_memory_is_said_beforehand) {
  static double const number = 1.0;
  int const size = 200'000;
  LinearProgram lp;
  lp.matrix = denseMatrix(size, size, &number, false, nullptr);
  auto const n = static_cast<std::size_t>(size);
  lp.objective.assign(n, 0.0);
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, 1.0);
  lp.rowLower.assign(n, 0.0);
  lp.rowUpper.assign(n, 1.0);
  StandardForm const form = makeStandardForm(lp, false);
  auto const barrier = makeHostBarrier({});
  BOOST_CHECK_EXCEPTION(barrier->load(form), NotEnoughMemory, [](NotEnoughMemory const& e) {
    return std::string(e.what()).find("needs 1.1 TB of memory") != std::string::npos;
  });
}

// Of rows that don't meet the normal matrix is diagonal; without gaps it would take 720 GB.
BOOST_AUTO_TEST_CASE(many_rows_that_do_not_meet_take_little) {
  LinearProgram lp;
  int const size = 300'000;
  auto const n = static_cast<std::size_t>(size);
  lp.matrix.rows = lp.matrix.columns = size;
  lp.matrix.starts.resize(n + 1);
  std::iota(lp.matrix.starts.begin(), lp.matrix.starts.end(), std::int64_t{0});
  lp.matrix.indices.resize(n);
  std::iota(lp.matrix.indices.begin(), lp.matrix.indices.end(), 0);
  lp.matrix.values.assign(n, 1.0);
  lp.objective.assign(n, -1.0);
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower.assign(n, -infinity);
  lp.rowUpper.assign(n, 1.0);
  StandardForm const form = makeStandardForm(lp, true);
  auto const barrier = makeHostBarrier({1});
  barrier->load(form);
  BarrierRequest request;
  request.handover = false;
  BarrierPoint const point = barrier->run(request);
  BOOST_TEST(toString(point.end) == "converged");
  BOOST_TEST(std::fabs(point.value[7] - 1.0) < 1e-6);
}

BOOST_AUTO_TEST_CASE(the_start_of_a_crossover_has_a_basis_of_the_right_size) {
  LinearProgram const lp = testing::transportLp(5);
  StandardForm const form = makeStandardForm(lp, true);
  auto const barrier = makeHostBarrier({});
  barrier->load(form);
  BarrierRequest request;
  request.handover = false;
  BarrierPoint const point = barrier->run(request);
  BOOST_TEST(toString(point.end) == "converged");
  CrossoverStart const start = startOf(form, point);
  auto const basic = [](std::vector<VariableStatus> const& all) {
    return std::count(all.begin(), all.end(), VariableStatus::basic);
  };
  BOOST_TEST(basic(start.basis.columns) + basic(start.basis.rows) == 10);
  // All 25 columns are inside; 9 of them are independent, and a slack takes the tenth row.
  BOOST_TEST(start.between == 16);
}

// (1 1 0), (1 1 1e-7) and (0 0 1): the second is nearly the first, and with the third exactly
// dependent; unit columns fill up.
BOOST_AUTO_TEST_CASE(dependent_columns_are_refused) {
  IndependentColumns columns(3);
  auto const take = [&](std::vector<int> const& indices, std::vector<double> const& values) {
    return columns.take(indices, values);
  };
  BOOST_TEST(take({0, 1}, {1.0, 1.0}));
  BOOST_TEST(!take({0, 1, 2}, {1.0, 1.0, 1e-7}));
  BOOST_TEST(take({2}, {1.0}));
  BOOST_TEST(!take({0, 1, 2}, {2.0, 2.0, 5.0}));
  BOOST_TEST(!take({}, {}));
  BOOST_TEST(columns.taken() == 2);
  BOOST_TEST(take({1}, {1.0}));
  BOOST_TEST(!take({0}, {1.0}));
  for (int row : {0, 1, 2}) BOOST_TEST(columns.hasPivot(row));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(netlib)

// Its points are far from zero.
BOOST_AUTO_TEST_CASE(proximal_terms_do_not_hold_a_far_point_back) {
  for (testing::Instance const& instance : testing::netlibInstances()) {
    if (instance.name != "greenbea") continue;
    bool converged = false;
    Callbacks callbacks;
    callbacks.notice = [&](std::string const& text) {
      converged = converged || text.find("converged") != std::string::npos;
    };
    Options options = barrierOptions();
    options.threads = 1;
    BOOST_TEST(toString(Solver(readers::read(instance.file).lp).solve(options, callbacks).status) ==
               "optimal");
    BOOST_TEST(converged);
  }
}

BOOST_AUTO_TEST_CASE(small_problems_have_their_published_optima) {
  for (testing::Instance const& instance : testing::netlibInstances()) {
    if (instance.cells() > 1.5e5) continue;
    Solution const s = Solver(readers::read(instance.file).lp).solve(barrierOptions());
    if (!instance.optimum) {
      BOOST_TEST(toString(s.status) == "infeasible", instance.name);
      continue;
    }
    BOOST_TEST(toString(s.status) == "optimal", instance.name);
    BOOST_TEST(near(s.objective, *instance.optimum, 1e-8), instance.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
