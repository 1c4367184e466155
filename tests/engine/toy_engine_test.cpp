// SPDX-License-Identifier: EPL-2.0
// An engine of a new kind: a textbook tableau in one piece, changed by Gauss-Jordan steps, with the
// 15 calls that every engine has and no other ability. This file is all that it takes.
#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/host/loop_team.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;

namespace {

/// T = B^-1 N as it stands, m x n by rows.
struct ToyTableau : host::Positions {
  std::vector<double> entries;

  double& entry(int i, int j) { return entries[at(i) * at(n) + at(j)]; }
  void exchangeLines(int r, int q) {
    double const inverse = 1.0 / entry(r, q);
    for (int j = 0; j < n; ++j) entry(r, j) *= j == q ? 0.0 : inverse;
    for (int i = 0; i < m; ++i) {
      double const factor = entry(i, q);
      if (i == r) continue;
      for (int j = 0; j < n; ++j) entry(i, j) -= factor * entry(r, j);
      entry(i, q) = -factor * inverse;
    }
    entry(r, q) = inverse;
  }
};

class ToyTeam : public host::LoopTeam {
 public:
  explicit ToyTeam(ToyTableau& tableau) : LoopTeam(tableau), t_(tableau) {}

  void column(int q) {
    for (int i = 0; i < t_.m; ++i) rows_.entry[i] = t_.entry(i, q);
  }
  void row(int r) {
    for (int j = 0; j < t_.n; ++j) columns_.entry[j] = t_.entry(r, j);
  }
  void combineRows() { combineRows(rows_.change, columns_.change); }
  void combineColumns() {
    for (int i = 0; i < t_.m; ++i)
      rows_.change[i] =
          std::inner_product(columns_.change, columns_.change + t_.n, &t_.entry(i, 0), 0.0);
  }
  void combineRows(double const* factor, double* out) {
    std::fill(out, out + t_.n, 0.0);
    for (int i = 0; i < t_.m; ++i)
      for (int j = 0; j < t_.n; ++j) out[j] += factor[i] * t_.entry(i, j);
  }
  // Rules of pricing that the engine has none of.
  void steepestProducts() {}
  void dualSteepestProducts() {}
  template <class DirectionOf, class BoundOf>
  void shortestSteps(DirectionOf, BoundOf) {}
  void updateColumnSketch(Exchange const&) {}
  void updateRowSketch(Exchange const&) {}

  void exchange(Exchange const& x) {
    t_.exchangeLines(x.row, x.column);
    swapVariables(x);
  }

 private:
  ToyTableau& t_;
};

class ToyEngine : public Engine {
 public:
  ToyEngine() {
    traits_.device = "toy";
    traits_.primalPricing = traits_.dualPricing = Pricing::devex;
  }

  void watch(std::function<bool()>) override {}  // no call takes long
  void load(StandardForm const& form) override {
    hold(form);
    t_.resizePositions(form.rows(), form.columns(), traits_.blockSize);
    lower_ = form.lower;
    upper_ = form.upper;
    t_.cost = form.cost;
    formSlackTableau();
    place(std::vector<double>(lower_.size(), 0.0));
  }
  void setBounds(std::span<double const> lower, std::span<double const> upper) override {
    lower_.assign(lower.begin(), lower.end());
    upper_.assign(upper.begin(), upper.end());
    place(snapshot().value);
  }
  void setCosts(std::span<double const> cost) override {
    t_.cost.assign(cost.begin(), cost.end());
    place(snapshot().value);
  }
  std::vector<double> costs() const override { return t_.cost; }
  void setValues(std::span<double const> value) override { place({value.begin(), value.end()}); }
  // One Gauss-Jordan step for every structural variable, at the largest entry of a free row.
  Refactorisation refactor(std::vector<char> const& basic) override {
    std::vector<double> const value = snapshot().value;
    formSlackTableau();
    Refactorisation change;
    for (int j = 0; j < t_.n; ++j) {
      if (!basic[at(j)]) continue;
      int row = -1;
      double largest = 1e-9;
      for (int i = 0; i < t_.m; ++i) {
        bool const leaves = t_.basic[at(i)] >= t_.n && !basic[at(t_.basic[at(i)])];
        if (!leaves || std::fabs(t_.entry(i, j)) <= largest) continue;
        row = i;
        largest = std::fabs(t_.entry(i, j));
      }
      if (row < 0) {
        change.dropped.push_back(j);
        continue;
      }
      t_.exchangeLines(row, j);
      std::swap(t_.basic[at(row)], t_.nonbasic[at(j)]);
    }
    for (int const v : t_.basic)
      if (!basic[at(v)]) change.added.push_back(v);
    place(value);
    return change;
  }
  void computeWeights(Algorithm, Pricing) override {
    std::fill(t_.rowWeight.begin(), t_.rowWeight.end(), 1.0);
    std::fill(t_.columnWeight.begin(), t_.columnWeight.end(), 1.0);
  }
  void computePhase1Costs(double tolerance) override {
    std::vector<double> sign(at(t_.m));
    for (std::size_t i = 0; i < sign.size(); ++i)
      sign[i] = -rules::phase1Cost(t_.rowValue[i], t_.rowLower[i], t_.rowUpper[i], tolerance);
    ToyTeam(t_).combineRows(sign.data(), t_.reducedCost.data());
  }
  PivotReport run(PivotRequest const& request) override {
    ToyTeam team(t_);
    return request.algorithm == Algorithm::primal ? primalPivots(team, request)
                                                  : dualPivots(team, request);
  }
  Measure measure(double primalTolerance, double dualTolerance) override {
    Measure r;
    for (std::size_t i = 0; i < t_.basic.size(); ++i) {
      double const gap = std::fabs(
          rules::violation(t_.rowValue[i], t_.rowLower[i], t_.rowUpper[i], primalTolerance));
      r.primalSum += gap;
      r.primalMax = std::max(r.primalMax, gap);
      r.primalCount += gap > 0.0 ? 1 : 0;
    }
    for (std::size_t j = 0; j < t_.nonbasic.size(); ++j) {
      double const pull = std::fabs(rules::attraction(t_.reducedCost[j], t_.columnValue[j],
                                                      t_.columnLower[j], t_.columnUpper[j]));
      r.objective += t_.reducedCost[j] * t_.columnValue[j];
      if (pull <= dualTolerance) continue;
      r.dualSum += pull;
      r.dualMax = std::max(r.dualMax, pull);
      ++r.dualCount;
    }
    return r;
  }
  Drift drift() override {
    Snapshot const s = snapshot();
    Drift drift;
    auto const n = at(t_.n), m = at(t_.m);
    std::vector<double> y(m);
    for (std::size_t i = 0; i < m; ++i) y[i] = t_.cost[n + i] - s.reducedCost[n + i];
    std::vector<double> const activity = solves().multiply({s.value.data(), n}),
                              product = solves().multiplyTransposed(y);
    for (std::size_t i = 0; i < m; ++i)
      drift.primal = std::max(
          drift.primal, std::fabs(activity[i] + s.value[n + i]) / (1.0 + std::fabs(activity[i])));
    for (std::size_t j = 0; j < n; ++j)
      drift.dual = std::max(drift.dual, std::fabs(t_.cost[j] - product[j] - s.reducedCost[j]) /
                                            (1.0 + std::fabs(product[j])));
    return drift;
  }
  Snapshot snapshotOf(SnapshotContent) override {
    Snapshot s{std::vector<double>(lower_.size()), std::vector<double>(lower_.size()), t_.basic,
               t_.nonbasic};
    for (std::size_t i = 0; i < t_.basic.size(); ++i) s.value[at(t_.basic[i])] = t_.rowValue[i];
    for (std::size_t j = 0; j < t_.nonbasic.size(); ++j) {
      s.value[at(t_.nonbasic[j])] = t_.columnValue[j];
      s.reducedCost[at(t_.nonbasic[j])] = t_.reducedCost[j];
    }
    return s;
  }
  std::vector<double> row(int i) override {
    ToyTeam(t_).row(i);
    return t_.columnEntry;
  }
  std::vector<double> column(int j) override {
    ToyTeam(t_).column(j);
    return t_.rowEntry;
  }

 private:
  void formSlackTableau() {
    std::iota(t_.basic.begin(), t_.basic.end(), t_.n);
    std::iota(t_.nonbasic.begin(), t_.nonbasic.end(), 0);
    t_.entries.assign(at(t_.m) * at(t_.n), 0.0);
    for (int j = 0; j < t_.n; ++j) {
      auto const indices = form_->matrix().columnIndices(j);
      auto const values = form_->matrix().columnValues(j);
      for (std::size_t e = 0; e < indices.size(); ++e) t_.entry(indices[e], j) = values[e];
    }
  }
  /// Bounds, costs and values of nonbasic variables to their positions; x_B = -T x_N and
  /// d = c_N - T'c_B.
  void place(std::vector<double> const& value) {
    ToyTeam team(t_);
    for (std::size_t j = 0; j < t_.nonbasic.size(); ++j) {
      std::size_t const v = at(t_.nonbasic[j]);
      t_.columnLower[j] = lower_[v];
      t_.columnUpper[j] = upper_[v];
      t_.columnChange[j] = -(t_.columnValue[j] = value[v]);
    }
    team.combineColumns();
    t_.rowValue = t_.rowChange;
    for (std::size_t i = 0; i < t_.basic.size(); ++i) {
      std::size_t const v = at(t_.basic[i]);
      t_.rowLower[i] = lower_[v];
      t_.rowUpper[i] = upper_[v];
      t_.rowChange[i] = -t_.cost[v];
    }
    team.combineRows(t_.rowChange.data(), t_.reducedCost.data());
    for (std::size_t j = 0; j < t_.nonbasic.size(); ++j)
      t_.reducedCost[j] += t_.cost[at(t_.nonbasic[j])];
  }

  ToyTableau t_;
  std::vector<double> lower_, upper_;  ///< by variable
};

Solver toySolver(LinearProgram lp) {
  EngineMakers makers;
  makers.factored = makers.precise = {};
  makers.host = [](EngineOptions const&) { return std::make_unique<ToyEngine>(); };
  Solver solver = solverWith(std::move(makers));
  solver.load(std::move(lp));
  return solver;
}

Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(toy_engine)

BOOST_DATA_TEST_CASE(solves_and_proves_what_was_built_from_its_answer,
                     boost::unit_test::data::xrange(200), seed) {
  testing::RandomLp const problem = testing::randomLp(static_cast<std::uint64_t>(seed));
  Solver solver = toySolver(problem.lp);
  Solution const solution = solver.solve(onHost());
  BOOST_TEST_CONTEXT(problem.description) {
    BOOST_TEST((solution.status == problem.expected));
    BOOST_TEST(solution.device == "toy");
    if (problem.expected == Status::optimal)
      BOOST_TEST(std::fabs(solution.objective - problem.objective) <=
                 1e-7 * (1.0 + std::fabs(problem.objective)));
  }
}

BOOST_AUTO_TEST_CASE(each_algorithm_reaches_the_optimum_of_larger_problems) {
  for (LinearProgram const& lp :
       {testing::denseLp(60, 40, 7, false), testing::sparseLp(70, 90, 5, 3)}) {
    double const expected = Solver(lp).solve(onHost()).objective;
    for (auto const algorithm : {AlgorithmChoice::primal, AlgorithmChoice::dual}) {
      Options options = onHost();
      options.algorithm = algorithm;
      Solver solver = toySolver(lp);
      Solution const solution = solver.solve(options);
      BOOST_TEST((solution.status == Status::optimal));
      BOOST_TEST(solution.iterations > 10);
      BOOST_TEST(std::fabs(solution.objective - expected) <= 1e-7 * (1.0 + std::fabs(expected)));
    }
  }
}

// Without the abilities, too: they are made up for by a refactorisation, a new load, or not at all.
BOOST_AUTO_TEST_CASE(edits_exchanges_and_kept_bases_do_without_abilities) {
  LinearProgram const lp = testing::denseLp(20, 15, 11, true);
  Solver solver = toySolver(lp), known(lp);
  auto const solveBoth = [&] {
    Solution const solution = solver.solve(onHost()), expected = known.solve(onHost());
    BOOST_TEST((solution.status == Status::optimal));
    BOOST_TEST(std::fabs(solution.objective - expected.objective) <= 1e-7);
    return solution;
  };
  Solution const first = solveBoth();
  solver.keepBasis();
  BOOST_TEST(!solver.copyAtKeptBasis());
  auto const basic =
      std::find(first.basis.columns.begin(), first.basis.columns.end(), VariableStatus::basic);
  int const column = static_cast<int>(basic - first.basis.columns.begin());
  for (Solver* const each : {&solver, &known}) each->setColumnBounds(column, 0.0, 0.0);
  solveBoth();
  for (Solver* const each : {&solver, &known}) each->setColumnBounds(column, 0.0, infinity);
  solver.goBack();
  BOOST_TEST(solveBoth().objective == first.objective, boost::test_tools::tolerance(1e-9));
  std::vector<int> const nonbasic = solver.nonbasicVariables();
  for (int const entering : nonbasic) {
    std::optional<PivotStep> const step = solver.primalPivot(entering, 1);
    if (step && step->variable != entering) break;
  }
  for (Solver* const each : {&solver, &known}) each->deleteRows(std::vector<int>{3});
  solveBoth();
}

BOOST_AUTO_TEST_SUITE_END()
