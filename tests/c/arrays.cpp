// SPDX-License-Identifier: EPL-2.0
// The same problem from every kind of array and from a file.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/c/problem.hpp"
#include "tests/support/file_size_limit.hpp"

using namespace osi_cuda::testing;

namespace {

// 3 x 2: (1 0; 2 3; 0 4)
std::vector<std::int64_t> const columnStarts{0, 2, 4}, rowStarts{0, 1, 3, 4};
std::vector<std::int32_t> const rowsOf{0, 1, 1, 2}, columnsOf{0, 0, 1, 1};
std::vector<double> const byColumns{1, 2, 3, 4}, byRows{1, 2, 3, 4};

struct Matrix {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> rows;
  std::vector<double> values;
  bool operator==(Matrix const&) const = default;
};

Matrix matrixOf(Problem const& problem) {
  Matrix matrix;
  matrix.starts.resize(static_cast<std::size_t>(osi_cuda_columns(problem.get())) + 1);
  matrix.rows.resize(static_cast<std::size_t>(osi_cuda_nonzeros(problem.get())));
  matrix.values.resize(matrix.rows.size());
  osi_cuda_get_matrix(problem.get(), matrix.starts.data(), matrix.rows.data(),
                      matrix.values.data());
  return matrix;
}

Matrix const expected{columnStarts, rowsOf, byColumns};

}  // namespace

BOOST_AUTO_TEST_SUITE(arrays)

BOOST_AUTO_TEST_CASE(every_layout_gives_the_same_matrix) {
  std::vector<double> const rowsFirst{1, 0, 2, 3, 0, 4}, columnsFirst{1, 2, 0, 0, 3, 4};
  // Every other number of an array, rows from the last to the first.
  std::vector<double> const strided{0, 9, 4, 9, 2, 9, 3, 9, 1, 9, 0, 9};
  Problem const problem = makeProblem();
  auto* const p = problem.get();
  auto const loadDense = [&](double const* matrix, int rowStep, int columnStep) {
    BOOST_TEST(osi_cuda_load_dense(p, 3, 2, matrix, rowStep, columnStep, nullptr, nullptr, nullptr,
                                   nullptr, nullptr) == OSI_CUDA_OK);
    BOOST_TEST((matrixOf(problem) == expected));
  };
  loadDense(rowsFirst.data(), 2, 1);
  loadDense(columnsFirst.data(), 1, 3);
  loadDense(strided.data() + 8, -4, 2);
  BOOST_TEST(osi_cuda_load_columns(p, 3, 2, columnStarts.data(), rowsOf.data(), byColumns.data(),
                                   nullptr, nullptr, nullptr, nullptr, nullptr) == OSI_CUDA_OK);
  BOOST_TEST((matrixOf(problem) == expected));
  BOOST_TEST(osi_cuda_load_rows(p, 3, 2, rowStarts.data(), columnsOf.data(), byRows.data(), nullptr,
                                nullptr, nullptr, nullptr, nullptr) == OSI_CUDA_OK);
  BOOST_TEST((matrixOf(problem) == expected));
  BOOST_TEST(osi_cuda_rows(p) == 3);
  BOOST_TEST(osi_cuda_columns(p) == 2);
}

// Large enough for several stripes and threads, with zeros in between.
BOOST_AUTO_TEST_CASE(large_dense_matrices_keep_every_entry) {
  int const rows = 700, columns = 333;
  std::vector<double> matrix(static_cast<std::size_t>(rows * columns));
  for (std::size_t k = 0; k < matrix.size(); ++k) matrix[k] = k % 3 == 0 ? 0.0 : double(k);
  Problem const problem = makeProblem();
  for (bool const byRow : {true, false}) {
    BOOST_TEST(osi_cuda_load_dense(problem.get(), rows, columns, matrix.data(), byRow ? columns : 1,
                                   byRow ? 1 : rows, nullptr, nullptr, nullptr, nullptr,
                                   nullptr) == OSI_CUDA_OK);
    Matrix const found = matrixOf(problem);
    std::vector<double> back(matrix.size(), 0.0);
    for (int j = 0; j < columns; ++j)
      for (auto e = static_cast<std::size_t>(found.starts[j]);
           e < static_cast<std::size_t>(found.starts[j + 1]); ++e)
        back[static_cast<std::size_t>(byRow ? found.rows[e] * columns + j
                                            : found.rows[e] + j * rows)] = found.values[e];
    BOOST_TEST((back == matrix));
  }
}

BOOST_AUTO_TEST_CASE(absent_arrays_have_defaults) {
  Problem const problem = makeProblem();
  std::vector<double> const one{1};
  osi_cuda_load_dense(problem.get(), 1, 1, one.data(), 1, 1, nullptr, nullptr, nullptr, nullptr,
                      nullptr);
  double columnLower = 9, columnUpper = 9, rowLower = 9, rowUpper = 9, cost = 9, offset = 9;
  int sense = 9;
  osi_cuda_get_column_bounds(problem.get(), &columnLower, &columnUpper);
  osi_cuda_get_row_bounds(problem.get(), &rowLower, &rowUpper);
  osi_cuda_get_costs(problem.get(), &cost);
  osi_cuda_get_objective(problem.get(), &sense, &offset);
  BOOST_TEST(columnLower == 0.0);
  BOOST_TEST(columnUpper == INFINITY);
  BOOST_TEST(rowLower == -INFINITY);
  BOOST_TEST(rowUpper == INFINITY);
  BOOST_TEST(cost == 0.0);
  BOOST_TEST(sense == OSI_CUDA_MINIMIZE);
  BOOST_TEST(offset == 0.0);
}

BOOST_AUTO_TEST_CASE(files_come_back) {
  auto const folder = std::filesystem::temp_directory_path() /
                      ("osi-cuda-c-" + std::to_string(static_cast<long>(::getpid())));
  std::filesystem::create_directories(folder);
  auto const file = [&](char const* name) { return (folder / name).string(); };
  Problem const problem = furniture();
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
  for (char const* const name : {"a.mps", "a.lp", "a.lps"}) {
    BOOST_TEST(osi_cuda_write(problem.get(), file(name).c_str()) == OSI_CUDA_OK);
    Problem const other = makeProblem();
    BOOST_TEST(osi_cuda_read(other.get(), file(name).c_str()) == OSI_CUDA_OK);
    BOOST_TEST((matrixOf(other) == matrixOf(problem)));
    BOOST_TEST(osi_cuda_solve(other.get()) == OSI_CUDA_OK);
    BOOST_TEST(std::fabs(number(other, OSI_CUDA_OBJECTIVE)) == 188.0,
               boost::test_tools::tolerance(1e-9));  // an LP file may say min of the negative
  }
  BOOST_TEST(osi_cuda_write_basis(problem.get(), file("a.bas").c_str()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_write_solution(problem.get(), file("a.json").c_str()) == OSI_CUDA_OK);
  BOOST_TEST(std::filesystem::file_size(file("a.json")) > 100u);
  BOOST_TEST(osi_cuda_write_proof(problem.get(), file("proof.json").c_str()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_write_proof(problem.get(), file("proof.vipr").c_str()) == OSI_CUDA_OK);
  BOOST_TEST(std::filesystem::file_size(file("proof.vipr")) > 100u);
  Problem const other = furniture();
  BOOST_TEST(osi_cuda_read_basis(other.get(), file("a.bas").c_str()) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(other.get()) == OSI_CUDA_OK);
  BOOST_TEST(number(other, OSI_CUDA_ITERATIONS) == 0.0);
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_old_file) {
  Problem const problem = dense(60, 60);
  BOOST_TEST(osi_cuda_set_option(problem.get(), "exact", "on") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
  std::string const folder = "full_disk";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  using Writer = int(osi_cuda_problem*, char const*);
  for (auto const& [write, name] : {std::pair<Writer*, char const*>(osi_cuda_write, "a.mps"),
                                    {osi_cuda_write, "a.lp"},
                                    {osi_cuda_write, "a.npz"},
                                    {osi_cuda_write_basis, "a.bas"},
                                    {osi_cuda_write_solution, "a.sol"},
                                    {osi_cuda_write_proof, "a.json"}}) {
    std::string const path = folder + '/' + name;
    std::ofstream(path) << "old";
    {
      FileSizeLimit const limit(16);
      BOOST_TEST(write(problem.get(), path.c_str()) == OSI_CUDA_CANNOT_WRITE, name);
    }
    BOOST_TEST(message(problem) == path + ": File too large");
    std::ifstream file(path);
    std::string text;
    std::getline(file, text);
    BOOST_TEST(text == "old", name);
    BOOST_TEST(write(problem.get(), path.c_str()) == OSI_CUDA_OK, name);
    BOOST_TEST(std::filesystem::file_size(path) > 3, name);
  }
  // Nothing else is left.
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder), {}) == 6);
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
