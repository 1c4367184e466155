// SPDX-License-Identifier: EPL-2.0
// The part of the engines' contract that speaks of changes: single exchanges, bases near the
// present one, bases that are kept, rows and columns that come and go.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "osi_cuda/model/edits.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/engine_bench.hpp"
#include "tests/support/random.hpp"
#include "tests/support/verified_point.hpp"

using namespace osi_cuda;
using osi_cuda::testing::Bench;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::distance;
using osi_cuda::testing::sparseLp;

namespace {

auto const engines = boost::unit_test::data::make(testing::engineNames());
auto const tableauEngines = boost::unit_test::data::make(testing::tableauEngineNames());

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

std::vector<char> basisOf(Snapshot const& point) {
  std::vector<char> basic(point.value.size(), 0);
  for (int const v : point.basicVariable) basic[at(v)] = 1;
  return basic;
}

bool same(Snapshot const& a, Snapshot const& b) {
  return a.value == b.value && a.reducedCost == b.reducedCost &&
         a.basicVariable == b.basicVariable && a.nonbasicVariable == b.nonbasicVariable;
}

/// A random sequence of changes of a problem that an engine follows.
class Changes {
 public:
  Changes(LinearProgram lp, unsigned seed, std::unique_ptr<Engine> engine)
      : random_(seed), bench_(std::move(lp), std::move(engine)) {}
  std::unique_ptr<Engine> takeEngine() { return std::move(bench_.engine); }

  int kept = 0, reloaded = 0;  ///< reshapes that kept the tableau, and that did not

  int below(int end) { return random_.below(end); }
  double uniform() { return random_.between(-1.0, 1.0); }
  Engine& engine() { return *bench_.engine; }

  // A pivot beside 1e-7 of its column costs as many digits, which a solve's control gives back by a
  // refactorisation. Here nothing does: pivots are of some size, so that what is wrong stands out.
  void pivot() {
    constexpr double smallest = 0.01;
    bool const dual = below(2) == 0;
    Pricing const rules[] = {Pricing::sketched, Pricing::steepest, Pricing::dantzig};
    bench_.run(dual ? Algorithm::dual : Algorithm::primal, dual ? Phase::two : Phase::one,
               rules[below(3)], 1 + below(12), smallest);
  }
  void add(bool rows) {
    LinearProgram& lp = bench_.lp;
    int const count = 1 + below(3), length = rows ? lp.columns() : lp.rows();
    SparseMatrix lines{length, 0, {0}, {}, {}};
    for (int k = 0; k < count; ++k) {
      for (int e = 0; e < length; ++e)
        if (below(3) == 0) {
          lines.indices.push_back(e);
          lines.values.push_back(uniform());
        }
      lines.starts.push_back(static_cast<std::int64_t>(lines.indices.size()));
      ++lines.columns;
    }
    Reshape const change{reshapeMap(lp.rows(), {}, rows ? count : 0),
                         reshapeMap(lp.columns(), {}, rows ? 0 : count)};
    rows ? appendRows(lp.matrix, lines) : appendColumns(lp.matrix, lines);
    take(change);
  }
  void remove(bool rows) {
    LinearProgram& lp = bench_.lp;
    int const size = rows ? lp.rows() : lp.columns();
    if (size < 8) return;
    std::vector<char> const basic = basisOf(engine().snapshot());
    std::vector<int> gone;
    for (int k = 0; k < size; ++k) {
      bool const in = basic[at(rows ? lp.columns() + k : k)] != 0;
      if (gone.size() < 3 && (in == rows || below(20) == 0) && below(4) == 0) gone.push_back(k);
    }
    Reshape const change{reshapeMap(lp.rows(), rows ? gone : std::vector<int>{}, 0),
                         reshapeMap(lp.columns(), rows ? std::vector<int>{} : gone, 0)};
    rows ? removeRows(lp.matrix, gone) : removeColumns(lp.matrix, gone);
    take(change);
  }
  /// Back to where some pivots began.
  void reach() {
    Snapshot const point = engine().snapshot();
    std::vector<char> const basic = basisOf(point);
    for (int k = 1 + below(3); k > 0; --k) pivot();
    if (!osi_cuda::reach(engine(), basic)) engine().refactor(basic);
    BOOST_TEST(basisOf(engine().snapshot()) == basic, boost::test_tools::per_element());
    engine().setValues(point.value);
    engine().setCosts(bench_.form.cost);
  }
  void exchange() {
    Snapshot const point = engine().snapshot();
    if (point.nonbasicVariable.empty()) return;
    int const q = below(static_cast<int>(point.nonbasicVariable.size()));
    std::vector<double> const u = engine().column(q);
    int const r = static_cast<int>(
        std::max_element(u.begin(), u.end(),
                         [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
        u.begin());
    if (std::fabs(u[at(r)]) < 0.1) return;
    osi_cuda::exchange(engine(), r, q, 0.5);
    Snapshot const after = engine().snapshot();
    std::vector<char> const basic = basisOf(after);
    BOOST_TEST(basic[at(point.nonbasicVariable[at(q)])] == 1);
    BOOST_TEST(basic[at(point.basicVariable[at(r)])] == 0);
    BOOST_TEST(after.value[at(point.basicVariable[at(r)])] == 0.5);
  }
  void keepAndRestore() {
    auto* const store = engine().as<BasisStore>();
    if (store == nullptr) return;
    store->keepBasis();
    Snapshot const point = engine().snapshot();
    for (int round = 0; round < 2; ++round) {
      for (int k = below(4); k > 0; --k) pivot();
      if (below(2) == 0) exchange();
      BOOST_TEST(store->restoreBasis());
      engine().setValues(point.value);
      engine().setCosts(bench_.form.cost);
      BOOST_TEST(engine().snapshot().basicVariable == point.basicVariable,
                 boost::test_tools::per_element());
      BOOST_TEST(engine().snapshot().nonbasicVariable == point.nonbasicVariable,
                 boost::test_tools::per_element());
    }
    store->forgetBasis();
  }
  /// Everything that the engine has is that of the problem.
  void check(std::string const& where) {
    engine().setCosts(bench_.form.cost);  // phases and shifts have left others
    BOOST_TEST(bench_.tableauError() < 1e-8, where);
    BOOST_TEST(bench_.productError() < 1e-12, where);
    std::vector<double> b(at(bench_.form.rows()));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i));
    BOOST_TEST(bench_.solveError(b) < 1e-8, where);
    Drift const drift = engine().drift();
    BOOST_TEST(drift.primal < 1e-9, where);
    BOOST_TEST(drift.dual < 1e-9, where);
    testing::checkVerifiedPoint(bench_.lp, bench_.form, engine(), where);
    for (int i = 0; i < bench_.form.rows(); i += 3) {
      std::vector<double> const row = engine().row(i);
      for (int j = 0; j < bench_.form.columns(); j += 5)
        BOOST_TEST(std::fabs(row[at(j)] - engine().column(j)[at(i)]) <
                       1e-8 * (1.0 + std::fabs(row[at(j)])),
                   where);
    }
  }

 private:
  void take(Reshape const& change) {
    LinearProgram& lp = bench_.lp;
    osi_cuda::reshape(lp.rowLower, change.rows, -1.0);
    osi_cuda::reshape(lp.rowUpper, change.rows, 2.0);
    osi_cuda::reshape(lp.columnLower, change.columns, 0.0);
    osi_cuda::reshape(lp.columnUpper, change.columns, 1.0);
    osi_cuda::reshape(lp.objective, change.columns, 0.25);
    reshapeForm(bench_.form, lp, change);
    auto* const taker = engine().as<TakesRowsAndColumns>();
    bool const done = taker != nullptr && taker->reshape(change, bench_.form);
    ++(done ? kept : reloaded);
    if (!done) engine().load(bench_.form);
    engine().setValues(bench_.boundValues());
    engine().setCosts(bench_.form.cost);
  }

  osi_cuda::testing::Random random_;
  Bench bench_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(engine_contract)

BOOST_DATA_TEST_CASE(random_changes_leave_a_right_tableau, engines, name) {
  int kept = 0, reloaded = 0;
  unsigned first = 1, last = 8;
  char const* const others = std::getenv("OSI_CUDA_CHANGES");  // "FIRST LAST", seeds
  if (others) BOOST_TEST_REQUIRE(std::sscanf(others, "%u %u", &first, &last) == 2);
  // Two engines for all problems, by block size: to make one takes longer than a sequence.
  EngineOptions small;
  small.blockSize = 16;
  std::unique_ptr<Engine> made[] = {testing::makeEngine(name, {}),
                                    testing::makeEngine(name, small)};
  for (unsigned seed = first; seed <= last; ++seed) {
    std::unique_ptr<Engine>& own = made[seed % 2 == 0];
    Changes changes(seed % 3 == 0 ? denseLp(24, 30, seed, true) : sparseLp(20, 34, 4, seed), seed,
                    std::move(own));
    for (int step = 0; step < 12; ++step) {
      int const what = changes.below(7);
      if (what == 0) changes.pivot();
      if (what == 1 || what == 2) changes.add(what == 1);
      if (what == 3 || what == 4) changes.remove(what == 3);
      if (what == 5) changes.reach();
      if (what == 6) changes.exchange();
      changes.keepAndRestore();
      changes.pivot();
      changes.check(name + ", seed " + std::to_string(seed) + ", step " + std::to_string(step) +
                    ", change " + std::to_string(what));
    }
    kept += changes.kept;
    reloaded += changes.reloaded;
    own = changes.takeEngine();
  }
  if (name == "host" || name == "cuda") BOOST_TEST(kept > 4 * reloaded);
}

// The same bits, whatever was done in between: no block update, one, or a refactorisation.
BOOST_DATA_TEST_CASE(a_kept_basis_comes_back_to_the_bit, engines, name) {
  EngineOptions options;
  options.blockSize = 16;
  for (Pricing const pricing : {Pricing::sketched, Pricing::steepest}) {
    Bench bench(name, sparseLp(60, 90, 5, 17), options);
    Engine& engine = *bench.engine;
    bench.run(Algorithm::primal, Phase::one, pricing, 9);
    engine.computeWeights(Algorithm::primal, pricing);
    auto* const store = engine.as<BasisStore>();
    if (store == nullptr) return;
    store->keepBasis();
    Snapshot const point = engine.snapshot();
    auto const goBack = [&] {
      if (!store->restoreBasis()) return false;
      engine.setValues(point.value);
      engine.setCosts(bench.form.cost);
      return true;
    };
    BOOST_TEST_REQUIRE(goBack());
    Snapshot const kept = engine.snapshot();
    for (int const pivots : {0, 3, 40}) {
      bench.run(Algorithm::primal, Phase::one, pricing, pivots);
      Snapshot const first = engine.snapshot();
      BOOST_TEST_REQUIRE(goBack());
      BOOST_TEST(same(engine.snapshot(), kept));
      bench.run(Algorithm::primal, Phase::one, pricing, pivots);
      BOOST_TEST(same(engine.snapshot(), first));
      if (pivots == 3) engine.refactor(basisOf(engine.snapshot()));
      BOOST_TEST_REQUIRE(goBack());
    }
    store->forgetBasis();
    BOOST_TEST(!store->restoreBasis());
  }
}

// Rows of large terms that cancel, and rows of what is left of them: a point formed from the
// tableau is off there by the rounding of the former, which no refactorisation changes.
BOOST_DATA_TEST_CASE(a_point_whose_numbers_cancel_is_refined, engines, name) {
  constexpr int half = 10;
  osi_cuda::testing::Random random(3);
  auto const number = [&] { return random.between(0.5, 2.0); };
  LinearProgram lp;
  lp.matrix = SparseMatrix{2 * half, 0, {0}, {}, {}};
  auto const column = [&](bool above, bool below, bool repeated) {
    std::size_t const before = at(static_cast<int>(lp.matrix.values.size())) - half;
    for (int i = above ? 0 : half; i < (below ? 2 * half : half); ++i) {
      double const entry = repeated ? lp.matrix.values[before + at(i)] : number();
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(below && i % half == lp.matrix.columns % half ? 20.0 : entry);
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    ++lp.matrix.columns;
  };
  for (int k = 0; k < half; ++k) column(true, true, false);
  for (int k = 0; k < half; ++k) column(false, true, false);
  for (int k = 0; k < half; ++k) {
    column(true, false, false);
    column(true, false, true);
  }
  std::size_t const n = at(lp.matrix.columns);
  lp.objective.assign(n, 1.0);
  lp.columnLower.assign(n, -infinity);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower.assign(2 * half, 0.0);
  lp.rowUpper.assign(2 * half, 0.0);
  Bench bench(name, lp);
  auto* const verifier = bench.engine->as<VerifiesPoints>();
  if (verifier == nullptr) return;
  std::vector<char> basic(n + 2 * half, 0);
  std::fill(basic.begin(), basic.begin() + 2 * half, 1);
  bench.engine->refactor(basic);
  std::vector<double> value(basic.size(), 0.0);
  for (std::size_t j = 2 * half; j < n; j += 2) {
    value[j] = 1e8 * number();
    value[j + 1] = number() - value[j];
  }
  bench.engine->setValues(value);
  BOOST_TEST(bench.engine->drift().primal > 1e-9);
  BOOST_TEST_REQUIRE(verifier->refinePoint());
  BOOST_TEST(bench.engine->drift().primal < 1e-13);
}

// The verdict that a run brings along is the one of its point.
BOOST_DATA_TEST_CASE(a_run_that_ends_at_an_optimum_brings_its_verdict, engines, name) {
  for (unsigned const seed : {1u, 2u, 3u}) {
    Bench bench(name, denseLp(30, 45, seed, true));
    auto* const verifier = bench.engine->as<VerifiesPoints>();
    if (verifier == nullptr) return;
    verifier->verifyOn(bench.lp);
    BOOST_TEST_REQUIRE(
        (bench.run(Algorithm::primal, Phase::two, Pricing::sketched, 500).stop == Stop::optimal));
    std::optional<VerifiedPoint> const along = verifier->verifiedPoint(bench.lp);
    LinearProgram other = bench.lp;
    other.objectiveOffset += 1.0;
    verifier->verifiedPoint(other);
    std::optional<VerifiedPoint> const later = verifier->verifiedPoint(bench.lp);
    BOOST_TEST_REQUIRE(along.has_value());
    BOOST_TEST_REQUIRE(later.has_value());
    BOOST_TEST(along->columnValues == later->columnValues, boost::test_tools::per_element());
    BOOST_TEST(along->reducedCosts == later->reducedCosts, boost::test_tools::per_element());
    BOOST_TEST(along->exact.objective.value.hi == later->exact.objective.value.hi);
    BOOST_TEST(along->exact.verdict.largest() == later->exact.verdict.largest());
    BOOST_TEST(along->exact.verdict.largest() < 1e-12);
  }
}

BOOST_DATA_TEST_CASE(a_basis_nearby_is_reached_without_a_refactorisation, tableauEngines, name) {
  Bench bench(name, denseLp(60, 45, 7, true));
  bench.run(Algorithm::primal, Phase::two, Pricing::dantzig, 60);
  std::vector<char> const basic = basisOf(bench.engine->snapshot());
  bench.run(Algorithm::primal, Phase::two, Pricing::dantzig, 2);
  Snapshot const before = bench.engine->snapshot();
  BOOST_TEST(reach(*bench.engine, basic));
  Snapshot const after = bench.engine->snapshot();
  BOOST_TEST(basisOf(after) == basic, boost::test_tools::per_element());
  BOOST_TEST(distance(after.value, before.value) < 1e-12);
  BOOST_TEST(bench.tableauError() < 1e-11);
  BOOST_TEST(reach(*bench.engine, basic));  // it is there
}

BOOST_AUTO_TEST_SUITE_END()
