// SPDX-License-Identifier: EPL-2.0
// Solver::solve by way of a smaller problem: what happens when the presolve goes wrong.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/presolve/presolved_solves.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

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
