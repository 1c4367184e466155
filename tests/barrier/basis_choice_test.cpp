// SPDX-License-Identifier: EPL-2.0
// A basis of independent columns for the crossover: dense columns and what is made of a problem,
// judged by products of the matrices alone.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "osi_cuda/barrier/basis_choice.hpp"
#include "osi_cuda/barrier/dense_columns.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

using Matrix = std::vector<std::vector<double>>;  // by columns

/// How many of the columns are independent, by elimination with complete pivoting; what is left
/// below `zero` beside the largest entry counts as zero.
int rankOf(Matrix a, double zero = 1e-9) {
  int rank = 0;
  auto const rows = a.empty() ? std::size_t{0} : a.front().size();
  double first = 0.0;
  std::vector<char> used(rows, 0), done(a.size(), 0);
  for (;;) {
    double largest = 0.0;
    std::size_t row = 0, column = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t i = 0; i < rows; ++i)
        if (!done[j] && !used[i] && std::fabs(a[j][i]) > largest) {
          largest = std::fabs(a[j][i]);
          row = i;
          column = j;
        }
    if (rank == 0) first = largest;
    if (largest == 0.0 || largest <= zero * first) return rank;
    used[row] = done[column] = 1;
    ++rank;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (done[j]) continue;
      double const factor = a[j][row] / a[column][row];
      for (std::size_t i = 0; i < rows; ++i) a[j][i] -= factor * a[column][i];
    }
  }
}

/// Random columns, of which every third is a combination of two before it.
Matrix dependentColumns(int rows, int columns, testing::Random& random) {
  Matrix a;
  for (int j = 0; j < columns; ++j) {
    std::vector<double> column(at(rows));
    if (j % 3 == 2)
      for (std::size_t i = 0; i < column.size(); ++i)
        column[i] = 2.0 * a[at(j) - 1][i] - 0.5 * a[at(j) - 2][i];
    else
      for (double& x : column) x = random.between(-1.0, 1.0);
    a.push_back(std::move(column));
  }
  return a;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(basis_choice)

// The same columns come out whatever the blocks are, every dependent one is refused, and none that
// is independent of those before it.
BOOST_AUTO_TEST_CASE(dense_columns_are_taken_as_long_as_they_are_independent) {
  testing::Random random(3);
  for (int const rows : {1, 7, 40}) {
    Matrix const a = dependentColumns(rows, 2 * rows + 3, random);
    std::vector<std::vector<char>> answers;
    for (std::size_t const width : {std::size_t{1}, std::size_t{5}, a.size()}) {
      DenseColumns columns(rows, 1e-6, 1);
      std::vector<char> taken;
      for (std::size_t begin = 0; begin < a.size(); begin += width) {
        std::vector<double> block, sizes;
        for (std::size_t j = begin; j < std::min(begin + width, a.size()); ++j) {
          block.insert(block.end(), a[j].begin(), a[j].end());
          sizes.push_back(1.0);
        }
        auto const accepted = columns.take(block, sizes);
        taken.insert(taken.end(), accepted.begin(), accepted.end());
      }
      BOOST_TEST(columns.taken() == std::accumulate(taken.begin(), taken.end(), 0));
      int pivots = 0;
      for (int i = 0; i < rows; ++i) pivots += columns.hasPivot(i);
      BOOST_TEST(pivots == columns.taken());
      answers.push_back(taken);
    }
    BOOST_TEST(answers[0] == answers[1], boost::test_tools::per_element());
    BOOST_TEST(answers[0] == answers[2], boost::test_tools::per_element());
    Matrix chosen;
    int rank = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      chosen.push_back(a[j]);
      int const now = rankOf(chosen);
      BOOST_TEST((answers[0][j] != 0) == (now > rank), "column " << j << " of " << rows);
      if (now == rank) chosen.pop_back();
      rank = now;
    }
  }
}

// Sparse columns that fill in, so that the rest is dense; some copies and sums among them. The
// basis has m variables, is regular, and takes what is wanted most as long as it is independent.
BOOST_AUTO_TEST_CASE(the_basis_of_a_problem_that_fills_in_is_regular) {
  testing::Random random(11);
  constexpr int m = 120, n = 200, perColumn = 9;
  LinearProgram lp;
  lp.matrix.rows = m;
  lp.matrix.columns = n;
  Matrix dense(n + m, std::vector<double>(m, 0.0));
  for (int j = 0; j < n; ++j) {
    if (j % 5 == 4)  // the sum of the two before it
      for (int i = 0; i < m; ++i)
        dense[at(j)][at(i)] = dense[at(j) - 1][at(i)] + dense[at(j) - 2][at(i)];
    else
      for (int e = 0; e < perColumn; ++e)
        dense[at(j)][random() % m] = random.sign() * random.between(0.5, 2.0);
    for (int i = 0; i < m; ++i) {
      if (dense[at(j)][at(i)] == 0.0) continue;
      lp.matrix.indices.push_back(i);
      lp.matrix.values.push_back(dense[at(j)][at(i)]);
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  for (int i = 0; i < m; ++i) dense[at(n + i)][at(i)] = 1.0;
  lp.objective.assign(n, 1.0);
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower.assign(m, -infinity);
  lp.rowUpper.assign(m, 1.0);
  StandardForm const form = makeStandardForm(lp, false);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<char> const basic = independentBasis(form, order, 2);
  BOOST_TEST(std::accumulate(basic.begin(), basic.end(), 0) == m);
  Matrix chosen;
  int structurals = 0;
  for (std::size_t v = 0; v < basic.size(); ++v)
    if (basic[v]) {
      chosen.push_back(dense[v]);
      structurals += v < at(n);
    }
  BOOST_TEST(rankOf(chosen) == m);
  BOOST_TEST(structurals > m * 9 / 10);
  for (int j = 4; j < n; j += 5)
    if (basic[at(j) - 1] && basic[at(j) - 2]) BOOST_TEST(!basic[at(j)], "column " << j);
}

BOOST_AUTO_TEST_SUITE_END()
