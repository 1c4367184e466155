// SPDX-License-Identifier: EPL-2.0
// Sparse normal equations: order, fronts, factor and choice, beside dense ones.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/elimination_order.hpp"
#include "osi_cuda/barrier/front_tree.hpp"
#include "osi_cuda/barrier/sparse_normal.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/host/front_factor.hpp"
#include "osi_cuda/solve/plan.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/peak_memory.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;
using barrier::FrontTree;
using barrier::Neighbours;
using barrier::NormalLines;
using host::FrontFactor;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

struct Stop {};

void goOn() {}

SparseMatrix matrixOf(int rows, std::vector<std::vector<std::pair<int, double>>> const& columns) {
  SparseMatrix a;
  a.rows = rows;
  a.columns = static_cast<int>(columns.size());
  for (auto const& column : columns) {
    for (auto const& [row, value] : column) {
      a.indices.push_back(row);
      a.values.push_back(value);
    }
    a.starts.push_back(static_cast<std::int64_t>(a.indices.size()));
  }
  return a;
}

/// Random lines with `dense` full ones; some nodes and lines are empty.
SparseMatrix randomLines(int order, int count, int length, int dense, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<std::vector<std::pair<int, double>>> lines(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    auto& line = lines[static_cast<std::size_t>(k)];
    if (k % 11 == 5) continue;
    for (int i = 0; i < order; ++i)
      if (i % 13 != 7 && (k < dense || random.below(order) < length))
        line.emplace_back(i, random.between(-2.0, 2.0));
  }
  return matrixOf(order, lines);
}

/// sum of weight[k] a_k a_k' + diag(diagonal), by columns.
std::vector<double> denseNormal(SparseMatrix const& lines, std::vector<double> const& weight,
                                std::vector<double> const& diagonal) {
  auto const order = static_cast<std::size_t>(lines.rows);
  std::vector<double> m(order * order, 0.0);
  for (std::size_t i = 0; i < order; ++i) m[i * order + i] = diagonal[i];
  for (int k = 0; k < lines.columns; ++k) {
    auto const nodes = lines.columnIndices(k);
    auto const values = lines.columnValues(k);
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = 0; b < nodes.size(); ++b)
        m[static_cast<std::size_t>(nodes[a]) * order + static_cast<std::size_t>(nodes[b])] +=
            weight[static_cast<std::size_t>(k)] * values[a] * values[b];
  }
  return m;
}

/// |M x - b| / (|M| |x| + |b|), largest entries.
double backwardError(std::vector<double> const& m, std::vector<double> const& x,
                     std::vector<double> const& b) {
  std::size_t const order = x.size();
  double error = 0.0, size = 0.0, right = 0.0, point = 0.0;
  for (std::size_t i = 0; i < order; ++i) {
    double sum = -b[i], row = 0.0;
    for (std::size_t j = 0; j < order; ++j) {
      sum += m[j * order + i] * x[j];
      row += std::fabs(m[j * order + i]);
    }
    if (!(std::fabs(sum) < 1e300)) return unlimited;
    error = std::max(error, std::fabs(sum));
    size = std::max(size, row);
    point = std::max(point, std::fabs(x[i]));
    right = std::max(right, std::fabs(b[i]));
  }
  return error / (size * point + right);
}

std::vector<double> randomNumbers(std::size_t count, double low, double high, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = std::pow(10.0, random.between(std::log10(low), std::log10(high)));
  return numbers;
}

int fillOf(Neighbours const& graph, std::vector<int> const& order) {
  int const n = graph.count();
  std::vector<std::vector<char>> met(static_cast<std::size_t>(n),
                                     std::vector<char>(static_cast<std::size_t>(n), 0));
  for (int i = 0; i < n; ++i)
    for (int const j : graph.of(i))
      met[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = 1;
  int entries = 0;
  std::vector<char> gone(static_cast<std::size_t>(n), 0);
  for (int const i : order) {
    gone[static_cast<std::size_t>(i)] = 1;
    std::vector<std::size_t> left;
    for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
      if (!gone[j] && met[static_cast<std::size_t>(i)][j]) left.push_back(j);
    entries += static_cast<int>(left.size());
    for (std::size_t const a : left)
      for (std::size_t const b : left) met[a][b] = a != b;
  }
  return entries;
}

/// A grid of side x side nodes, each beside its four neighbours.
Neighbours grid(int side) {
  Neighbours graph;
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) {
      if (r > 0) graph.nodes.push_back((r - 1) * side + c);
      if (c > 0) graph.nodes.push_back(r * side + c - 1);
      if (c + 1 < side) graph.nodes.push_back(r * side + c + 1);
      if (r + 1 < side) graph.nodes.push_back((r + 1) * side + c);
      graph.starts.push_back(static_cast<std::int64_t>(graph.nodes.size()));
    }
  return graph;
}

/// min sum |b - x| + 50 sum |second differences of x| for free x.
LinearProgram trendFilter(int points) {
  testing::Random random(3);
  std::vector<std::vector<std::pair<int, double>>> columns;
  LinearProgram lp;
  auto const add = [&](std::vector<std::pair<int, double>> entries, double cost, double lower) {
    columns.push_back(std::move(entries));
    lp.objective.push_back(cost);
    lp.columnLower.push_back(lower);
    lp.columnUpper.push_back(infinity);
  };
  int const rows = 2 * points - 2;
  for (int i = 0; i < points; ++i) {
    std::vector<std::pair<int, double>> entries{{i, 1.0}};
    for (int d = std::max(0, i - 2); d <= std::min(i, points - 3); ++d)
      entries.emplace_back(points + d, i - d == 1 ? -2.0 : 1.0);
    add(std::move(entries), 0.0, -infinity);
  }
  for (int i = 0; i < rows; ++i)
    for (double const sign : {1.0, -1.0}) add({{i, sign}}, i < points ? 1.0 : 50.0, 0.0);
  lp.matrix = matrixOf(rows, columns);
  double slope = 0.0, level = 0.0;
  for (int i = 0; i < rows; ++i) {
    if (i % 50 == 0) slope = random.normal();
    level += slope;
    lp.rowLower.push_back(i < points ? level + random.normal() : 0.0);
  }
  lp.rowUpper = lp.rowLower;
  return lp;
}

/// min sum |y - X b| for free b: an equation each of `samples`, `features` full columns.
LinearProgram regression(int samples, int features) {
  testing::Random random(5);
  std::vector<std::vector<std::pair<int, double>>> columns(static_cast<std::size_t>(features));
  LinearProgram lp;
  for (auto& column : columns)
    for (int i = 0; i < samples; ++i) column.emplace_back(i, random.normal());
  for (int i = 0; i < samples; ++i)
    for (double const sign : {1.0, -1.0}) columns.push_back({{i, sign}});
  lp.matrix = matrixOf(samples, columns);
  lp.objective.assign(columns.size(), 1.0);
  lp.columnLower.assign(columns.size(), 0.0);
  lp.columnUpper.assign(columns.size(), infinity);
  for (int k = 0; k < features; ++k) {
    lp.objective[static_cast<std::size_t>(k)] = 0.0;
    lp.columnLower[static_cast<std::size_t>(k)] = -infinity;
  }
  for (int i = 0; i < samples; ++i) lp.rowLower.push_back(random.normal());
  lp.rowUpper = lp.rowLower;
  return lp;
}

std::optional<barrier::SparseNormal> choiceFor(LinearProgram const& lp) {
  StandardForm const form = makeStandardForm(lp, true);
  return barrier::sparseNormal(form, barrierWork(form, 10.0), 10.0, goOn);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sparse_normal)

BOOST_AUTO_TEST_CASE(an_order_has_each_node_once_and_groups_of_one_kind) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SparseMatrix const lines = randomLines(60, 50, 3, seed % 3 == 0 ? 1 : 0, seed);
    SparseMatrix const across = lines.transposed();
    Neighbours graph;
    for (int i = 0; i < 60; ++i) {
      std::vector<int> met;
      for (int const line : across.columnIndices(i))
        for (int const j : lines.columnIndices(line))
          if (j != i) met.push_back(j);
      std::sort(met.begin(), met.end());
      met.erase(std::unique(met.begin(), met.end()), met.end());
      graph.nodes.insert(graph.nodes.end(), met.begin(), met.end());
      graph.starts.push_back(static_cast<std::int64_t>(graph.nodes.size()));
    }
    std::vector<char> kind(60, 0);
    for (std::size_t i = 0; i < 60; i += 4) kind[i] = 1;
    auto const order = barrier::minimumDegree(graph, kind, goOn);
    std::vector<int> sorted = order.nodes, all(60);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0);
    BOOST_TEST_REQUIRE(sorted == all);
    for (std::size_t g = 0; g + 1 < order.starts.size(); ++g)
      for (int k = order.starts[g]; k < order.starts[g + 1]; ++k)
        BOOST_TEST(
            kind[static_cast<std::size_t>(order.nodes[static_cast<std::size_t>(k)])] ==
            kind[static_cast<std::size_t>(order.nodes[static_cast<std::size_t>(order.starts[g])])]);
    std::vector<int> natural(all);
    BOOST_TEST(fillOf(graph, order.nodes) <= fillOf(graph, natural), "seed " << seed);
  }
}

// By rows a grid of 20 x 20 fills in with some 20 entries a node, 7600; nested dissection takes
// 31/8 n log2 n, 13400 at most, in practice some 3500.
BOOST_AUTO_TEST_CASE(a_grid_fills_in_little) {
  Neighbours const graph = grid(20);
  auto const order = barrier::minimumDegree(graph, std::vector<char>(400, 0), goOn);
  BOOST_TEST(fillOf(graph, order.nodes) < 4000);
}

// Factors are taken twice with the same object: first of numbers that are none, so that whatever a
// buffer kept would show.
BOOST_AUTO_TEST_CASE(factors_solve_what_dense_ones_do) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    int const order = 5 + static_cast<int>(seed * 7 % 180),
              count = 3 + static_cast<int>(seed * 13 % 220);
    int const dense = static_cast<int>(seed % 4);
    SparseMatrix const lines = randomLines(order, count, 3, dense, seed),
                       across = lines.transposed();
    std::vector<double> const weight =
                                  randomNumbers(static_cast<std::size_t>(count), 1e-4, 1e4, seed),
                              diagonal = randomNumbers(static_cast<std::size_t>(order), 1e-2, 1e2,
                                                       seed + 1),
                              right = randomNumbers(static_cast<std::size_t>(order), 1e-1, 1e1,
                                                    seed + 2);
    std::vector<double> const m = denseNormal(lines, weight, diagonal);
    for (int kept = 0; kept <= std::min(dense, count); ++kept) {
      std::vector<int> long_(static_cast<std::size_t>(kept));
      std::iota(long_.begin(), long_.end(), 0);
      NormalLines const normal{lines, across, long_};
      FrontFactor factor(normal, barrier::plantFronts(normal, unlimited, goOn), 1);
      std::vector<double> const nothing(static_cast<std::size_t>(count), std::nan("")),
          none(static_cast<std::size_t>(order), std::nan(""));
      BOOST_TEST(!factor.factor(nothing.data(), none.data(), 0.0, goOn));
      std::vector<double> x = right;
      BOOST_TEST_REQUIRE(factor.factor(weight.data(), diagonal.data(), 0.0, goOn));
      factor.solve(x.data());
      BOOST_TEST(backwardError(m, x, right) < 1e-12, "seed " << seed << ", " << kept << " kept");
    }
  }
}

// Larger fronts go through BLAS, in blocks.
BOOST_AUTO_TEST_CASE(large_fronts_are_factored_in_blocks) {
  int const order = 700;
  SparseMatrix const lines = randomLines(order, 900, 40, 0, 1), across = lines.transposed();
  std::vector<double> const weight = randomNumbers(900, 1e-2, 1e2, 1), diagonal(700, 1e-3),
                            right = randomNumbers(700, 1e-1, 1e1, 2);
  NormalLines const normal{lines, across, {}};
  FrontTree const tree = barrier::plantFronts(normal, unlimited, goOn);
  BOOST_TEST(tree.fronts.size() < 200u);
  FrontFactor factor(normal, tree, 2);
  BOOST_TEST_REQUIRE(factor.factor(weight.data(), diagonal.data(), 0.0, goOn));
  std::vector<double> x = right;
  factor.solve(x.data());
  BOOST_TEST(backwardError(denseNormal(lines, weight, diagonal), x, right) < 1e-12);
}

// Row 1 twice row 0 and nothing on the diagonal: no factor, unless the diagonal is made larger; a
// row that is nearly the same has one.
BOOST_AUTO_TEST_CASE(dependent_rows_have_no_factor_without_a_larger_diagonal) {
  auto const factorOf = [](double apart, double share, std::vector<double>& x) {
    SparseMatrix const lines =
        matrixOf(3, {{{0, 1.0}, {1, 2.0}}, {{0, 3.0}, {1, 6.0 + apart}, {2, 1.0}}, {{2, 1.0}}, {}});
    SparseMatrix const across = lines.transposed();
    NormalLines const normal{lines, across, {}};
    FrontFactor factor(normal, barrier::plantFronts(normal, unlimited, goOn), 1);
    std::vector<double> const weight(4, 1.0), diagonal(3, 0.0);
    if (!factor.factor(weight.data(), diagonal.data(), share, goOn)) return false;
    factor.solve(x.data());
    return true;
  };
  std::vector<double> x{1.0, 2.0, 0.0};
  BOOST_TEST(!factorOf(0.0, -1e-15, x));
  BOOST_TEST_REQUIRE(factorOf(0.0, 1e-8, x));
  BOOST_TEST(std::fabs(10.0 * x[0] + 20.0 * x[1] + 3.0 * x[2] - 1.0) < 1e-6);
  x = {1.0, 2.0, 0.0};
  BOOST_TEST_REQUIRE(factorOf(1e-4, 0.0, x));
  BOOST_TEST(std::fabs(10.0 * x[0] + (20.0 + 3e-4) * x[1] + 3.0 * x[2] - 1.0) < 1e-6);
}

BOOST_AUTO_TEST_CASE(what_pause_throws_passes_through) {
  SparseMatrix const lines = randomLines(100, 100, 3, 0, 1), across = lines.transposed();
  NormalLines const normal{lines, across, {}};
  std::vector<double> const weight(100, 1.0), diagonal(100, 1.0);
  FrontFactor factor(normal, barrier::plantFronts(normal, unlimited, goOn), 1);
  int asked = 0;
  std::function<void()> const stop = [&asked] {
    if (++asked == 20) throw Stop{};
  };
  BOOST_CHECK_THROW(barrier::plantFronts(normal, unlimited, stop), Stop);
  asked = 19;  // a factor of so few products asks once
  BOOST_CHECK_THROW(factor.factor(weight.data(), diagonal.data(), 0.0, stop), Stop);
  BOOST_TEST(factor.factor(weight.data(), diagonal.data(), 0.0, goOn));
}

BOOST_AUTO_TEST_CASE(too_much_work_plants_nothing) {
  SparseMatrix const lines = randomLines(100, 100, 5, 0, 1), across = lines.transposed();
  NormalLines const normal{lines, across, {}};
  double const work = barrier::plantFronts(normal, unlimited, goOn).operations;
  BOOST_TEST(barrier::plantFronts(normal, 0.001 * work, goOn).fronts.empty());
}

BOOST_AUTO_TEST_CASE(no_factor_takes_less_than_its_bound) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    int const order = 5 + static_cast<int>(seed * 11 % 200),
              count = 3 + static_cast<int>(seed * 13 % 220);
    int const dense = static_cast<int>(seed % 3), length = 2 + static_cast<int>(seed % 30);
    SparseMatrix const lines = randomLines(order, count, length, dense, seed),
                       across = lines.transposed();
    std::vector<double> const weight(static_cast<std::size_t>(count), 1.0),
        none(static_cast<std::size_t>(order), 0.0);
    for (int kept = 0; kept <= std::min(dense, count); ++kept) {
      std::vector<int> long_(static_cast<std::size_t>(kept));
      std::iota(long_.begin(), long_.end(), 0);
      std::vector<double> left = weight;
      std::fill(left.begin(), left.begin() + kept, 0.0);
      std::vector<char> meets(static_cast<std::size_t>(order) * static_cast<std::size_t>(order));
      for (int k = kept; k < count; ++k)
        for (int const i : lines.columnIndices(k))
          for (int const j : lines.columnIndices(k))
            meets[static_cast<std::size_t>(i * order + j)] = i > j;
      auto const entries = static_cast<double>(std::count(meets.begin(), meets.end(), 1));
      NormalLines const normal{lines, across, long_};
      BOOST_TEST_REQUIRE(barrier::entriesOf(normal, unlimited, goOn) == entries);
      BOOST_TEST(barrier::entriesOf(normal, 0.5 * entries, goOn) <= 0.5 * entries + order);
      auto const least = barrier::factorBound(order, entries);
      FrontTree const tree = barrier::plantFronts(normal, unlimited, goOn);
      BOOST_TEST(tree.operations >= least.operations);
      BOOST_TEST(static_cast<double>(tree.entries) >= least.entries);
    }
  }
  double const n = 500.0, operations = barrier::factorBound(500, n * (n - 1.0) / 2.0).operations;
  BOOST_TEST(operations <= n * n * n / 3.0);
  BOOST_TEST(operations >= 0.99 * n * n * n / 3.0);
}

// A graph of 1500 nodes that all meet has 2 million neighbours, by rows and by columns.
BOOST_AUTO_TEST_CASE(what_is_certain_to_be_rejected_has_no_graph) {
  std::mt19937_64 random(3);
  std::vector<std::vector<std::pair<int, double>>> columns(1500);
  for (auto& column : columns)
    for (int i = 0; i < 1500; ++i)
      if (random() % 10 == 0) column.emplace_back(i, 1.0);
  LinearProgram lp;
  lp.matrix = matrixOf(1500, columns);
  lp.objective.assign(1500, 1.0);
  lp.columnLower.assign(1500, 0.0);
  lp.columnUpper.assign(1500, infinity);
  lp.rowLower.assign(1500, 1.0);
  lp.rowUpper.assign(1500, infinity);
  StandardForm const form = makeStandardForm(lp, true);
  form.transposed();
  testing::PeakMemory const memory;
  BOOST_TEST(!barrier::sparseNormal(form, barrierWork(form, 10.0), 10.0, goOn).has_value());
  if (memory.known()) BOOST_TEST(memory.bytes() < 6e6);
}

// Long columns are kept; fronts of what is left are tiny.
BOOST_AUTO_TEST_CASE(the_least_work_is_chosen) {
  auto const full = choiceFor(regression(300, 10));
  BOOST_TEST_REQUIRE(full.has_value());
  BOOST_TEST(full->kept.size() == 10u);
  BOOST_TEST(full->work.factor < 2e6);
  auto const band = choiceFor(trendFilter(300));
  BOOST_TEST_REQUIRE(band.has_value());
  BOOST_TEST(band->kept.empty());
}

BOOST_AUTO_TEST_CASE(free_and_long_columns_end_at_the_vertex_of_the_simplex_method) {
  for (LinearProgram const& lp : {trendFilter(400), regression(400, 12)}) {
    Options options;
    options.engine = EngineChoice::host;
    options.presolve = Toggle::off;
    Solution const pivots = Solver(lp).solve(options);
    options.algorithm = AlgorithmChoice::barrier;
    Solution const inside = Solver(lp).solve(options);
    BOOST_TEST(toString(inside.status) == "optimal");
    BOOST_TEST(std::fabs(inside.objective - pivots.objective) <=
               1e-9 * (1.0 + std::fabs(pivots.objective)));
    BOOST_TEST(inside.barrierIterations < 45);
    BOOST_TEST(inside.iterations < 60);
  }
}

// Flows of 40 goods over arcs of shared capacities: rows of capacities fill the normal matrix in,
// bases do not.
BOOST_AUTO_TEST_CASE(flows_end_by_pivots_that_are_tried_first) {
  constexpr int nodes = 60, arcs = 500, goods = 40;
  testing::Random random(7);
  std::vector<int> tail(arcs), head(arcs);
  for (int k = 0; k < arcs; ++k) {
    tail[static_cast<std::size_t>(k)] = k < nodes ? k : random.below(nodes);
    int const step = k < nodes ? 1 : 1 + random.below(nodes - 1);
    head[static_cast<std::size_t>(k)] = (tail[static_cast<std::size_t>(k)] + step) % nodes;
  }
  LinearProgram lp;
  std::vector<std::vector<std::pair<int, double>>> columns;
  lp.rowLower.assign(static_cast<std::size_t>(nodes * goods), 0.0);
  for (int good = 0; good < goods; ++good) {
    int const source = random.below(nodes), sink = (source + 1 + random.below(nodes - 1)) % nodes;
    auto const row = [&](int node) { return good * nodes + node; };
    lp.rowLower[static_cast<std::size_t>(row(source))] = 10.0;
    lp.rowLower[static_cast<std::size_t>(row(sink))] = -10.0;
    for (int k = 0; k < arcs; ++k) {
      columns.push_back({{row(tail[static_cast<std::size_t>(k)]), 1.0},
                         {row(head[static_cast<std::size_t>(k)]), -1.0},
                         {nodes * goods + k, 1.0}});
      lp.objective.push_back(1.0 + random.below(10));
    }
    columns.push_back({{row(source), 1.0}, {row(sink), -1.0}});  // what no arc has room for
    lp.objective.push_back(200.0);
  }
  lp.matrix = matrixOf(nodes * goods + arcs, columns);
  lp.rowUpper = lp.rowLower;
  lp.rowLower.resize(static_cast<std::size_t>(lp.rows()), -infinity);
  lp.rowUpper.resize(static_cast<std::size_t>(lp.rows()), 12.0);
  lp.columnLower.assign(lp.objective.size(), 0.0);
  lp.columnUpper.assign(lp.objective.size(), infinity);
  Options options;
  options.engine = EngineChoice::host;
  options.presolve = Toggle::off;
  options.threads = 1;
  BOOST_TEST(likeNetwork(lp.matrix));
  Solution const solution = Solver(lp).solve(options);
  BOOST_TEST((solution.status == Status::optimal));
  BOOST_TEST((solution.algorithm == SolveAlgorithm::dual));
  options.algorithm = AlgorithmChoice::barrier;
  Solution const other = Solver(lp).solve(options);
  BOOST_TEST(other.objective == solution.objective, boost::test_tools::tolerance(1e-9));
  BOOST_TEST((other.algorithm == SolveAlgorithm::barrier));
}

// The faces of these problems' optima are degenerate, and their rounding is worth 1e-12: pivots on
// either used to come to no end.
BOOST_AUTO_TEST_CASE(pivots_behind_the_method_do_not_stall) {
  for (std::uint64_t const seed : {7u, 11u}) {
    Options options;
    options.engine = EngineChoice::host;
    options.presolve = Toggle::off;
    options.iterationLimit = 40'000;
    Solver solver(testing::sparseLp(800, 850, 9, seed));
    Solution const s = solver.solve(options);
    BOOST_TEST(toString(s.status) == "optimal");
    BOOST_TEST((s.algorithm == SolveAlgorithm::barrier));
    BOOST_TEST(s.iterations < 2'500);
    options.algorithm = AlgorithmChoice::dual;
    Solution const reference = Solver(testing::sparseLp(800, 850, 9, seed)).solve(options);
    BOOST_TEST(std::fabs(s.objective - reference.objective) <=
               1e-9 * (1 + std::fabs(reference.objective)));
  }
}

BOOST_AUTO_TEST_CASE(counting_can_be_stopped) {
  LinearProgram const lp = trendFilter(3000);
  StandardForm const form = makeStandardForm(lp, true);
  auto const barrier = makeHostBarrier({1});
  int asked = 0;
  BOOST_CHECK_THROW(barrier::sparseNormal(form, barrierWork(form, 10.0), 10.0,
                                          [&asked] {
                                            if (++asked == 500) throw Stop{};
                                          }),
                    Stop);
}

BOOST_AUTO_TEST_SUITE_END()
