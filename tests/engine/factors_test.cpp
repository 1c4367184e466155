// SPDX-License-Identifier: EPL-2.0
// The parts of the engine without a tableau: vectors with patterns, factors, exchanges, refined
// solves, and a basis that is kept and restored.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <memory>
#include <numeric>

#include "osi_cuda/engine/factors/factored_basis.hpp"
#include "osi_cuda/engine/factors/factored_team.hpp"
#include "osi_cuda/engine/factors/refined_factors.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/engines.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;
using namespace osi_cuda::factors;
using osi_cuda::testing::sparseLp;

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// A basis of a sparse problem that exchanges lead away from slacks, and its variables by row
/// position.
template <class Number>
struct Walk {
  using Vector = PatternVector<Number>;

  LinearProgram lp;
  StandardForm form;
  FactoredBasis<Number> basis;
  std::vector<int> variables;
  osi_cuda::testing::Random random;

  explicit Walk(unsigned seed, int m = 60, int n = 90)
      : lp(sparseLp(m, n, 4, seed)), form(makeStandardForm(lp, true)), random(seed) {
    form.transposed();
    std::vector<char> slacks(at(form.variables()), 0);
    std::fill(slacks.begin() + n, slacks.end(), 1);
    basis.factor(form, slacks, {});
    variables = basis.basicVariables();
  }

  Vector zero() const {
    Vector x;
    x.resize(form.rows());
    return x;
  }
  Vector columnOf(int variable) const {
    Vector x = zero();
    if (variable >= form.columns()) {
      x.set(basis.positionOf(variable - form.columns()), 1.0);
      return x;
    }
    auto const indices = form.matrix().columnIndices(variable);
    auto const values = form.matrix().columnValues(variable);
    for (std::size_t e = 0; e < indices.size(); ++e) x.set(basis.positionOf(indices[e]), values[e]);
    return x;
  }

  /// `count` exchanges of random variables at the largest entry of a row that had none before.
  void exchange(int count) {
    while (count > 0) {
      int const entering = random.below(form.variables());
      if (std::find(variables.begin(), variables.end(), entering) != variables.end()) continue;
      Vector column = columnOf(entering), w = zero(), v = zero();
      basis.solve(column, &w);
      int best = 0;
      for (int i = 0; i < form.rows(); ++i)
        if (std::fabs(rounded(column[i])) > std::fabs(rounded(column[best]))) best = i;
      v.set(best, 1.0);
      basis.solveUpperTransposed(v);
      basis.exchange(best, column[best], w, v);
      variables[at(best)] = entering;
      --count;
    }
  }

  std::vector<char> flags() const {
    std::vector<char> basic(at(form.variables()), 0);
    for (int const v : variables) basic[at(v)] = 1;
    return basic;
  }

  /// Solutions by variable and by constraint, of right sides that any order of positions makes.
  std::vector<double> solution(FactoredBasis<Number> const& factors,
                               std::vector<int> const& order) const {
    Vector x = zero();
    for (int i = 0; i < form.rows(); i += 3) x.set(factors.positionOf(i), std::sin(1.0 + i));
    factors.solve(x);
    std::vector<double> result(at(form.variables()), 0.0);
    for (int k = 0; k < form.rows(); ++k) result[at(order[at(k)])] = rounded(x[k]);
    return result;
  }
  std::vector<double> transposedSolution(FactoredBasis<Number> const& factors,
                                         std::vector<int> const& order) const {
    Vector x = zero();
    for (int k = 0; k < form.rows(); ++k)
      if (order[at(k)] % 3 == 0) x.set(k, std::cos(1.0 + order[at(k)]));
    factors.solveTransposed(x);
    std::vector<double> result(at(form.rows()), 0.0);
    for (int k = 0; k < form.rows(); ++k) result[at(factors.constraintAt(k))] = rounded(x[k]);
    return result;
  }
};

double distance(std::vector<double> const& a, std::vector<double> const& b) {
  BOOST_TEST_REQUIRE(a.size() == b.size());
  double largest = 0.0, size = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(a[i] - b[i]));
    size = std::max(size, std::fabs(b[i]));
  }
  return largest / size;
}

template <class Number>
void compareWithFreshFactors(double tolerance) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    Walk<Number> walk(seed);
    walk.exchange(5 + static_cast<int>(3 * seed));
    std::vector<char> basic = walk.flags();
    FactoredBasis<Number> fresh;
    BOOST_TEST_REQUIRE(fresh.factor(walk.form, basic, {}).dropped.empty(), "seed " << seed);
    auto const order = fresh.basicVariables();
    BOOST_TEST(distance(walk.solution(walk.basis, walk.variables), walk.solution(fresh, order)) <
                   tolerance,
               "seed " << seed);
    BOOST_TEST(distance(walk.transposedSolution(walk.basis, walk.variables),
                        walk.transposedSolution(fresh, order)) < tolerance,
               "seed " << seed);
  }
}

/// An engine with a problem whose nonbasic variables are at bounds.
struct Started {
  LinearProgram lp = sparseLp(80, 120, 5, 17);
  StandardForm form = makeStandardForm(lp, true);
  std::unique_ptr<Engine> engine;
  BasisStore& store;

  explicit Started(std::string const& name)
      : engine(testing::makeEngine(name, {})), store(*engine->as<BasisStore>()) {
    engine->load(form);
    std::vector<double> value(form.lower.size(), 0.0);
    for (std::size_t v = 0; v < value.size(); ++v)
      value[v] = std::isfinite(form.lower[v])   ? form.lower[v]
                 : std::isfinite(form.upper[v]) ? form.upper[v]
                                                : 0.0;
    engine->setValues(value);
  }
  /// To the basis that was kept, with nonbasic variables where `point` has them.
  void goBack(Snapshot const& point) {
    BOOST_TEST_REQUIRE(store.restoreBasis());
    engine->setValues(point.value);
    engine->setCosts(form.cost);
  }
  int pivots(int count) {
    int done = 0;
    while (done < count) {
      engine->computeWeights(Algorithm::primal, Pricing::devex);
      engine->computePhase1Costs(1e-7);
      PivotRequest request;
      request.phase = Phase::one;
      request.pricing = Pricing::devex;
      request.budget = count - done;
      PivotReport const report = engine->run(request);
      done += report.iterations;
      if (report.stop != Stop::full && report.stop != Stop::budget) break;
    }
    return done;
  }
};

bool same(Snapshot const& a, Snapshot const& b) {
  return a.value == b.value && a.reducedCost == b.reducedCost &&
         a.basicVariable == b.basicVariable && a.nonbasicVariable == b.nonbasicVariable;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(factors_parts)

BOOST_AUTO_TEST_CASE(sweeps_visit_what_is_marked_and_what_is_marked_ahead) {
  for (int const size : {1, 63, 64, 65, 200, 4096, 4097, 9000}) {
    Marks marks;
    marks.resize(size);
    std::vector<int> up, down, expected(at(size));
    std::iota(expected.begin(), expected.end(), 0);
    marks.set(0);
    marks.sweepUp([&](int i) {
      up.push_back(i);
      if (i + 1 < size) marks.set(i + 1);
    });
    BOOST_TEST(up == expected, boost::test_tools::per_element());
    BOOST_TEST(marks.count() == size);
    marks.clear();
    BOOST_TEST(marks.count() == 0);
    marks.set(size - 1);
    marks.sweepDown([&](int i) {
      down.push_back(i);
      if (i > 0) marks.set(i - 1);
    });
    std::reverse(down.begin(), down.end());
    BOOST_TEST(down == expected, boost::test_tools::per_element());
    marks.clear();
    marks.setAll(size);
    BOOST_TEST(marks.count() == size);
    std::vector<int> part;
    marks.sweepUp([&](int i) { part.push_back(i); }, size / 2);
    BOOST_TEST(part.front() == size / 2);
    BOOST_TEST(part.size() == at(size - size / 2));
    part.clear();
    marks.sweepDown([&](int i) { part.push_back(i); }, size / 2);
    BOOST_TEST(part.back() == size / 2);
    BOOST_TEST(part.size() == at(size - size / 2));
  }
}

BOOST_AUTO_TEST_CASE(marks_that_are_taken_are_gone_and_counted_before) {
  osi_cuda::testing::Random random(7);
  for (int const size : {1, 64, 65, 1000}) {
    PatternVector<double> x;
    x.resize(size);
    std::vector<int> expected;
    for (int i = 0; i < size; ++i) {
      if (random.below(3) > 0) continue;
      x.set(i, 1.0 + i);
      expected.push_back(i);
    }
    BOOST_TEST(x.marks().count() == static_cast<int>(expected.size()));
    Marks marks = x.marks();
    std::vector<int> taken, inBlocks;
    for (int block = 0; block < marks.blocks(); ++block)
      marks.sweepBlock(block, [&](int i) {
        BOOST_TEST(Marks::blockOf(i) == block);
        inBlocks.push_back(i);
      });
    marks.takeAll([&](int i) { taken.push_back(i); });
    BOOST_TEST(taken == expected, boost::test_tools::per_element());
    BOOST_TEST(inBlocks == expected, boost::test_tools::per_element());
    BOOST_TEST(marks.count() == 0);
    x.clear();
    BOOST_TEST(x.marks().count() == 0);
    for (int i = 0; i < size; ++i) BOOST_TEST(x[i] == 0.0);
  }
}

// What a pivot of a large sparse problem costs beside its own entries: it does not look again at
// rows that the last one left alone, and many pivots share a factorisation.
BOOST_AUTO_TEST_CASE(the_choice_of_a_row_looks_at_rows_that_have_changed) {
  constexpr int m = 5000;
  for (bool const exact : {true, false}) {
    host::Positions p;
    p.resizePositions(m, 10, 100);
    std::iota(p.basic.begin(), p.basic.end(), 10);
    FactoredTableau<double> tableau(p);
    FactoredTeam<double> team(tableau, p, Algorithm::dual, exact);
    for (int i = 0; i < m; i += 2) p.rowValue[at(i)] = 1.0 + (i * 37) % 1001;
    int looked = 0;
    auto const look = [&](rules::Candidate& best, int i) {
      ++looked;
      rules::Candidate c;
      c.position = i;
      c.variable = p.basic[at(i)];
      c.tie = static_cast<std::uint32_t>(c.variable);
      c.key = p.rowValue[at(i)];
      best = rules::better(best, c);
    };
    auto const choose = [&] {
      looked = 0;
      return team.reduceViolated(rules::Candidate{}, look, rules::better);
    };
    rules::Candidate first;
    for (int i = 0; i < m; i += 2) look(first, i);
    BOOST_TEST(choose().position == first.position);
    BOOST_TEST(looked == m / 2);
    BOOST_TEST(choose().position == first.position);
    BOOST_TEST(looked == (exact ? 0 : m / 2));
  }
}
BOOST_AUTO_TEST_CASE(exchanges_of_a_factorisation_are_more_where_rows_are_many) {
  auto const most = [](int rows) {
    LinearProgram const lp = sparseLp(rows, 20, 2, 1);
    StandardForm const form = makeStandardForm(lp, false);
    auto const engine = makeFactoredEngine({});
    engine->load(form);
    return engine->traits().mostPivots;
  };
  BOOST_TEST(most(40) == 100);
  BOOST_TEST(most(5000) == 200);
  BOOST_TEST(most(30000) == 400);
}

// The same sums in the same order, whatever is passed over.
BOOST_AUTO_TEST_CASE(solves_that_pass_over_zeros_are_those_of_all_entries_to_the_bit) {
  int sparse = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Walk<double> walk(seed, 300, 400);
    walk.exchange(60);
    std::vector<char> basic = walk.flags();
    FactoredBasis<double> fresh;
    BOOST_TEST_REQUIRE(fresh.factor(walk.form, basic, {}).dropped.empty());
    for (int k = 0; k < 300; k += 7) {
      FactoredBasis<double> const& basis = k % 2 == 0 ? fresh : walk.basis;  // with exchanges
      PatternVector<double> few = walk.zero();
      few.set(k, 1.0);
      PatternVector<double> all = few;
      all.markAll();
      basis.solve(few);
      basis.solve(all);
      sparse += few.mostlyMarked() ? 0 : 1;
      bool equal = true;
      for (int i = 0; i < 300; ++i) equal = equal && few[i] == all[i];
      BOOST_TEST(equal, "seed " << seed << ", column " << k);
      few.clear();
      few.set(k, 1.0);
      all.clear();
      all.set(k, 1.0);
      all.markAll();
      basis.solveTransposed(few);
      basis.solveTransposed(all);
      for (int i = 0; i < 300; ++i) equal = equal && few[i] == all[i];
      BOOST_TEST(equal, "seed " << seed << ", row " << k);
    }
  }
  BOOST_TEST(sparse > 100);
}

namespace {

/// The columns of a matrix with `each` random entries in a column, and one on the diagonal; the
/// last `dependent` columns are sums of two others each.
template <class Number>
Lines<Number> randomColumns(int order, int each, int dependent, unsigned seed) {
  osi_cuda::testing::Random random(seed);
  std::vector<std::vector<double>> columns(at(order), std::vector<double>(at(order), 0.0));
  for (int j = 0; j < order; ++j) {
    for (int k = 0; k < each; ++k) columns[at(j)][at(random.below(order))] = random.quarters(8);
    columns[at(j)][at(j)] = 1.0 + std::fabs(random.quarters(8));
  }
  for (int k = 0; k < dependent; ++k)
    for (int i = 0; i < order; ++i)
      columns[at(order - 1 - k)][at(i)] = columns[at(2 * k)][at(i)] + columns[at(2 * k + 1)][at(i)];
  Lines<Number> lines;
  for (auto const& column : columns) {
    for (int i = 0; i < order; ++i)
      if (column[at(i)] != 0.0) lines.add(i, Number(column[at(i)]));
    lines.endLine();
  }
  return lines;
}

/// The largest entry of (L U)^-1 P less the identity, rows and columns of P by their pivots.
template <class Number>
double worstOf(SparseLu<Number> const& lu, Lines<Number> const& columns) {
  double worst = 0.0;
  for (int l = 0; l < lu.size(); ++l) {
    PatternVector<Number> x;
    x.resize(lu.size());
    auto const column = at(lu.columnOf(l));
    for (auto entry = columns.begin(column); entry != columns.end(column); ++entry)
      x.set(lu.pivotOfRow(entry->index), entry->value);
    lu.solveLower(x, 0.0);
    lu.solveUpper(x, 0.0);
    for (int k = 0; k < lu.size(); ++k)
      worst = std::max(worst, std::fabs(rounded(x[k]) - (k == l ? 1.0 : 0.0)));
  }
  return worst;
}

template <class Number>
void checkFilledIn(double tolerance) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    int const order = 40 + 17 * static_cast<int>(seed), each = 2 + static_cast<int>(seed) % 5 * 8;
    Lines<Number> const columns = randomColumns<Number>(order, each, 0, seed);
    SparseLu<Number> const lu(order, columns, {});
    BOOST_TEST(lu.unpivotedRows().empty());
    BOOST_TEST(worstOf(lu, columns) < tolerance);
    int const dependent = 1 + static_cast<int>(seed) % 4;
    SparseLu<Number> const singular(order, randomColumns<Number>(order, each, dependent, seed), {});
    BOOST_TEST(singular.unpivotedRows().size() == at(dependent));
    BOOST_TEST(singular.unpivotedColumns().size() == at(dependent));
  }
}

}  // namespace

// What elimination fills in goes on as a dense matrix, of one panel of rows or several.
BOOST_AUTO_TEST_CASE(matrices_that_fill_in_have_factors_too) {
  checkFilledIn<double>(1e-9);
  checkFilledIn<DoubleDouble>(1e-22);
}

BOOST_AUTO_TEST_CASE(who_wishes_to_stop_does_so_in_what_has_filled_in) {
  int asked = 0;
  BOOST_CHECK_THROW(SparseLu<double>(600, randomColumns<double>(600, 200, 0, 1),
                                     [&asked] { return ++asked == 6; }),
                    Interrupted);
}

BOOST_AUTO_TEST_CASE(exchanges_give_what_a_fresh_factorisation_gives) {
  compareWithFreshFactors<double>(1e-8);
  compareWithFreshFactors<DoubleDouble>(1e-15);
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_basis_stays_as_it_was) {
  Walk<double> walk(5);
  walk.exchange(10);
  FactoredBasis<double> const copy = walk.basis;
  auto const variables = walk.variables;
  auto const before = walk.solution(walk.basis, variables);
  auto const transposedBefore = walk.transposedSolution(walk.basis, variables);
  walk.exchange(10);
  BOOST_TEST(distance(walk.solution(walk.basis, walk.variables), before) > 1e-3);
  BOOST_CHECK(walk.solution(copy, variables) == before);
  BOOST_CHECK(walk.transposedSolution(copy, variables) == transposedBefore);
}

// The factor of the last exchange is wrong by so much that no refinement by it converges.
BOOST_AUTO_TEST_CASE(solves_by_ruined_factors_are_refined_by_fresh_ones) {
  Walk<double> walk(3);
  walk.exchange(12);
  std::vector<double> b(60);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(static_cast<double>(i));
  RefinedFactors<double> good, ruined;
  std::function<bool()> const never;
  auto const z = good.ftran({walk.form, walk.basis, walk.variables, never}, b);
  auto const y = good.btran({walk.form, walk.basis, walk.variables, never}, b);
  PatternVector<double> wrong = walk.zero(), unit = walk.zero();
  for (int i = 0; i < 60; ++i) wrong.set(i, 3.0 + i);
  unit.set(7, 1.0);
  walk.basis.solveUpperTransposed(unit);
  walk.basis.exchange(7, 0.01, wrong, unit);
  BOOST_TEST(distance(ruined.ftran({walk.form, walk.basis, walk.variables, never}, b), z) < 1e-12);
  BOOST_TEST(distance(ruined.btran({walk.form, walk.basis, walk.variables, never}, b), y) < 1e-12);
}

// What follows is the same to the bit: factors, weights and positions are those of before.
BOOST_DATA_TEST_CASE(a_kept_basis_is_restored_to_the_bit,
                     boost::unit_test::data::make({"factors", "precise"}), name) {
  Started started(name);
  BOOST_TEST_REQUIRE(started.pivots(8) == 8);
  started.store.keepBasis();
  Snapshot const point = started.engine->snapshot();
  started.goBack(point);
  Snapshot const kept = started.engine->snapshot();
  for (int const pivots : {12, 70}) {  // the second with a factorisation on the way
    BOOST_TEST(started.pivots(pivots) > 10);
    Snapshot const first = started.engine->snapshot();
    started.goBack(point);
    BOOST_TEST(same(started.engine->snapshot(), kept));
    started.pivots(pivots);
    BOOST_TEST(same(started.engine->snapshot(), first));
    started.goBack(point);
  }
  started.store.forgetBasis();
  BOOST_TEST(!started.store.restoreBasis());
}

namespace {

/// The largest difference of the reduced costs of variables that `counts` from those of a fresh
/// engine at the same basis.
template <class Counts>
double offFromFresh(Started const& started, Snapshot const& point, std::vector<double> const& cost,
                    Counts counts) {
  std::unique_ptr<Engine> const fresh = testing::makeEngine("factors", {});
  fresh->load(started.form);
  std::vector<char> basic(point.value.size(), 0);
  for (int const v : point.basicVariable) basic[at(v)] = 1;
  fresh->refactor(basic);
  fresh->setCosts(cost);
  fresh->setValues(point.value);
  Snapshot const right = fresh->snapshot();
  double largest = 0.0;
  for (std::size_t v = 0; v < basic.size(); ++v)
    if (counts(v))
      largest = std::max(largest, std::fabs(point.reducedCost[v] - right.reducedCost[v]));
  return largest;
}

}  // namespace

// The dual passes over fixed variables. What it leaves out of date, nobody sees who asks for it.
BOOST_AUTO_TEST_CASE(reduced_costs_of_fixed_variables_are_formed_for_who_asks) {
  Started started("factors");
  Engine& engine = *started.engine;
  auto const columns = at(started.form.columns());
  std::vector<double> lower(at(started.form.variables()), 0.0), upper(lower.size(), 100.0);
  std::vector<double> cost(lower.size(), 0.0), value(lower.size(), 0.0);
  for (std::size_t v = 0; v < columns; ++v) {
    lower[v] = value[v] = static_cast<double>(v % 3);
    if (v % 5 == 0) upper[v] = lower[v];
    cost[v] = 1.0 + static_cast<double>(v % 7);
  }
  engine.setValues(value);
  Snapshot const slacks = engine.snapshotOf(SnapshotContent::point);
  for (std::size_t v = columns; v < lower.size(); ++v) {  // a third of the rows are violated
    lower[v] = slacks.value[v] - 1000.0;
    upper[v] = slacks.value[v] + (v % 3 == 0 ? -1.0 : 1000.0);
  }
  engine.setBounds(lower, upper);
  engine.setCosts(cost);
  engine.setValues(value);
  PivotRequest request;
  request.algorithm = Algorithm::dual;
  request.pricing = Pricing::steepest;
  auto const isFixed = [&](std::size_t v) { return lower[v] == upper[v]; };
  auto const all = [](std::size_t) { return true; };
  for (int const pivots : {8, 4}) {
    request.budget = pivots;
    engine.computeWeights(Algorithm::dual, Pricing::steepest);
    BOOST_TEST_REQUIRE(engine.run(request).iterations == pivots);
    double const objective = engine.measure(1e-7, 1e-7).objective;
    Snapshot const point = engine.snapshotOf(SnapshotContent::point);
    BOOST_TEST(offFromFresh(started, point, engine.costs(),
                            [&](std::size_t v) { return !isFixed(v); }) < 1e-8);
    // Out of date indeed, or there would be nothing to be seen.
    BOOST_TEST(offFromFresh(started, point, engine.costs(), isFixed) > 1e-6);
    Snapshot const whole = engine.snapshot();
    BOOST_TEST(offFromFresh(started, whole, engine.costs(), all) < 1e-8);
    double const summed = engine.measure(1e-7, 1e-7).objective;  // from reduced costs now
    BOOST_TEST(std::fabs(objective - summed) <= 1e-9 * (1.0 + std::fabs(summed)));
  }
  engine.computeWeights(Algorithm::dual, Pricing::steepest);
  BOOST_TEST_REQUIRE(engine.run(request).iterations > 0);
  for (std::size_t v = 0; v < columns; v += 5) upper[v] = lower[v] + 1.0;  // free to enter
  engine.setBounds(lower, upper);
  BOOST_TEST(offFromFresh(started, engine.snapshotOf(SnapshotContent::point), engine.costs(), all) <
             1e-8);
}

// A caller may walk by single exchanges for as long as he likes: from time to time the basis is
// factored anew, as in a run.
BOOST_AUTO_TEST_CASE(long_walks_by_single_exchanges_keep_their_digits) {
  LinearProgram const lp = sparseLp(150, 200, 5, 4);
  StandardForm const form = makeStandardForm(lp, true);
  auto const engine = makeFactoredEngine({});
  engine->load(form);
  osi_cuda::testing::Random random(4);
  for (int exchanges = 0; exchanges < 600;) {
    auto const q = static_cast<int>(random() % 200);
    std::vector<double> const column = engine->column(q);
    double largest = 0.0;
    for (double const entry : column) largest = std::max(largest, std::fabs(entry));
    int row = -1;
    for (std::size_t i = 0; i < column.size(); ++i)
      if (std::fabs(column[i]) > 0.1 * largest && (row < 0 || random() % 3 == 0))
        row = static_cast<int>(i);
    if (row < 0) continue;
    exchange(*engine, row, q, 0.0);
    ++exchanges;
  }
  BOOST_TEST(engine->drift().dual < 1e-11);
}

BOOST_AUTO_TEST_SUITE_END()
