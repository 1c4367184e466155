// SPDX-License-Identifier: EPL-2.0
// Every wrong argument: its code, its sentence, and a problem that stays as it was.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

namespace {

std::int32_t const zero = 0, one = 1, minus = -1, two = 2, twice[2] = {1, 1};
std::int64_t const starts[3] = {0, 1, 2}, late[3] = {1, 1, 2}, falling[3] = {0, 2, 1},
                   both[3] = {0, 2, 2};
std::int32_t const indices[2] = {0, 1}, outside[2] = {0, 2}, before[2] = {-1, 0};
double const numbers[4] = {1, 2, 3, 4}, nan[4] = {1, NAN, 3, 4}, infinite[2] = {1, INFINITY},
             minusInfinite[2] = {1, -INFINITY};
char const* const absent[2] = {"one", nullptr};
std::uint8_t const statuses[2] = {3, 3}, strange[2] = {0, 4};

struct Case {
  std::function<int(osi_cuda_problem*)> call;
  char const* sentence;  ///< a part of it
  int code = OSI_CUDA_BAD_ARGUMENT;
};

#define DENSE(rows, columns, matrix) \
  osi_cuda_load_dense(p, rows, columns, matrix, 2, 1, nullptr, nullptr, nullptr, nullptr, nullptr)
#define COLUMNS(starts, indices, values)                                                      \
  osi_cuda_load_columns(p, 2, 2, starts, indices, values, nullptr, nullptr, nullptr, nullptr, \
                        nullptr)
#define CALL(expression) [](osi_cuda_problem* p) { return expression; }

std::vector<Case> const cases{
    {CALL(DENSE(-1, 2, numbers)), "rows is -1"},
    {CALL(DENSE(2, -2, numbers)), "columns is -2"},
    {CALL(DENSE(INT32_MAX, 1, numbers)), "more than 2147483647 rows and columns"},
    {CALL(osi_cuda_load_dense(p, 1 << 22, 1 << 22, numbers, 0, 0, nullptr, nullptr, nullptr,
                              nullptr, nullptr)),
     "4194304 x 4194304 takes", OSI_CUDA_NO_MEMORY},
    {CALL(osi_cuda_load_columns(p, INT32_MAX, INT32_MAX, starts, indices, numbers, nullptr, nullptr,
                                nullptr, nullptr, nullptr)),
     "more than 2147483647 rows and columns"},
    {CALL(osi_cuda_set_integers(p, strange)), "marks[1] is 4"},
    {CALL(osi_cuda_get_integers(p, nullptr)), "marks is NULL"},
    {CALL(osi_cuda_set_names(p, nullptr, nullptr, absent, nullptr)), "rows[1] is NULL"},
    {CALL(osi_cuda_name(p, OSI_CUDA_NAME_ROW, 2) ? OSI_CUDA_OK : OSI_CUDA_BAD_ARGUMENT),
     "rows[0] is 2"},
    {CALL(osi_cuda_name(p, 6, 0) ? OSI_CUDA_OK : OSI_CUDA_BAD_ARGUMENT), "no kind of names 6"},
    {CALL(osi_cuda_get_objective_enclosure(p, nullptr, nullptr, nullptr)), "there is no solution",
     OSI_CUDA_NOTHING},
    {CALL(DENSE(2, 2, nullptr)), "matrix is NULL, but has to have length 4"},
    {CALL(DENSE(2, 2, nan)), "not finite"},
    {CALL(COLUMNS(nullptr, indices, numbers)), "starts is NULL"},
    {CALL(COLUMNS(late, indices, numbers)), "starts[0] is 1"},
    {CALL(COLUMNS(falling, indices, numbers)), "starts[2] is 1, less"},
    {CALL(COLUMNS(starts, nullptr, numbers)), "rows_of is NULL"},
    {CALL(COLUMNS(starts, indices, nullptr)), "values is NULL"},
    {CALL(COLUMNS(starts, outside, numbers)), "rows_of[1] is 2, but has to be from 0 to 1"},
    {CALL(COLUMNS(starts, before, numbers)), "rows_of[0] is -1"},
    {CALL(COLUMNS(both, twice, numbers)), "rows_of[1] is 1 twice between starts[0] and the next"},
    {CALL(osi_cuda_load_rows(p, 2, 2, both, twice, numbers, nullptr, nullptr, nullptr, nullptr,
                             nullptr)),
     "columns_of[1] is 1 twice"},
    {CALL(osi_cuda_load_rows(p, 2, 2, starts, outside, numbers, nullptr, nullptr, nullptr, nullptr,
                             nullptr)),
     "columns_of[1] is 2"},
    {CALL(osi_cuda_load_dense(p, 2, 2, numbers, 2, 1, nan, nullptr, nullptr, nullptr, nullptr)),
     "a bound that is not a number"},
    {CALL(
         osi_cuda_load_dense(p, 2, 2, numbers, 2, 1, infinite, nullptr, nullptr, nullptr, nullptr)),
     "lower bound +infinity"},
    {CALL(osi_cuda_load_dense(p, 2, 2, numbers, 2, 1, nullptr, nullptr, nullptr, minusInfinite,
                              nullptr)),
     "upper bound -infinity"},
    {CALL(osi_cuda_load_dense(p, 2, 2, numbers, 2, 1, nullptr, nullptr, nullptr, nullptr, nan)),
     "cost that is not finite"},
    {CALL(osi_cuda_read(p, nullptr)), "path is NULL"},
    {CALL(osi_cuda_read(p, "/nowhere/a.mps")), "/nowhere/a.mps", OSI_CUDA_NO_FILE},
    {CALL(osi_cuda_read(p, OSI_CUDA_C_BAD_FILE)), "strict.c:", OSI_CUDA_BAD_FILE},
    {CALL(osi_cuda_write(p, nullptr)), "path is NULL"},
    {CALL(osi_cuda_write(p, "a.txt")), "'a.txt' says no format"},
    {CALL(osi_cuda_write(p, "/nowhere/a.mps")), "/nowhere/a.mps", OSI_CUDA_CANNOT_WRITE},
    {CALL(osi_cuda_read_basis(p, nullptr)), "path is NULL"},
    {CALL(osi_cuda_read_basis(p, "/nowhere/a.bas")), "/nowhere", OSI_CUDA_NO_FILE},
    {CALL(osi_cuda_write_basis(p, nullptr)), "path is NULL"},
    {CALL(osi_cuda_write_solution(p, nullptr)), "path is NULL"},
    {CALL(osi_cuda_write_solution(p, "a.sol")), "there is no solution", OSI_CUDA_NOTHING},
    {CALL(osi_cuda_write_proof(p, nullptr)), "path is NULL"},
    {CALL(osi_cuda_write_proof(p, "a.txt")), "ends neither in .json nor in .vipr"},
    {CALL(osi_cuda_write_proof(p, "a.json")), "there is no solution", OSI_CUDA_NOTHING},
    {CALL(osi_cuda_set_option(p, nullptr, "1")), "name is NULL"},
    {CALL(osi_cuda_set_option(p, "seed", nullptr)), "value is NULL"},
    {CALL(osi_cuda_set_option(p, "sead", "1")), "did you mean 'seed'"},
    {CALL(osi_cuda_set_option(p, "seed", "x")), "found 'x'"},
    {CALL(osi_cuda_copy(p, nullptr)), "copy is NULL"},
    {CALL(osi_cuda_set_column_bounds(p, -1, &zero, numbers, numbers)), "count is -1"},
    {CALL(osi_cuda_set_column_bounds(p, 1, nullptr, numbers, numbers)), "all 2"},
    {CALL(osi_cuda_set_column_bounds(p, 1, &two, numbers, numbers)), "columns[0] is 2"},
    {CALL(osi_cuda_set_column_bounds(p, 1, &minus, numbers, numbers)), "columns[0] is -1"},
    {CALL(osi_cuda_set_column_bounds(p, 2, nullptr, nan, numbers)), "not a number"},
    {CALL(osi_cuda_set_row_bounds(p, 1, &two, numbers, numbers)), "rows[0] is 2"},
    {CALL(osi_cuda_set_row_bounds(p, 2, nullptr, numbers, nan)), "not a number"},
    {CALL(osi_cuda_set_right_hand_sides(p, 1, &one, nullptr)), "values is NULL"},
    {CALL(osi_cuda_set_right_hand_sides(p, 2, nullptr, nan)), "is not finite"},
    {CALL(osi_cuda_set_costs(p, 1, &one, nullptr)), "costs is NULL"},
    {CALL(osi_cuda_set_costs(p, 2, nullptr, infinite)), "not finite"},
    {CALL(osi_cuda_set_costs(p, 1, &two, numbers)), "columns[0] is 2"},
    {CALL(osi_cuda_set_sense(p, 2)), "sense is 2"},
    {CALL(osi_cuda_set_offset(p, NAN)), "offset"},
    {CALL(osi_cuda_set_coefficients(p, -1, &zero, &zero, numbers)), "count is -1"},
    {CALL(osi_cuda_set_coefficients(p, 1, nullptr, &zero, numbers)), "rows is NULL"},
    {CALL(osi_cuda_set_coefficients(p, 1, &zero, &two, numbers)), "columns[0] is 2"},
    {CALL(osi_cuda_set_coefficients(p, 2, indices, indices, nan)), "not finite"},
    {CALL(osi_cuda_add_rows(p, -1, starts, indices, numbers, nullptr, nullptr)), "count is -1"},
    {CALL(osi_cuda_add_rows(p, INT32_MAX, starts, indices, numbers, nullptr, nullptr)),
     "more than 2147483647 rows"},
    {CALL(osi_cuda_add_rows(p, 2, starts, outside, numbers, nullptr, nullptr)), "columns_of[1]"},
    {CALL(osi_cuda_add_rows(p, 2, both, twice, numbers, nullptr, nullptr)),
     "columns_of[1] is 1 twice"},
    {CALL(osi_cuda_add_columns(p, 2, both, twice, numbers, nullptr, nullptr, nullptr)),
     "rows_of[1] is 1 twice"},
    {CALL(osi_cuda_get_semicontinuous(p, nullptr)), "count is NULL"},
    {CALL(osi_cuda_set_semicontinuous(p, -1)), "count is -1"},
    {CALL(osi_cuda_add_rows_dense(p, 2, nullptr, 2, 1, nullptr, nullptr)), "matrix is NULL"},
    {CALL(osi_cuda_add_rows_dense(p, 2, nan, 2, 1, nullptr, nullptr)), "not finite"},
    {CALL(osi_cuda_add_columns(p, 2, starts, outside, numbers, nullptr, nullptr, nullptr)),
     "rows_of[1]"},
    {CALL(osi_cuda_add_columns_dense(p, 2, numbers, 2, 1, nan, nullptr, nullptr)), "not a number"},
    {CALL(osi_cuda_delete_rows(p, 1, &two)), "rows[0] is 2"},
    {CALL(osi_cuda_delete_rows(p, 2, twice)), "names 1 twice"},
    {CALL(osi_cuda_delete_columns(p, 1, &minus)), "columns[0] is -1"},
    {CALL(osi_cuda_set_basis(p, nullptr, statuses)), "columns is NULL"},
    {CALL(osi_cuda_set_basis(p, strange, statuses)), "columns[1] is 4"},
    {CALL(osi_cuda_get_number(p, OSI_CUDA_OBJECTIVE, nullptr)), "value is NULL"},
    {[](osi_cuda_problem* p) {
       double value;
       return osi_cuda_get_number(p, OSI_CUDA_OBJECTIVE, &value);
     },
     "there is no solution", OSI_CUDA_NOTHING},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(each_has_a_code_and_a_sentence) {
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Problem const problem = furniture();
    int const code = cases[k].call(problem.get());
    BOOST_TEST_INFO("case " << k << ": " << message(problem));
    BOOST_TEST(code == cases[k].code);
    BOOST_TEST_INFO("case " << k << ": '" << message(problem) << "' instead of '"
                            << cases[k].sentence << "'");
    BOOST_TEST(message(problem).find(cases[k].sentence) != std::string::npos);
    // Nothing has changed.
    BOOST_TEST(osi_cuda_solve(problem.get()) == OSI_CUDA_OK);
    BOOST_TEST(std::fabs(number(problem, OSI_CUDA_OBJECTIVE) - 188.0) < 1e-9);
    // The same without a problem.
    BOOST_TEST(cases[k].call(nullptr) == OSI_CUDA_BAD_ARGUMENT);
  }
}

BOOST_AUTO_TEST_CASE(a_solution_is_asked_for_what_it_has_not) {
  Problem const problem = furniture();
  auto* const p = problem.get();
  double values[3];
  osi_cuda_solve(p);
  auto const refused = [&](int which, int length, double* into, int code, char const* sentence) {
    BOOST_TEST(osi_cuda_get_values(p, which, length, into) == code);
    BOOST_TEST(message(problem) == sentence);
  };
  refused(OSI_CUDA_RAY, 2, values, OSI_CUDA_NOTHING, "the solution, optimal, has no ray");
  refused(OSI_CUDA_FARKAS, 2, values, OSI_CUDA_NOTHING,
          "the solution, optimal, has no Farkas multipliers");
  refused(OSI_CUDA_ROW_DUALS, 3, values, OSI_CUDA_BAD_ARGUMENT,
          "length is 3, but the row duals have length 2");
  refused(OSI_CUDA_ROW_DUALS, 2, nullptr, OSI_CUDA_BAD_ARGUMENT,
          "values is NULL, but has to have length 2");
  refused(77, 2, values, OSI_CUDA_BAD_ARGUMENT, "there is no array 77");
  BOOST_TEST(osi_cuda_get_number(p, 77, values) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_text(p, 77) == nullptr);
  BOOST_TEST(osi_cuda_row_name(p, 2) == nullptr);
  BOOST_TEST(osi_cuda_column_name(p, -1) == nullptr);
  BOOST_TEST(osi_cuda_get_option(p, "sead") == nullptr);
  BOOST_TEST(message(problem) == "there is no option 'sead'; did you mean 'seed'?");
  BOOST_TEST(osi_cuda_get_option(p, nullptr) == nullptr);
}

BOOST_AUTO_TEST_CASE(null_is_no_problem) {
  BOOST_TEST(osi_cuda_message(nullptr) == std::string("the problem is NULL"));
  BOOST_TEST(osi_cuda_rows(nullptr) == -1);
  BOOST_TEST(osi_cuda_columns(nullptr) == -1);
  BOOST_TEST(osi_cuda_nonzeros(nullptr) == -1);
  BOOST_TEST(osi_cuda_status(nullptr) == OSI_CUDA_STATUS_NONE);
  BOOST_TEST(osi_cuda_solve(nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_text(nullptr, OSI_CUDA_TEXT_STATUS) == nullptr);
  osi_cuda_interrupt(nullptr);
  osi_cuda_free(nullptr);
}

BOOST_AUTO_TEST_CASE(codes_have_texts) {
  for (int code = OSI_CUDA_OK; code <= OSI_CUDA_INTERNAL; ++code)
    BOOST_TEST(osi_cuda_code_text(code) != std::string("there is no such code"));
  BOOST_TEST(osi_cuda_code_text(-1) == std::string("there is no such code"));
  BOOST_TEST(osi_cuda_status_text(OSI_CUDA_STATUS_TIME_LIMIT) == std::string("time_limit"));
  BOOST_TEST(osi_cuda_status_text(-1) == std::string("none"));
  BOOST_TEST(osi_cuda_status_text(99) == std::string("none"));
  BOOST_TEST(osi_cuda_version() == std::to_string(OSI_CUDA_VERSION_MAJOR) + "." +
                                       std::to_string(OSI_CUDA_VERSION_MINOR) + "." +
                                       std::to_string(OSI_CUDA_VERSION_PATCH));
}

BOOST_AUTO_TEST_SUITE_END()
