// SPDX-License-Identifier: EPL-2.0
// Dense arrays that the library copies as they are, or uses where they lie.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/c/problem.hpp"
#include "tests/support/peak_memory.hpp"

using namespace osi_cuda::testing;

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// How the same matrix comes to the library.
enum class Way { sparse, copiedByRows, copiedByColumns, borrowedByRows, borrowedByColumns };
constexpr Way ways[] = {Way::sparse, Way::copiedByRows, Way::copiedByColumns, Way::borrowedByRows,
                        Way::borrowedByColumns};

/// max sum x, A x <= 1, 0 <= x <= 2, where A has `share` of zeros.
struct Dense {
  int m, n;
  std::vector<double> rows, columns;  ///< A by rows, by columns
  std::vector<double> costs, upper, rowUpper;

  Dense(int rowCount, int columnCount, double share, unsigned seed = 1)
      : m(rowCount),
        n(columnCount),
        rows(at(m) * at(n)),
        columns(rows.size()),
        costs(at(n)),
        upper(at(n), 2.0),
        rowUpper(at(m)) {
    auto const next = [&] {
      seed = seed * 1664525u + 1013904223u;
      return (seed >> 8) / 16777216.0;
    };
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        rows[at(i) * at(n) + at(j)] = columns[at(j) * at(m) + at(i)] =
            next() < share ? 0.0 : 0.1 + next();
    for (double& cost : costs) cost = 1.0 + 0.1 * next();
    for (double& side : rowUpper) side = 1.0 + 0.1 * next();
  }

  Problem load(Way way) const {
    Problem problem = makeProblem();
    auto* const p = problem.get();
    auto const dense = [&](auto function, bool byRows) {
      return function(p, m, n, byRows ? rows.data() : columns.data(), byRows ? n : 1,
                      byRows ? 1 : m, nullptr, upper.data(), nullptr, rowUpper.data(),
                      costs.data());
    };
    switch (way) {
      case Way::sparse:
        BOOST_TEST(loadSparse(p) == OSI_CUDA_OK);
        break;
      case Way::copiedByRows:
        BOOST_TEST(dense(osi_cuda_load_dense, true) == OSI_CUDA_OK);
        break;
      case Way::copiedByColumns:
        BOOST_TEST(dense(osi_cuda_load_dense, false) == OSI_CUDA_OK);
        break;
      case Way::borrowedByRows:
        BOOST_TEST(dense(osi_cuda_borrow_dense, true) == OSI_CUDA_OK);
        break;
      case Way::borrowedByColumns:
        BOOST_TEST(dense(osi_cuda_borrow_dense, false) == OSI_CUDA_OK);
        break;
    }
    osi_cuda_set_sense(p, OSI_CUDA_MAXIMIZE);
    return problem;
  }

 private:
  int loadSparse(osi_cuda_problem* p) const {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> indices;
    std::vector<double> values;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        double const value = columns[at(j) * at(m) + at(i)];
        if (value == 0.0) continue;
        indices.push_back(i);
        values.push_back(value);
      }
      starts.push_back(std::ssize(values));
    }
    return osi_cuda_load_columns(p, m, n, starts.data(), indices.data(), values.data(), nullptr,
                                 upper.data(), nullptr, rowUpper.data(), costs.data());
  }
};

double solved(Problem const& problem) {
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK, message(problem));
  BOOST_TEST(osi_cuda_status(problem.get()) == OSI_CUDA_STATUS_OPTIMAL);
  return number(problem, OSI_CUDA_OBJECTIVE);
}

struct Matrix {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> rows;
  std::vector<double> values;
  bool operator==(Matrix const&) const = default;
};

Matrix matrixOf(Problem const& problem) {
  Matrix matrix;
  matrix.starts.resize(at(osi_cuda_columns(problem.get())) + 1);
  matrix.rows.resize(static_cast<std::size_t>(osi_cuda_nonzeros(problem.get())));
  matrix.values.resize(matrix.rows.size());
  osi_cuda_get_matrix(problem.get(), matrix.starts.data(), matrix.rows.data(),
                      matrix.values.data());
  return matrix;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dense_arrays, *boost::unit_test::tolerance(1e-8))

BOOST_AUTO_TEST_CASE(who_keeps_the_numbers) {
  Dense const few(20, 30, 0.5), many(20, 30, 0.1);
  for (Way const way : ways) {
    bool const borrows = way == Way::borrowedByRows || way == Way::borrowedByColumns;
    BOOST_TEST(osi_cuda_borrows(many.load(way).get()) == (borrows ? 1 : 0));
    BOOST_TEST(osi_cuda_borrows(few.load(way).get()) == 0);  // too many zeros
    BOOST_TEST((matrixOf(many.load(way)) == matrixOf(many.load(Way::sparse))));
    BOOST_TEST((matrixOf(few.load(way)) == matrixOf(few.load(Way::sparse))));
  }
  BOOST_TEST(osi_cuda_borrows(nullptr) == -1);
  // Every other row, and every other column: with gaps.
  Problem const problem = makeProblem();
  std::vector<double> const ones(600, 1.0);
  auto const borrow = [&](int m, int n, int rowStep, int columnStep) {
    BOOST_TEST(osi_cuda_borrow_dense(problem.get(), m, n, ones.data(), rowStep, columnStep, nullptr,
                                     nullptr, nullptr, nullptr, nullptr) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_nonzeros(problem.get()) == m * n);
    return osi_cuda_borrows(problem.get());
  };
  BOOST_TEST(borrow(10, 30, 60, 1) == 0);
  BOOST_TEST(borrow(20, 15, 30, 2) == 0);
  BOOST_TEST(borrow(1, 600, 7, 1) == 1);
  BOOST_TEST(borrow(600, 1, 1, 7) == 1);
  BOOST_TEST(borrow(0, 600, 600, 1) == 0);
}

BOOST_AUTO_TEST_CASE(no_number_has_to_be_finite_but_all_are) {
  Dense dense(20, 30, 0.0);
  dense.rows[77] = std::nan("");
  Problem const problem = makeProblem();
  BOOST_TEST(osi_cuda_borrow_dense(problem.get(), 20, 30, dense.rows.data(), 30, 1, nullptr,
                                   nullptr, nullptr, nullptr, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) == "Column C18 has an entry in row R3 that is not finite.");
  BOOST_TEST(osi_cuda_borrow_dense(problem.get(), 20, 30, nullptr, 30, 1, nullptr, nullptr, nullptr,
                                   nullptr, nullptr) == OSI_CUDA_BAD_ARGUMENT);
}

// Every way through the library: both algorithms, the interior point method, presolve, rational
// arithmetic.
BOOST_AUTO_TEST_CASE(all_ways_have_the_same_optimum) {
  std::vector<std::vector<std::pair<char const*, char const*>>> const settings{
      {{"algorithm", "primal"}},  {{"algorithm", "dual"}, {"scaling", "off"}},
      {{"algorithm", "barrier"}}, {{"representation", "factors"}},
      {{"presolve", "on"}},       {{"exact", "on"}}};
  Dense const dense(60, 45, 0.2);
  for (auto const& setting : settings) {
    double expected = 0.0;
    for (Way const way : ways) {
      Problem const problem = dense.load(way);
      osi_cuda_set_option(problem.get(), "engine", "host");
      for (auto const& [name, value] : setting)
        BOOST_TEST(osi_cuda_set_option(problem.get(), name, value) == OSI_CUDA_OK);
      double const found = solved(problem);
      if (way == Way::sparse) expected = found;
      BOOST_TEST(found == expected, setting[0].first << " " << setting[0].second);
      BOOST_TEST(number(problem, OSI_CUDA_PRIMAL_RESIDUAL) <= 1e-7);
      BOOST_TEST(number(problem, OSI_CUDA_DUAL_RESIDUAL) <= 1e-7);
    }
  }
}

// With a device, real or emulated: an entry of its own.
BOOST_AUTO_TEST_CASE(on_a_device, *boost::unit_test::disabled()) {
  Dense const dense(40, 25, 0.2);
  for (char const* const algorithm : {"primal", "dual", "barrier"}) {
    double expected = 0.0;
    for (Way const way : ways) {
      Problem const problem = dense.load(way);
      osi_cuda_set_option(problem.get(), "engine", "cuda");
      osi_cuda_set_option(problem.get(), "algorithm", algorithm);
      double const found = solved(problem);
      BOOST_TEST(osi_cuda_text(problem.get(), OSI_CUDA_TEXT_ENGINE) == std::string("cuda"));
      BOOST_TEST(number(problem, OSI_CUDA_DEVICE_LOST) == 0.0);
      if (way == Way::sparse) expected = found;
      BOOST_TEST(found == expected, algorithm);
      double const bound = 0.01;  // a tableau that is formed anew from the basis
      std::int32_t const column = 3;
      osi_cuda_set_column_bounds(problem.get(), 1, &column, nullptr, &bound);
      double const again = solved(problem);
      osi_cuda_forget_basis(problem.get());
      BOOST_TEST(solved(problem) == again);
    }
  }
}

BOOST_AUTO_TEST_CASE(badly_scaled_arrays_are_scaled_in_a_copy) {
  Dense dense(60, 45, 0.2);
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 45; ++j)
      dense.rows[at(i) * 45 + at(j)] = dense.columns[at(j) * 60 + at(i)] *=
          std::exp2(4 * (5 * i % 7) + 4 * (3 * j % 11));
  std::vector<double> const before = dense.rows;
  double const expected = solved(dense.load(Way::sparse));
  for (Way const way : ways) BOOST_TEST(solved(dense.load(way)) == expected);
  BOOST_TEST((dense.rows == before));
}

BOOST_AUTO_TEST_CASE(changes_leave_the_callers_numbers_alone) {
  Dense const dense(30, 20, 0.1);
  std::vector<double> const rows = dense.rows, columns = dense.columns;
  std::int32_t const i = 3, j = 7;
  double const coefficient = 5.0;
  std::vector<double> const row(20, 1.0), column(30, 1.0), side{1.5}, cost{1.0};
  std::vector<double> expected;
  for (Way const way : ways) {
    Problem const problem = dense.load(way);
    auto* const p = problem.get();
    std::vector<double> optima{solved(problem)};
    osi_cuda_problem* other = nullptr;
    BOOST_TEST(osi_cuda_copy(p, &other) == OSI_CUDA_OK);
    Problem const copy(other);
    BOOST_TEST(osi_cuda_borrows(other) == osi_cuda_borrows(p));
    BOOST_TEST(osi_cuda_set_coefficients(p, 1, &i, &j, &coefficient) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_borrows(p) == 0);
    optima.push_back(solved(problem));
    BOOST_TEST(osi_cuda_add_rows_dense(p, 1, row.data(), 20, 1, nullptr, side.data()) ==
               OSI_CUDA_OK);
    optima.push_back(solved(problem));
    BOOST_TEST(osi_cuda_add_columns_dense(p, 1, std::vector<double>(31, 1.0).data(), 1, 31, nullptr,
                                          nullptr, cost.data()) == OSI_CUDA_OK);
    optima.push_back(solved(problem));
    BOOST_TEST(osi_cuda_delete_rows(p, 1, &i) == OSI_CUDA_OK);
    optima.push_back(solved(problem));
    optima.push_back(solved(copy));  // which the changes have not reached
    BOOST_TEST(optima.front() == optima.back());
    BOOST_TEST(osi_cuda_delete_columns(other, 1, &j) == OSI_CUDA_OK);
    optima.push_back(solved(copy));
    if (way == Way::sparse) expected = optima;
    BOOST_TEST(optima == expected, boost::test_tools::per_element());
  }
  BOOST_TEST((dense.rows == rows));
  BOOST_TEST((dense.columns == columns));
}

BOOST_AUTO_TEST_CASE(files_have_no_zeros) {
  Dense const dense(12, 9, 0.2);
  auto const file = (std::filesystem::temp_directory_path() / "dense_arrays.mps").string();
  for (Way const way : {Way::copiedByRows, Way::borrowedByRows}) {
    BOOST_TEST(osi_cuda_write(dense.load(way).get(), file.c_str()) == OSI_CUDA_OK);
    Problem const back = makeProblem();
    BOOST_TEST(osi_cuda_read(back.get(), file.c_str()) == OSI_CUDA_OK);
    BOOST_TEST((matrixOf(back) == matrixOf(dense.load(Way::sparse))));
  }
  std::remove(file.c_str());
}

BOOST_AUTO_TEST_CASE(proofs_and_analyses_are_the_same) {
  Dense const dense(15, 10, 0.2);
  std::vector<double> const high(15, 100.0);
  std::vector<double> ranges;
  for (Way const way : ways) {
    Problem const problem = dense.load(way);
    auto* const p = problem.get();
    solved(problem);
    std::vector<double> low(10), up(10);
    BOOST_TEST(osi_cuda_get_ranging(p, OSI_CUDA_RANGE_COSTS, 10, low.data(), up.data(), nullptr,
                                    nullptr) == OSI_CUDA_OK);
    low.insert(low.end(), up.begin(), up.end());
    if (way == Way::sparse) ranges = low;
    for (std::size_t k = 0; k < low.size(); ++k)
      if (low[k] != ranges[k]) BOOST_TEST(low[k] == ranges[k]);  // infinite ones have no difference
    std::vector<double> lifted(high);
    BOOST_TEST(osi_cuda_set_row_bounds(p, 15, nullptr, high.data(), lifted.data()) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_INFEASIBLE);
    std::vector<std::uint8_t> columns(10), rows(15);
    int irreducible = 0, status = -1;
    BOOST_TEST(osi_cuda_find_iis(p, columns.data(), rows.data(), &irreducible) == OSI_CUDA_OK);
    BOOST_TEST(irreducible == 1);
    BOOST_TEST(osi_cuda_relax(p, OSI_CUDA_RELAX_SUM, OSI_CUDA_RELAX_ROWS, nullptr, nullptr, nullptr,
                              nullptr, nullptr, nullptr, &status) == OSI_CUDA_OK);
    BOOST_TEST(status == OSI_CUDA_STATUS_OPTIMAL);
    std::vector<double> const free(15, -INFINITY), none(15, INFINITY), far(10, INFINITY);
    BOOST_TEST(osi_cuda_set_row_bounds(p, 15, nullptr, free.data(), none.data()) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_set_column_bounds(p, 10, nullptr, nullptr, far.data()) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_status(p) == OSI_CUDA_STATUS_UNBOUNDED);
  }
}

// Peak memory beside the array, as a share of it. The engine's tableau is as large as the array.
BOOST_AUTO_TEST_CASE(no_copy_is_made_but_those_that_are_told) {
  int const m = 3000, n = 1500;
  solved(furniture());  // libraries and threads take their own first
  Dense const dense(m, n, 0.0);
  double const array = 8.0 * m * n;
  auto const peakOf = [&](Way way, double& solving) {
    PeakMemory const memory;
    if (!memory.known()) return -1.0;
    Problem const problem = dense.load(way);
    double const loading = memory.bytes() / array;
    osi_cuda_set_option(problem.get(), "engine", "host");
    osi_cuda_set_option(problem.get(), "iteration-limit", "10");
    BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
    solving = memory.bytes() / array;
    std::printf("way %d: %.2f arrays to load, %.2f at most\n", static_cast<int>(way), loading,
                solving);
    return loading;
  };
  constexpr double tableau = 1.0, rest = 0.3;
  for (Way const way : ways) {
    double solving = 0.0;
    double const loading = peakOf(way, solving);
    if (loading < 0.0) {
      BOOST_TEST_MESSAGE("the system does not count peak memory");
      return;
    }
    if (way == Way::sparse) continue;
    bool const borrowed = way == Way::borrowedByRows || way == Way::borrowedByColumns;
    double const copies = borrowed ? 0.0 : 1.0;
    BOOST_TEST(loading <= copies + 0.1);
    BOOST_TEST(solving <= copies + tableau + rest);
  }
}

BOOST_AUTO_TEST_SUITE_END()
