// SPDX-License-Identifier: EPL-2.0
// Solver::solve by way of a smaller problem: where it is taken, what it tells, what happens when
// the presolve goes wrong.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/engine_makers.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "tests/presolve/tiny_problems.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;
using testing::tinyProblem;

namespace {

Options withPresolve(Toggle presolve) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = presolve;
  return options;
}

/// Keeps what a solve says.
struct Heard {
  std::vector<std::string> notices;
  std::vector<Checkpoint> checkpoints;
  std::vector<TraceEvent> trace;

  bool said(std::string const& part) const {
    for (std::string const& sentence : notices)
      if (sentence.find(part) != std::string::npos) return true;
    return false;
  }
  Callbacks callbacks() {
    Callbacks c;
    c.notice = [this](std::string const& sentence) { notices.push_back(sentence); };
    c.checkpoint = [this](Checkpoint const& checkpoint) { checkpoints.push_back(checkpoint); };
    c.trace = [this](TraceEvent const& event) { trace.push_back(event); };
    return c;
  }
};

/// min sum of c_j x_j, x_j + x_(j+1) >= 1 + (j mod 3), 0 <= x <= 5, and rows of one entry: 2 links
/// rows and links + 1 columns, of which a presolve leaves about half.
LinearProgram chain(int links) {
  std::vector<testing::TinyColumn> columns;
  std::vector<testing::TinyRow> rows;
  for (int j = 0; j <= links; ++j) columns.push_back({1.0 + (j * 7) % 5, 0.0, 5.0});
  for (int j = 0; j < links; ++j) {
    std::vector<double> entries(static_cast<std::size_t>(links) + 1, 0.0);
    entries[static_cast<std::size_t>(j)] = 1.0;
    rows.push_back({entries, -infinity, 4.0});
    entries[static_cast<std::size_t>(j) + 1] = 1.0 + j % 2;
    rows.push_back({entries, 1.0 + j % 3, infinity});
  }
  return tinyProblem(columns, rows);
}

LinearProgram reducible() {
  return chain(30);
}

double optimumOf(LinearProgram const& lp) {
  Solution const solution = Solver(lp).solve(withPresolve(Toggle::off));
  BOOST_REQUIRE(solution.status == Status::optimal);
  return solution.objective;
}

void checkOptimal(LinearProgram const& lp, Solution const& solution) {
  BOOST_TEST((solution.status == Status::optimal), toString(solution.status));
  double const wanted = optimumOf(lp);
  BOOST_TEST(std::fabs(solution.objective - wanted) <= 1e-8 * (1.0 + std::fabs(wanted)));
  BOOST_TEST(residualsOf(lp, solution).largest() <= 1e-7);
}

/// A presolve that is spoilt on the way back.
class Spoilt : public Presolved {
 public:
  using Spoil = std::function<void(Solution&)>;
  Spoilt(std::unique_ptr<Presolved> honest, Spoil spoil)
      : honest_(std::move(honest)), spoil_(std::move(spoil)) {
    problem = honest_->problem;
    columns = honest_->columns;
    rows = honest_->rows;
  }
  Solution postsolve(LinearProgram const& lp, Solution const& reduced) const override {
    Solution point = honest_->postsolve(lp, reduced);
    spoil_(point);
    return point;
  }

 private:
  std::unique_ptr<Presolved> honest_;
  Spoil spoil_;
};

EngineMakers spoiling(Spoilt::Spoil spoil) {
  EngineMakers makers;
  makers.presolve = [spoil](LinearProgram const& lp, PresolveRequest const& request) {
    PresolveOutcome outcome = presolve(lp, request);
    BOOST_REQUIRE(outcome.presolved);
    outcome.presolved = std::make_unique<Spoilt>(std::move(outcome.presolved), spoil);
    return outcome;
  };
  return makers;
}

EngineMakers ending(PresolveEnd end) {
  EngineMakers makers;
  makers.presolve = [end](LinearProgram const&, PresolveRequest const&) {
    return PresolveOutcome{end, nullptr};
  };
  return makers;
}

/// The answer of a solver with these makers, which has to be right, and what it said.
std::pair<Solution, Heard> solveBy(EngineMakers makers, LinearProgram const& lp) {
  Heard heard;
  Solver solver = solverWith(std::move(makers));
  solver.load(lp);
  Solution solution = solver.solve(withPresolve(Toggle::on), heard.callbacks());
  checkOptimal(lp, solution);
  return {std::move(solution), std::move(heard)};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(answers)

BOOST_AUTO_TEST_CASE(sizes_and_counts_are_reported) {
  LinearProgram const lp = chain(40);
  Heard heard;
  Solver solver(lp);
  Solution const s = solver.solve(withPresolve(Toggle::on), heard.callbacks());
  checkOptimal(lp, s);
  BOOST_TEST(s.presolve.used);
  BOOST_TEST(s.presolve.rowsBefore == 80);
  BOOST_TEST(s.presolve.columnsBefore == 41);
  BOOST_TEST(s.presolve.nonzerosBefore == 120);
  BOOST_TEST(s.presolve.rows <= 40);
  BOOST_TEST(s.presolve.nonzeros < 120);
  BOOST_TEST(s.presolve.seconds > 0.0);
  BOOST_TEST(s.seconds >= s.presolve.seconds);
  BOOST_TEST(s.iterations == s.presolve.iterations + s.presolve.iterationsAfter);
  BOOST_TEST(heard.said("presolve: 80 rows, 41 columns and 120 nonzeros become "));
  std::set<std::string> kinds;
  for (TraceEvent const& event : heard.trace) kinds.insert(event.kind);
  BOOST_TEST(kinds.count("presolve") == 1);
  BOOST_TEST(kinds.count("postsolve") == 1);
}

BOOST_AUTO_TEST_CASE(infeasible_with_multipliers) {
  // Found by the presolve; and x + y + z <= 2 against two rows that ask for 3, found by the solve.
  for (LinearProgram const& lp :
       {tinyProblem({{1, 0, 1}, {1, 0, 4}}, {{{2, 0}, 3, 9}, {{1, 1}, 0, 4}}),
        tinyProblem({{1, 0, 9}, {1, 0, 9}, {1, 0, 9}, {1, 0, 1}}, {{{1, 2, 3, 0}, -infinity, 2},
                                                                   {{2, 1, 1, 0}, 5, infinity},
                                                                   {{1, 3, 1, 0}, 1, infinity},
                                                                   {{0, 0, 0, 1}, -1, 4}})}) {
    Solution const s = Solver(lp).solve(withPresolve(Toggle::on));
    BOOST_TEST((s.status == Status::infeasible), toString(s.status));
    BOOST_TEST(verifyFarkas(lp, s.farkas, s.farkasLow).proved);
    BOOST_TEST(s.farkas.size() == lp.rowLower.size());
  }
}

BOOST_AUTO_TEST_CASE(unbounded_with_a_ray) {
  for (LinearProgram const& lp :
       {tinyProblem({{-1, 0, infinity}, {1, 0, 4}}, {{{2, 0}, 3, infinity}, {{1, 1}, 1, infinity}}),
        tinyProblem({{-1, 0, infinity}, {-1, 0, infinity}, {1, 0, 1}},
                    {{{1, -2, 0}, -5, 4}, {{-3, 1, 0}, -infinity, 7}, {{0, 0, 1}, -1, 4}})}) {
    Solution const s = Solver(lp).solve(withPresolve(Toggle::on));
    BOOST_TEST((s.status == Status::unbounded), toString(s.status));
    BOOST_TEST(
        verifyRay(lp, s.columnValues, s.ray, 1e-6, s.rayLow, -1.0, s.columnValuesLow).proved);
  }
}

BOOST_AUTO_TEST_CASE(exact_proofs_speak_of_the_given_problem) {
  LinearProgram const lp = chain(20);
  Options options = withPresolve(Toggle::on);
  options.exact = Toggle::on;
  Solution const s = Solver(lp).solve(options);
  checkOptimal(lp, s);
  BOOST_TEST(s.exact.tried);
  BOOST_TEST(s.exact.proved, s.exact.message);
}

BOOST_AUTO_TEST_CASE(changes_and_the_tableau_afterwards) {
  LinearProgram lp = chain(40);
  Solver solver(lp);
  checkOptimal(lp, solver.solve(withPresolve(Toggle::on)));
  BOOST_TEST(solver.basicVariables().size() == lp.rowLower.size());
  BOOST_TEST(solver.inverseRow(0).size() == lp.rowLower.size());
  lp.columnLower[3] = 2.0;
  lp.objective[5] = -1.0;
  solver.setColumnBounds(3, 2.0, 5.0);
  solver.setObjective(5, -1.0);
  Solution const again = solver.solve(withPresolve(Toggle::automatic));
  checkOptimal(lp, again);
  BOOST_TEST(!again.presolve.used);
  BOOST_TEST(again.iterations < 20);
}

BOOST_AUTO_TEST_CASE(a_basis_to_start_from_serves_both) {
  LinearProgram const lp = chain(60);
  Solver solver(lp);
  Solution const first = solver.solve(withPresolve(Toggle::off));
  Solver again(lp);
  again.setBasis(first.basis);
  Solution const second = again.solve(withPresolve(Toggle::on));
  checkOptimal(lp, second);
  BOOST_TEST(second.presolve.used);
  BOOST_TEST(second.iterations < first.iterations / 2);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(when)

BOOST_AUTO_TEST_CASE(large_sparse_problems_from_slacks) {
  LinearProgram const lp = chain(600);
  Solver solver(lp);
  Solution const s = solver.solve(withPresolve(Toggle::automatic));
  checkOptimal(lp, s);
  BOOST_TEST(s.presolve.used);
}

BOOST_AUTO_TEST_CASE(not_small_ones_nor_dense_ones_nor_with_a_basis) {
  BOOST_TEST(!Solver(chain(20)).solve(withPresolve(Toggle::automatic)).presolve.used);
  LinearProgram const dense = testing::denseLp(600, 520, 1, true);
  BOOST_TEST(!Solver(dense).solve(withPresolve(Toggle::automatic)).presolve.used);
  LinearProgram const lp = chain(600);
  Solver warm(lp);
  Basis const basis = warm.solve(withPresolve(Toggle::off)).basis;
  Solver other(lp);
  other.setBasis(basis);
  BOOST_TEST(!other.solve(withPresolve(Toggle::automatic)).presolve.used);
}

BOOST_AUTO_TEST_CASE(not_where_it_could_not_be_followed) {
  LinearProgram const lp = chain(600);
  Options options = withPresolve(Toggle::automatic);
  options.objectiveLimit = 1e9;
  BOOST_TEST(!Solver(lp).solve(options).presolve.used);
  options = withPresolve(Toggle::on);
  options.algorithm = AlgorithmChoice::barrier;
  options.crossover = false;
  BOOST_TEST(!Solver(lp).solve(options).presolve.used);
  options = withPresolve(Toggle::on);
  options.iterationLimit = 0;
  BOOST_TEST(!Solver(lp).solve(options).presolve.used);
}

BOOST_AUTO_TEST_CASE(off_is_off) {
  EngineMakers makers;
  makers.presolve = [](LinearProgram const&, PresolveRequest const&) -> PresolveOutcome {
    BOOST_FAIL("there was a presolve");
    return {};
  };
  Solver solver = solverWith(makers);
  solver.load(chain(600));
  BOOST_TEST((solver.solve(withPresolve(Toggle::off)).status == Status::optimal));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(iterations_count_together) {
  LinearProgram const lp = chain(60);
  Options options = withPresolve(Toggle::on);
  auto const all = Solver(lp).solve(options).iterations;
  BOOST_REQUIRE(all > 10);
  for (std::int64_t const limit : {std::int64_t{1}, all / 2, all - 1}) {
    options.iterationLimit = limit;
    Heard heard;
    Solver solver(lp);
    Solution const s = solver.solve(options, heard.callbacks());
    BOOST_TEST((s.status == Status::iterationLimit), toString(s.status));
    BOOST_TEST(s.iterations <= limit);
    BOOST_TEST(s.columnValues.size() == lp.columnLower.size());
    BOOST_TEST(s.rowActivity.size() == lp.rowLower.size());
    BOOST_TEST(s.reducedCosts.size() == lp.columnLower.size());
    BOOST_TEST(std::isfinite(s.residuals.primal));
    BOOST_REQUIRE(!heard.checkpoints.empty());
    BOOST_TEST(std::string(heard.checkpoints.back().status) == "iteration_limit");
    BOOST_TEST((heard.checkpoints.back().basis == s.basis));
    // What was left goes on from there.
    checkOptimal(lp, solver.solve(withPresolve(Toggle::automatic)));
  }
}

BOOST_AUTO_TEST_CASE(an_interruption_during_the_presolve) {
  LinearProgram const lp = chain(60);
  Callbacks callbacks;
  int asked = 0;
  callbacks.interrupted = [&] { return ++asked > 3; };
  Solution const s = Solver(lp).solve(withPresolve(Toggle::on), callbacks);
  BOOST_TEST((s.status == Status::interrupted), toString(s.status));
  BOOST_TEST(s.iterations == 0);
  BOOST_TEST(s.basis.rows.size() == lp.rowLower.size());
}

BOOST_AUTO_TEST_CASE(an_interruption_of_the_smaller_solve) {
  LinearProgram const lp = chain(60);
  bool now = false;
  Callbacks callbacks;
  callbacks.progress = [&](Progress const&) { now = true; };
  callbacks.interrupted = [&] { return now; };
  Solution const s = Solver(lp).solve(withPresolve(Toggle::on), callbacks);
  BOOST_TEST((s.status == Status::interrupted), toString(s.status));
  BOOST_TEST(s.columnValues.size() == lp.columnLower.size());
}

BOOST_AUTO_TEST_CASE(no_time) {
  LinearProgram const lp = chain(60);
  Options options = withPresolve(Toggle::on);
  options.timeLimit = 1e-9;
  Solution const s = Solver(lp).solve(options);
  BOOST_TEST((s.status == Status::timeLimit), toString(s.status));
}

BOOST_AUTO_TEST_CASE(checkpoints_are_of_the_given_problem) {
  LinearProgram const lp = chain(60);
  Heard heard;
  Callbacks callbacks = heard.callbacks();
  callbacks.checkpointDue = [] { return true; };
  Solution const s = Solver(lp).solve(withPresolve(Toggle::on), callbacks);
  checkOptimal(lp, s);
  BOOST_REQUIRE(heard.checkpoints.size() >= 2);
  for (Checkpoint const& checkpoint : heard.checkpoints) {
    BOOST_TEST(checkpoint.basis.columns.size() == lp.columnLower.size());
    BOOST_TEST(checkpoint.basis.rows.size() == lp.rowLower.size());
    Solver resumed(lp);
    resumed.setBasis(checkpoint.basis);
    checkOptimal(lp, resumed.solve(withPresolve(Toggle::automatic)));
  }
  BOOST_TEST(std::string(heard.checkpoints.back().status) == "optimal");
  BOOST_TEST(heard.checkpoints.back().iterations == s.iterations);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(faults)

BOOST_AUTO_TEST_CASE(a_presolve_that_fails) {
  EngineMakers makers;
  makers.presolve = [](LinearProgram const&, PresolveRequest const&) -> PresolveOutcome {
    throw std::runtime_error("the matrix has no room");
  };
  auto const [s, heard] = solveBy(makers, reducible());
  BOOST_TEST(heard.said("presolve: the matrix has no room; continuing without it"));
  BOOST_TEST(s.presolve.rows == s.presolve.rowsBefore);
}

BOOST_AUTO_TEST_CASE(no_memory_for_a_presolve) {
  EngineMakers makers;
  makers.presolve = [](LinearProgram const&, PresolveRequest const&) -> PresolveOutcome {
    throw std::bad_alloc();
  };
  auto const [s, heard] = solveBy(makers, reducible());
  BOOST_TEST(heard.said("presolve: not enough memory; continuing without it"));
}

BOOST_AUTO_TEST_CASE(a_presolve_that_is_wrong_about_the_status) {
  auto const [s, heard] = solveBy(ending(PresolveEnd::infeasible), reducible());
  BOOST_TEST(heard.said("looks infeasible"));
  auto const [t, others] = solveBy(ending(PresolveEnd::unbounded), reducible());
  BOOST_TEST(others.said("looks unbounded"));
}

BOOST_AUTO_TEST_CASE(a_smaller_problem_that_is_another) {
  for (bool const infeasible : {true, false}) {
    EngineMakers makers;
    makers.presolve = [infeasible](LinearProgram const& lp, PresolveRequest const& request) {
      PresolveOutcome outcome = presolve(lp, request);
      LinearProgram& other = outcome.presolved->problem;
      BOOST_REQUIRE(other.columns() > 0);
      if (infeasible) {
        other.columnLower[0] = 2.0;
        other.columnUpper[0] = 1.0;
      } else {
        for (double& cost : other.objective) cost = -cost;
      }
      return outcome;
    };
    solveBy(makers, reducible());
  }
}

BOOST_AUTO_TEST_CASE(a_postsolve_that_fails) {
  auto const spoil = [](Solution&) { throw std::runtime_error("an entry is missing"); };
  auto const [s, heard] = solveBy(spoiling(spoil), reducible());
  BOOST_TEST(heard.said("postsolve: an entry is missing; continuing without it"));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none) {
  auto const spoil = [](Solution& point) {
    point.columnValues[1] = std::numeric_limits<double>::quiet_NaN();
  };
  auto const [s, heard] = solveBy(spoiling(spoil), reducible());
  BOOST_TEST(heard.said("numbers that are none; continuing without it"));
}

BOOST_AUTO_TEST_CASE(a_point_of_other_lengths) {
  auto const spoil = [](Solution& point) { point.basis.rows.pop_back(); };
  auto const [s, heard] = solveBy(spoiling(spoil), reducible());
  BOOST_TEST(heard.said("other lengths; continuing without it"));
}

BOOST_AUTO_TEST_CASE(too_many_basic_variables_or_too_few) {
  auto const all = [](Solution& point) {
    for (VariableStatus& status : point.basis.columns) status = VariableStatus::basic;
  };
  auto const [s, heard] = solveBy(spoiling(all), reducible());
  BOOST_TEST(heard.said("is repaired"));
  auto const few = [](Solution& point) {
    for (VariableStatus& status : point.basis.rows) status = VariableStatus::atLower;
  };
  auto const [t, others] = solveBy(spoiling(few), reducible());
  BOOST_TEST(others.said("is repaired"));
}

BOOST_AUTO_TEST_CASE(a_singular_basis) {
  // The first columns instead of what was basic, as many as there are rows.
  auto const spoil = [](Solution& point) {
    std::size_t left = point.basis.rows.size();
    for (VariableStatus& status : point.basis.columns) {
      status = left > 0 ? VariableStatus::basic : VariableStatus::atLower;
      if (left > 0) --left;
    }
    for (VariableStatus& status : point.basis.rows) {
      status = left > 0 ? VariableStatus::basic : VariableStatus::atLower;
      if (left > 0) --left;
    }
  };
  solveBy(spoiling(spoil), reducible());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(devices)

namespace {

struct Counts {
  int made = 0, loads = 0;
  int mostRows = 0;
};

/// The host's engine under a device's name.
class Device : public host::HostEngine {
 public:
  explicit Device(Counts& counts) : HostEngine(EngineOptions{}), counts_(counts) {
    ++counts_.made;
    traits_.name = "cuda";
  }
  void load(StandardForm const& form) override {
    ++counts_.loads;
    counts_.mostRows = std::max(counts_.mostRows, form.rows());
    HostEngine::load(form);
  }

 private:
  Counts& counts_;
};

}  // namespace

// The device is opened once, holds the smaller problem only, and serves what follows.
BOOST_AUTO_TEST_CASE(one_device_for_both_problems) {
  LinearProgram const lp = chain(60);
  Counts counts;
  EngineMakers makers;
  makers.device = [&](EngineOptions const&) { return std::make_unique<Device>(counts); };
  Solver solver = solverWith(makers);
  solver.load(lp);
  Options options = withPresolve(Toggle::on);
  options.engine = EngineChoice::cuda;
  Solution const s = solver.solve(options);
  checkOptimal(lp, s);
  BOOST_TEST(s.engine == "cuda");
  BOOST_TEST(counts.made == 1);
  BOOST_TEST(counts.mostRows < lp.rows());
  BOOST_TEST(solver.basicVariables().size() == lp.rowLower.size());
  solver.setObjective(5, -1.0);
  Solution const again = solver.solve(options);
  BOOST_TEST((again.status == Status::optimal));
  BOOST_TEST(again.engine == "cuda");
  BOOST_TEST(counts.made == 1);
  // Another problem finds the device as well.
  solver.load(chain(50));
  checkOptimal(chain(50), solver.solve(options));
  BOOST_TEST(counts.made == 1);
}

BOOST_AUTO_TEST_SUITE_END()
