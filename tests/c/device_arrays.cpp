// SPDX-License-Identifier: EPL-2.0
// Matrices that lie in a device's memory. Its tests run as an entry of their own with the emulated
// device, whose functions of CUDA the module shows.
#include <dlfcn.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

namespace {

/// The emulated device: its memory is the host's, and is written to as such.
class Device {
 public:
  Device() {
    char const* const path = std::getenv("OSI_CUDA_ENGINE_PATH");
    BOOST_REQUIRE(path);
    module_ = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    BOOST_REQUIRE(module_);
    malloc_ = reinterpret_cast<int (*)(void**, std::size_t)>(dlsym(module_, "cudaMalloc"));
    free_ = reinterpret_cast<int (*)(void*)>(dlsym(module_, "cudaFree"));
    uploaded_ =
        reinterpret_cast<std::size_t (*)()>(dlsym(module_, "_ZN16emulated_runtime8uploadedEv"));
    BOOST_REQUIRE((malloc_ && free_ && uploaded_));
  }

  double* copyOf(std::vector<double> const& numbers) const {
    void* memory = nullptr;
    BOOST_REQUIRE(malloc_(&memory, numbers.size() * sizeof(double)) == 0);
    std::memcpy(memory, numbers.data(), numbers.size() * sizeof(double));
    return static_cast<double*>(memory);
  }
  void free(double* memory) const { BOOST_TEST(free_(memory) == 0); }
  std::size_t uploaded() const { return uploaded_(); }  ///< bytes, ever

 private:
  void* module_ = nullptr;
  int (*malloc_)(void**, std::size_t) = nullptr;
  int (*free_)(void*) = nullptr;
  std::size_t (*uploaded_)() = nullptr;
};

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

constexpr int m = 60, n = 40;
constexpr std::size_t arrayBytes = sizeof(double) * m * n;

/// m x n numbers by rows; `zeros` of three are zero, and with `scattered` magnitudes differ much.
std::vector<double> numbers(int zeros = 0, bool scattered = false) {
  std::vector<double> matrix(at(m) * at(n));
  unsigned seed = 7;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    seed = seed * 1664525u + 1013904223u;
    matrix[k] = static_cast<int>(k % 3) < zeros ? 0.0 : 0.5 + (seed >> 8) / 16777216.0;
    if (scattered) matrix[k] *= std::exp2(4 * (5 * (k / n) % 7) + 4 * (3 * (k % n) % 11));
  }
  return matrix;
}

std::vector<double> byColumns(std::vector<double> const& rows) {
  std::vector<double> columns(rows.size());
  for (std::size_t i = 0; i < at(m); ++i)
    for (std::size_t j = 0; j < at(n); ++j) columns[j * at(m) + i] = rows[i * at(n) + j];
  return columns;
}

std::vector<double> const upper(at(n), 2.0), side(at(m), 1.0), costs(at(n), 1.0);

int borrow(Problem const& problem, double const* matrix, bool rowsFirst, bool onDevice) {
  std::int64_t const rowStep = rowsFirst ? n : 1, columnStep = rowsFirst ? 1 : m;
  auto* const p = problem.get();
  if (!onDevice)
    return osi_cuda_borrow_dense(p, m, n, matrix, rowStep, columnStep, nullptr, upper.data(),
                                 nullptr, side.data(), costs.data());
  return osi_cuda_borrow_device_dense(p, m, n, matrix, rowStep, columnStep, nullptr, nullptr,
                                      upper.data(), nullptr, side.data(), costs.data());
}

Problem withOptions(char const* algorithm) {
  Problem problem = makeProblem();
  osi_cuda_set_option(problem.get(), "engine", "cuda");
  osi_cuda_set_option(problem.get(), "algorithm", algorithm);
  osi_cuda_set_sense(problem.get(), OSI_CUDA_MAXIMIZE);
  return problem;
}

double solved(Problem const& problem) {
  BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK, osi_cuda_message(problem.get()));
  BOOST_TEST(osi_cuda_status(problem.get()) == OSI_CUDA_STATUS_OPTIMAL);
  BOOST_TEST(number(problem, OSI_CUDA_DEVICE_LOST) == 0.0);
  return number(problem, OSI_CUDA_OBJECTIVE);
}

/// Objectives, points, duals and bases of two problems of m x n.
struct Answers {
  explicit Answers(Device const& device)
      : objectives(device.copyOf(std::vector<double>(2))),
        x(device.copyOf(std::vector<double>(2 * at(n)))),
        y(device.copyOf(std::vector<double>(2 * at(m)))),
        basis(device.copyOf(std::vector<double>(at(m) + at(n)))) {}
  int place(osi_cuda_batch* batch, int numbersThere) const {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(basis);
    return osi_cuda_batch_set_places(batch, numbersThere, nullptr, objectives, x, y, bytes,
                                     bytes + 2 * n);
  }
  void free(Device const& device) const {
    for (double* const array : {objectives, x, y, basis}) device.free(array);
  }
  double *objectives, *x, *y, *basis;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(device_arrays, *boost::unit_test::disabled())

BOOST_AUTO_TEST_CASE(a_batch_and_variants_stay_there) {
  Device const device;
  std::vector<double> const one = numbers();
  Problem const problem = withOptions("auto");
  BOOST_TEST(borrow(problem, one.data(), true, false) == OSI_CUDA_OK);
  osi_cuda_set_sense(problem.get(), OSI_CUDA_MAXIMIZE);
  double const expected = solved(problem);
  std::vector<double> rows = one;  // twice
  rows.insert(rows.end(), one.begin(), one.end());
  std::vector<double> sides(2 * at(m), 1.0), twice(2 * at(n), 1.0);
  double *const matrix = device.copyOf(rows), *const there = device.copyOf(sides);
  std::int32_t const m2[] = {m, m}, n2[] = {n, n};
  int const senses[] = {OSI_CUDA_MAXIMIZE, OSI_CUDA_MAXIMIZE};
  osi_cuda_batch* const batch = osi_cuda_batch_create();
  Answers const answers(device);
  for (bool const variants : {false, true}) {
    answers.objectives[0] = answers.objectives[1] = 0.0;
    BOOST_TEST(answers.place(batch, 1) == OSI_CUDA_OK);
    std::vector<double> const uppers(2 * at(n), 2.0);
    int const code =
        variants ? osi_cuda_solve_variants(problem.get(), batch, 2, OSI_CUDA_VARIANTS_POINTS,
                                           twice.data(), nullptr, nullptr, nullptr, there, nullptr,
                                           nullptr, nullptr, nullptr, nullptr)
                 : osi_cuda_batch_solve(batch, 2, m2, n2, matrix, nullptr, uppers.data(), nullptr,
                                        there, twice.data(), nullptr, senses);
    BOOST_TEST(code == OSI_CUDA_OK, osi_cuda_batch_message(batch));
    for (int k = 0; k < 2; ++k) {
      BOOST_TEST(std::fabs(answers.objectives[k] - expected) <= 1e-9 * expected);
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum += answers.x[k * n + j];
      BOOST_TEST(std::fabs(sum - expected) <= 1e-9 * expected);
    }
    double value = 0.0;
    BOOST_TEST(osi_cuda_batch_get_values(batch, OSI_CUDA_COLUMN_VALUES, 1, &value) ==
               OSI_CUDA_BAD_ARGUMENT);  // they have length 0
    BOOST_TEST(osi_cuda_batch_get_results(batch, 2, nullptr, nullptr, nullptr, &sides[0],
                                          nullptr) == OSI_CUDA_OK);
    BOOST_TEST(sides[0] == answers.objectives[0]);
  }
  double here = 0.0;
  osi_cuda_batch_set_places(batch, 0, nullptr, &here, &here, &here, nullptr, nullptr);
  BOOST_TEST(osi_cuda_batch_solve(batch, 1, m2, n2, rows.data(), nullptr, nullptr, nullptr,
                                  side.data(), nullptr, nullptr, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  osi_cuda_batch_free(batch);
  answers.free(device);
  device.free(matrix);
  device.free(there);
}

BOOST_AUTO_TEST_CASE(the_answers_are_those_of_the_hosts_array) {
  Device const device;
  std::vector<double> const rows = numbers(), columns = byColumns(rows);
  for (char const* const algorithm : {"primal", "dual", "barrier"}) {
    for (bool const rowsFirst : {true, false}) {
      std::vector<double> const& matrix = rowsFirst ? rows : columns;
      std::size_t before = device.uploaded();
      Problem const host = withOptions(algorithm);
      BOOST_TEST(borrow(host, matrix.data(), rowsFirst, false) == OSI_CUDA_OK);
      double const expected = solved(host);
      std::size_t const uploaded = device.uploaded() - before;

      double* const there = device.copyOf(matrix);
      Problem problem = withOptions(algorithm);
      BOOST_TEST(borrow(problem, there, rowsFirst, true) == OSI_CUDA_OK);
      BOOST_TEST(osi_cuda_borrows(problem.get()) == 1);
      before = device.uploaded();
      BOOST_TEST(solved(problem) == expected, algorithm << " " << rowsFirst);
      BOOST_TEST(device.uploaded() - before == uploaded - arrayBytes);  // all but the array

      double const bound = 0.01;  // a tableau that is formed anew from the basis
      std::int32_t const column = 3;
      for (auto* const each : {host.get(), problem.get()})
        osi_cuda_set_column_bounds(each, 1, &column, nullptr, &bound);
      BOOST_TEST(solved(problem) == solved(host));
      BOOST_TEST((std::vector<double>(there, there + matrix.size()) == matrix));
      problem.reset();
      device.free(there);
    }
  }
}

// What is changed is changed in a copy, which the device is sent; copies keep the caller's array.
BOOST_AUTO_TEST_CASE(changes_leave_the_callers_numbers_alone) {
  Device const device;
  std::vector<double> matrix = numbers();
  double* const there = device.copyOf(matrix);
  Problem problem = withOptions("primal");
  BOOST_TEST(borrow(problem, there, true, true) == OSI_CUDA_OK);
  double const first = solved(problem);
  osi_cuda_problem* other = nullptr;
  BOOST_TEST(osi_cuda_copy(problem.get(), &other) == OSI_CUDA_OK);
  Problem const copy(other);
  BOOST_TEST(osi_cuda_borrows(other) == 1);

  for (int change = 0; change < 2; ++change) {  // the second in the copy that the first has made
    std::int32_t const i = 3, j = 7 + change;
    double const coefficient = 50.0;
    BOOST_TEST(osi_cuda_set_coefficients(problem.get(), 1, &i, &j, &coefficient) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_borrows(problem.get()) == 0);
    matrix[at(i) * n + at(j)] = coefficient;
    Problem const host = withOptions("primal");
    BOOST_TEST(borrow(host, matrix.data(), true, false) == OSI_CUDA_OK);
    osi_cuda_forget_basis(problem.get());
    BOOST_TEST(solved(problem) == solved(host));
  }
  std::vector<double> const row(at(n), 1.0);
  double const sum = 1.5;
  BOOST_TEST(osi_cuda_add_rows_dense(other, 1, row.data(), n, 1, nullptr, &sum) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_borrows(other) == 0);
  BOOST_TEST(solved(copy) <= first + 1e-9);
  problem.reset();
  std::int32_t const last = m;
  BOOST_TEST(osi_cuda_delete_rows(other, 1, &last) == OSI_CUDA_OK);
  BOOST_TEST(std::fabs(solved(copy) - first) <= 1e-9);
  BOOST_TEST((std::vector<double>(there, there + matrix.size()) == numbers()));
  device.free(there);
}

// Arrays that are scaled go there anew; of those with many zeros none is kept.
BOOST_AUTO_TEST_CASE(what_can_not_be_used_as_it_lies_is_sent) {
  Device const device;
  for (bool const scattered : {true, false}) {
    std::vector<double> const matrix = numbers(scattered ? 0 : 2, scattered);
    double* const there = device.copyOf(matrix);
    Problem const host = withOptions("dual");
    Problem problem = withOptions("dual");
    BOOST_TEST(borrow(host, matrix.data(), true, false) == OSI_CUDA_OK);
    BOOST_TEST(borrow(problem, there, true, true) == OSI_CUDA_OK);
    BOOST_TEST(osi_cuda_borrows(problem.get()) == (scattered ? 1 : 0));
    BOOST_TEST(osi_cuda_nonzeros(problem.get()) == osi_cuda_nonzeros(host.get()));
    BOOST_TEST(solved(problem) == solved(host));
    if (!scattered) device.free(there);  // nobody needs it any more
    osi_cuda_forget_basis(problem.get());
    BOOST_TEST(solved(problem) == number(host, OSI_CUDA_OBJECTIVE));
    problem.reset();
    if (scattered) device.free(there);
  }
}

BOOST_AUTO_TEST_CASE(a_problem_that_is_loaded_anew_lets_go) {
  Device const device;
  std::vector<double> const matrix = numbers();
  Problem const problem = withOptions("primal");
  double objective = 0.0;
  for (int round = 0; round < 3; ++round) {
    double* const there = device.copyOf(matrix);
    BOOST_TEST(borrow(problem, there, true, true) == OSI_CUDA_OK);
    double const found = solved(problem);
    BOOST_TEST((round == 0 || found == objective));
    objective = found;
    BOOST_TEST(borrow(problem, matrix.data(), true, false) == OSI_CUDA_OK);
    device.free(there);
    BOOST_TEST(solved(problem) == objective);
  }
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  Device const device;
  std::vector<double> matrix = numbers();
  Problem const problem = withOptions("primal");
  BOOST_TEST(borrow(problem, matrix.data(), true, true) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) == "the numbers do not lie in the memory of a CUDA device");
  BOOST_TEST(borrow(problem, nullptr, true, true) == OSI_CUDA_BAD_ARGUMENT);
  double* const there = device.copyOf(matrix);
  auto const load = [&](int rows, int columns, int rowStep, int columnStep) {
    return osi_cuda_borrow_device_dense(problem.get(), rows, columns, there, rowStep, columnStep,
                                        nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  };
  BOOST_TEST(load(m / 2, n, 2 * n, 1) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) ==
             "matrix lies with gaps in the device's memory, neither by rows nor by columns");
  BOOST_TEST(load(-1, n, n, 1) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(load(0, n, n, 1) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_columns(problem.get()) == n);
  there[77] = std::nan("");
  BOOST_TEST(borrow(problem, there, true, true) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(message(problem) == "Column C38 has an entry in row R2 that is not finite.");
  BOOST_TEST(osi_cuda_columns(problem.get()) == n);  // as it was
  device.free(there);
}

BOOST_AUTO_TEST_SUITE_END()

// Without a module, or without a device, there is a sentence.
BOOST_AUTO_TEST_CASE(device_arrays_need_a_device) {
  if (std::getenv("OSI_CUDA_ENGINE_PATH")) return;
  std::vector<double> const matrix = numbers();
  Problem const problem = withOptions("primal");
  int const code = borrow(problem, matrix.data(), true, true);
  BOOST_TEST((code == OSI_CUDA_UNAVAILABLE || code == OSI_CUDA_BAD_ARGUMENT));  // there is a device
  BOOST_TEST(!message(problem).empty());
}
