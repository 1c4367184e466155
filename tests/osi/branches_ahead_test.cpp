// SPDX-License-Identifier: EPL-2.0
// Branches that are computed ahead of hot starts: the answers and the trees are those of hot starts
// by themselves, and some of them do come from the batch.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CoinWarmStartBasis.hpp"
#include "lab/osi/traced_search.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "tests/support/needs.hpp"

using namespace osi_cuda::testing;

namespace {

std::string sample(std::string const& name) {
  return std::string(OSI_CUDA_SAMPLE_FOLDER) + "/" + name;
}

using Options = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<OsiCudaSolverInterface> solved(std::string const& name, Options const& options) {
  auto solver = std::make_unique<OsiCudaSolverInterface>();
  solver->messageHandler()->setLogLevel(0);
  BOOST_REQUIRE(solver->readMps(sample(name).c_str(), "mps") == 0);
  for (auto const& [option, value] : options) solver->setSolverOption(option, value);
  solver->setIntParam(OsiMaxNumIterationHotStart, 10000);
  solver->initialSolve();
  BOOST_REQUIRE(solver->isProvenOptimal());
  return solver;
}

/// Solved with factors of the basis, which branches ahead need, and two threads.
std::unique_ptr<OsiCudaSolverInterface> solved(std::string const& name, char const* ahead,
                                               char const* threads = "2") {
  return solved(name, {{"engine", "host"},
                       {"representation", "factors"},
                       {"threads", threads},
                       {"branches-ahead", ahead}});
}

/// Solved on a device, with presolve off.
std::unique_ptr<OsiCudaSolverInterface> solvedThere(std::string const& name, char const* ahead) {
  return solved(name, {{"engine", "cuda"}, {"presolve", "off"}, {"branches-ahead", ahead}});
}

std::string whyNoDevice() {
  try {
    OsiCudaSolverInterface solver;
    solver.messageHandler()->setLogLevel(0);
    solver.setSolverOption("engine", "cuda");
    solver.readMps(sample("p0033").c_str(), "mps");
    solver.initialSolve();
    return {};
  } catch (CoinError const& e) {
    return e.message();
  }
}

/// A branch of a column from a point.
struct Branch {
  int column;
  bool up;
  double bound;
};

std::vector<Branch> branchesOf(OsiSolverInterface const& solver) {
  std::vector<Branch> branches;
  for (int j = 0; j < solver.getNumCols(); ++j) {
    double const x = solver.getColSolution()[j];
    if (!solver.isInteger(j) || std::fabs(x - std::round(x)) <= 1e-5) continue;
    branches.push_back({j, false, std::floor(x)});
    branches.push_back({j, true, std::ceil(x)});
  }
  return branches;
}

/// All that an interface says of its last solve.
struct Outcome {
  std::vector<bool> status;
  int iterations;
  std::vector<double> objective, x, y, d, activity, ray;
  std::vector<int> columnStatus, rowStatus;
  bool operator==(Outcome const&) const = default;
};

Outcome outcomeOf(OsiCudaSolverInterface const& solver) {
  auto const n = static_cast<std::size_t>(solver.getNumCols()),
             m = static_cast<std::size_t>(solver.getNumRows());
  auto const copy = [](double const* values, std::size_t count) {
    return std::vector<double>(values, values + count);
  };
  Outcome o;
  o.status = {solver.isProvenOptimal(),
              solver.isProvenPrimalInfeasible(),
              solver.isProvenDualInfeasible(),
              solver.isAbandoned(),
              solver.isDualObjectiveLimitReached(),
              solver.isIterationLimitReached()};
  o.iterations = solver.getIterationCount();
  o.objective = {solver.getObjValue()};
  o.x = copy(solver.getColSolution(), n);
  o.y = copy(solver.getRowPrice(), m);
  o.d = copy(solver.getReducedCost(), n);
  o.activity = copy(solver.getRowActivity(), m);
  for (double* ray : solver.getDualRays(1)) {
    o.ray = copy(ray, m);
    delete[] ray;
  }
  std::unique_ptr<CoinWarmStart> const start(solver.getWarmStart());
  auto const& basis = dynamic_cast<CoinWarmStartBasis const&>(*start);
  for (int j = 0; j < solver.getNumCols(); ++j) o.columnStatus.push_back(basis.getStructStatus(j));
  for (int i = 0; i < solver.getNumRows(); ++i) o.rowStatus.push_back(basis.getArtifStatus(i));
  return o;
}

Outcome outcomeOf(OsiCudaSolverInterface& solver, Branch const& branch) {
  double const lower = solver.getColLower()[branch.column],
               upper = solver.getColUpper()[branch.column];
  if (branch.up)
    solver.setColLower(branch.column, branch.bound);
  else
    solver.setColUpper(branch.column, branch.bound);
  solver.solveFromHotStart();
  Outcome outcome = outcomeOf(solver);
  solver.setColBounds(branch.column, lower, upper);
  return outcome;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(branches_ahead)

// To the bit: the same pivots from the same factors.
BOOST_DATA_TEST_CASE(answers_are_those_of_hot_starts, boost::unit_test::data::make({"2", "5"}),
                     threads) {
  for (std::string const name : {"p0033", "p0201", "p0548", "lseu"}) {
    auto const own = solved(name, "on", threads), other = solved(name, "off");
    std::vector<Branch> const branches = branchesOf(*own);
    own->markHotStart();
    other->markHotStart();
    for (Branch const& branch : branches)
      BOOST_TEST((outcomeOf(*own, branch) == outcomeOf(*other, branch)),
                 name << " column " << branch.column << (branch.up ? " up" : " down"));
    auto const report = own->getBranchesAhead();
    auto const asked = static_cast<long long>(branches.size());
    BOOST_TEST(report.asked == asked);
    BOOST_TEST(report.found == report.branches);  // all are asked for in the end
    BOOST_TEST(report.found + report.batches == asked);
    if (std::string(threads) == "2") BOOST_TEST(report.found == asked / 2);
    BOOST_TEST(other->getBranchesAhead().asked == 0);
    // Nothing of it is left behind.
    own->unmarkHotStart();
    other->unmarkHotStart();
    for (auto* const each : {own.get(), other.get()}) {
      each->setColUpper(branches.front().column, 0.0);
      each->resolve();
    }
    BOOST_TEST((outcomeOf(*own) == outcomeOf(*other)), name << " afterwards");
  }
}

// What no branch is, is solved: no change, another bound, two of them, a cost, a row's bound.
BOOST_AUTO_TEST_CASE(other_questions_are_solved) {
  auto const own = solved("p0033", "on"), other = solved("p0033", "off");
  int const j = branchesOf(*own).front().column, k = branchesOf(*own).back().column;
  BOOST_REQUIRE(j != k);
  own->markHotStart();
  other->markHotStart();
  auto const both = [&](auto const& change) {
    change(*own);
    change(*other);
  };
  auto const compare = [&](char const* what) {
    both([](OsiSolverInterface& s) { s.solveFromHotStart(); });
    BOOST_TEST((outcomeOf(*own) == outcomeOf(*other)), what);
  };
  compare("no change at all");
  both([&](OsiSolverInterface& s) { s.setColBounds(j, 1.0, 1.0); });
  both([&](OsiSolverInterface& s) { s.setColBounds(k, 0.0, 0.0); });
  compare("two bounds");
  both([&](OsiSolverInterface& s) { s.setColBounds(k, 0.0, 1.0); });
  both([&](OsiSolverInterface& s) { s.setColBounds(j, 0.0, 0.5); });
  compare("another bound of the column");
  both([&](OsiSolverInterface& s) { s.setColBounds(j, 0.0, 0.0); });
  double const cost = own->getObjCoefficients()[k], upper = own->getRowUpper()[0];
  both([&](OsiSolverInterface& s) { s.setRowUpper(0, upper + 1.0); });
  compare("a row's bound");
  both([&](OsiSolverInterface& s) { s.setRowUpper(0, upper); });
  both([&](OsiSolverInterface& s) { s.setObjCoeff(k, cost + 1.0); });
  compare("a cost");
  BOOST_TEST(own->getBranchesAhead().asked == 0);
}

// Limits change between the branches: what was solved with others is solved again.
BOOST_AUTO_TEST_CASE(limits_are_those_of_the_moment) {
  auto const own = solved("p0201", "on"), other = solved("p0201", "off");
  std::vector<Branch> const branches = branchesOf(*own);
  double const optimum = own->getObjValue();
  own->markHotStart();
  other->markHotStart();
  int limited = 0, cutOff = 0, k = 0;
  for (Branch const& branch : branches) {
    for (auto* const each : {own.get(), other.get()}) {
      each->setIntParam(OsiMaxNumIterationHotStart, k % 8 < 4 ? 2 : 1000);
      each->setDblParam(OsiDualObjectiveLimit, k % 8 < 2 || k % 8 > 5 ? optimum + 1.0 : 1e50);
    }
    ++k;
    Outcome const mine = outcomeOf(*own, branch), theirs = outcomeOf(*other, branch);
    BOOST_TEST((mine == theirs), "column " << branch.column << (branch.up ? " up" : " down"));
    cutOff += theirs.status[4] ? 1 : 0;
    limited += theirs.status[5] ? 1 : 0;
  }
  BOOST_TEST(limited > 0);
  BOOST_TEST(cutOff > 0);
  BOOST_TEST(own->getBranchesAhead().found > 0);
}

// One thread has nobody to work ahead; a tableau can't be copied; "auto" does not.
BOOST_AUTO_TEST_CASE(where_there_is_none_branches_are_solved_all_the_same) {
  auto const one = solved("p0033", "on", "1"), off = solved("p0033", "off"),
             automatic = solved("p0033", "auto"), tableau = solved("p0033", "on");
  tableau->setSolverOption("representation", "tableau");
  tableau->initialSolve();
  Branch const branch = branchesOf(*one).front();
  for (auto* const each : {one.get(), off.get(), automatic.get(), tableau.get()}) {
    each->markHotStart();
    Outcome const outcome = outcomeOf(*each, branch);
    BOOST_TEST(outcome.status[0] != outcome.status[1]);
    BOOST_TEST(each->getBranchesAhead().asked == 0);
    each->unmarkHotStart();
  }
}

// A solve that throws takes the solver along, and with it all that was computed from the mark.
BOOST_AUTO_TEST_CASE(a_solve_that_threw_leaves_a_hot_start_that_solves) {
  auto const solver = solved("p0033", "on");
  std::vector<Branch> const branches = branchesOf(*solver);
  BOOST_REQUIRE(branches.size() >= 4u);
  auto const other = solved("p0033", "off");
  other->markHotStart();
  Outcome const expected = outcomeOf(*other, branches[0]);
  for (bool const ahead : {false, true}) {
    solver->markHotStart();
    if (ahead) outcomeOf(*solver, branches[2]);  // others are there by now
    double const cost = solver->getObjCoefficients()[0];
    solver->setObjCoeff(0, std::nan(""));
    BOOST_CHECK_THROW(solver->resolve(), CoinError);
    solver->setObjCoeff(0, cost);
    solver->setSolverOption("engine", "cuda");
    solver->setSolverOption("device", "1000");
    BOOST_CHECK_THROW(solver->solveFromHotStart(), CoinError);
    solver->setSolverOption("engine", "host");
    solver->setSolverOption("device", "0");
    for (Branch const& branch : branches) {
      Outcome const outcome = outcomeOf(*solver, branch);
      BOOST_TEST(outcome.status[0] != outcome.status[1]);
    }
    Outcome const outcome = outcomeOf(*solver, branches[0]);
    BOOST_TEST(outcome.objective[0] == expected.objective[0], boost::test_tools::tolerance(1e-9));
    solver->unmarkHotStart();
    solver->initialSolve();
  }
}

BOOST_AUTO_TEST_CASE(the_option_has_three_words) {
  OsiCudaSolverInterface solver;
  BOOST_TEST(solver.getSolverOption("branches-ahead") == "auto");
  solver.setSolverOption("branches-ahead", "on");
  std::unique_ptr<OsiSolverInterface> const clone(solver.clone());
  auto const& copy = dynamic_cast<OsiCudaSolverInterface const&>(*clone);
  BOOST_TEST(copy.getSolverOption("branches-ahead") == "on");
  BOOST_CHECK_EXCEPTION(
      solver.setSolverOption("branches-ahead", "yes"), CoinError, [](CoinError const& e) {
        return e.message() == "option branches-ahead takes auto, on or off, not 'yes'";
      });
}

// Cbc asks the same solves in the same order, and is told the same.
BOOST_AUTO_TEST_CASE(searches_have_the_same_tree) {
  struct Search {
    char const* name;
    int strong, nodes;
  };
  for (Search const search : {Search{"p0033.mps", 10, 2000}, Search{"p0033.mps", 0, 2000},
                              Search{"lseu.mps", 5, 100}, Search{"p0201.mps", 5, 20}}) {
    TracedSettings settings;
    settings.strong = search.strong;
    settings.nodes = search.nodes;
    settings.options = {{"engine", "host"},
                        {"threads", "2"},
                        {"representation", "factors"},
                        {"branches-ahead", "off"}};
    TracedRun const without = searchTraced(sample(search.name), settings);
    settings.options.back().second = "on";
    TracedRun const with = searchTraced(sample(search.name), settings);
    BOOST_TEST_CONTEXT(search.name << ", strong " << search.strong) {
      BOOST_TEST(with.trace.fingerprint == without.trace.fingerprint);
      BOOST_TEST(with.nodes == without.nodes);
      BOOST_TEST(with.proved == without.proved);
      BOOST_TEST(with.objective == without.objective);
      BOOST_TEST(with.trace.hotSolves == without.trace.hotSolves);
      BOOST_TEST(with.trace.pivots == without.trace.pivots);
      BOOST_TEST(without.ahead.asked == 0);
      BOOST_TEST((with.ahead.found > 0) == (search.strong > 0));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

// The branches of a mark as variants of the tableau that the device holds.
BOOST_AUTO_TEST_SUITE(branches_on_device, *needs(whyNoDevice))

BOOST_AUTO_TEST_CASE(answers_say_what_hot_starts_by_themselves_say) {
  for (std::string const name : {"p0033", "lseu"}) {
    auto const own = solvedThere(name, "on"), other = solvedThere(name, "off");
    std::vector<Branch> const branches = branchesOf(*own);
    BOOST_REQUIRE(branches.size() > 4);
    own->markHotStart();
    other->markHotStart();
    for (Branch const& branch : branches) {
      Outcome const here = outcomeOf(*own, branch), there = outcomeOf(*other, branch);
      BOOST_TEST_CONTEXT(name << ", column " << branch.column << (branch.up ? " up" : " down")) {
        BOOST_TEST(here.status == there.status);
        BOOST_TEST(here.ray.empty() == there.ray.empty());
        if (here.status[0])
          BOOST_TEST(here.objective[0] == there.objective[0], boost::test_tools::tolerance(1e-9));
      }
    }
    BOOST_TEST(own->getBranchesAhead().batches > 0);
    BOOST_TEST(own->getBranchesAhead().found >=
               static_cast<long long>(branches.size()) - own->getBranchesAhead().batches);
    BOOST_TEST(other->getBranchesAhead().asked == 0);
  }
}

// Whatever else was asked for, in which order, and from which mark.
BOOST_AUTO_TEST_CASE(an_answer_is_the_same_to_the_bit_whatever_is_solved_with_it) {
  for (std::string const name : {"p0033", "lseu"}) {
    auto const own = solvedThere(name, "on"), other = solvedThere(name, "on");
    std::vector<Branch> const branches = branchesOf(*own);
    std::vector<Outcome> expected;
    own->markHotStart();
    for (Branch const& branch : branches) expected.push_back(outcomeOf(*own, branch));
    other->markHotStart();
    int const last = branches.back().column;
    double const lower = other->getColLower()[last], upper = other->getColUpper()[last];
    for (std::size_t k = branches.size(); k-- > 0;) {
      BOOST_TEST((outcomeOf(*other, branches[k]) == expected[k]));
      // No branch of the mark: the engine solves it.
      other->setColBounds(last, std::floor(lower), std::floor(lower));
      other->solveFromHotStart();
      other->setColBounds(last, lower, upper);
    }
    other->unmarkHotStart();
    other->resolve();
    other->markHotStart();
    BOOST_TEST((outcomeOf(*other, branches[1]) == expected[1]));
  }
}

BOOST_AUTO_TEST_CASE(limits_of_pivots_stop_them_at_a_point_of_their_own) {
  auto const solver = solvedThere("p0201", "on"), whole = solvedThere("p0201", "on");
  solver->setIntParam(OsiMaxNumIterationHotStart, 1);
  solver->markHotStart();
  whole->markHotStart();
  int stopped = 0;
  for (Branch const& branch : branchesOf(*solver)) {
    Outcome const outcome = outcomeOf(*solver, branch), end = outcomeOf(*whole, branch);
    if (!outcome.status[5]) continue;  // the limit was not reached
    ++stopped;
    BOOST_TEST(outcome.iterations == 1);
    if (end.status[0]) BOOST_TEST(outcome.objective[0] <= end.objective[0] + 1e-6);
    std::vector<double> activity(outcome.activity.size());
    solver->getMatrixByCol()->times(outcome.x.data(), activity.data());
    for (std::size_t i = 0; i < activity.size(); ++i)
      BOOST_TEST(std::fabs(activity[i] - outcome.activity[i]) <= 1e-7);
  }
  BOOST_TEST(stopped > 0);
}

BOOST_AUTO_TEST_CASE(strong_branching_borrows_the_tableau) {
  for (int const limit : {0, 1}) {
    auto const there = solvedThere("lseu", "off");
    OsiCudaSolverInterface here(*there);  // without the tableau, at the same point
    here.setSolverOption("engine", "host");
    std::vector<int> columns;
    for (Branch const& branch : branchesOf(*there))
      if (branch.up) columns.push_back(branch.column);
    auto const own = there->strongBranch(columns, limit), other = here.strongBranch(columns, limit);
    auto const repeated = there->strongBranch(columns, limit);
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (auto const side :
           {&OsiCudaSolverInterface::Branch::down, &OsiCudaSolverInterface::Branch::up}) {
        BOOST_TEST(((own[k].*side).degradation == (repeated[k].*side).degradation));
        if (limit > 0) continue;
        BOOST_TEST(((own[k].*side).end == (other[k].*side).end));
        BOOST_TEST(std::fabs((own[k].*side).degradation - (other[k].*side).degradation) <=
                   1e-7 * (1.0 + std::fabs((other[k].*side).degradation)));
      }
    double const before = there->getObjValue();
    there->resolve();
    BOOST_TEST(there->getIterationCount() == 0);
    BOOST_TEST(there->getObjValue() == before);
  }
}

// No room for an engine of its own, say; without a device before it is an error.
BOOST_AUTO_TEST_CASE(a_copy_without_an_engine_on_the_device_is_solved_on_the_host) {
  auto const there = solvedThere("p0033", "off");
  OsiCudaSolverInterface copy(*there), fresh;
  std::vector<Branch> const branches = branchesOf(*there);
  for (OsiCudaSolverInterface* const each : {there.get(), &copy}) {
    if (each == &copy) each->setSolverOption("device", "1000");
    each->setColBounds(branches[0].column, 0.0, 0.0);
    each->resolve();
  }
  BOOST_TEST(there->getEngineName() == "cuda");
  BOOST_TEST(copy.getEngineName() == "host");
  BOOST_TEST(copy.isProvenOptimal() == there->isProvenOptimal());
  BOOST_TEST(copy.getObjValue() == there->getObjValue(), boost::test_tools::tolerance(1e-9));
  OsiCudaSolverInterface next(copy);
  next.setColBounds(branches[0].column, 0.0, 1.0);
  next.resolve();
  BOOST_TEST(next.getEngineName() == "host");
  fresh.setSolverOption("engine", "cuda");
  fresh.setSolverOption("device", "1000");
  BOOST_REQUIRE(fresh.readMps(sample("p0033").c_str(), "mps") == 0);
  BOOST_CHECK_THROW(fresh.initialSolve(), CoinError);
}

BOOST_AUTO_TEST_SUITE_END()
