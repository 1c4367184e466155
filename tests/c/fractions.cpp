// SPDX-License-Identifier: EPL-2.0
// Fractions in arrays, and exact answers.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

namespace {

/// min x + y / 3 + 1/11; x / 3 + y >= 5/9, y <= 3/10.
Problem small() {
  Problem problem = makeProblem();
  osi_cuda_problem* const p = problem.get();
  std::vector<std::int64_t> const numerators{1, 3, 5, 3}, denominators{3, 3, 9, 10};
  std::vector<double> numbers(4);
  BOOST_TEST(osi_cuda_fractions(p, 4, numerators.data(), denominators.data(), numbers.data()) ==
             OSI_CUDA_OK);
  BOOST_TEST(numbers[0] == 1.0 / 3.0);
  double offset = 0.0;
  char const* const texts[] = {"1/11"};
  BOOST_TEST(osi_cuda_fraction_texts(p, 1, texts, &offset) == OSI_CUDA_OK);
  std::vector<double> const costs{1.0, numbers[0]}, matrix{numbers[0], 1.0},
      upper{1e30, numbers[3]};
  BOOST_TEST(osi_cuda_load_dense(p, 1, 2, matrix.data(), 2, 1, nullptr, upper.data(), &numbers[2],
                                 nullptr, costs.data()) == OSI_CUDA_OK);
  osi_cuda_set_offset(p, offset);
  osi_cuda_set_option(p, "exact", "on");
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fractions)

BOOST_AUTO_TEST_CASE(exactAnswersAreFractions) {
  Problem const problem = small();
  osi_cuda_problem* const p = problem.get();
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(number(problem, OSI_CUDA_EXACT_STATUS) == OSI_CUDA_STATUS_OPTIMAL);
  BOOST_TEST(std::string(osi_cuda_text(p, OSI_CUDA_TEXT_EXACT_OBJECTIVE)) == "158/165");
  BOOST_TEST(std::string(osi_cuda_exact_text(p, OSI_CUDA_COLUMN_VALUES, 0)) == "23/30");
  BOOST_TEST(std::string(osi_cuda_exact_text(p, OSI_CUDA_REDUCED_COSTS, 1)) == "-8/3");
  BOOST_TEST(osi_cuda_exact_text(p, OSI_CUDA_FARKAS, 0) == nullptr);
  BOOST_TEST(std::string(osi_cuda_message(p)).find("no such array") != std::string::npos);
  BOOST_TEST(osi_cuda_exact_text(p, OSI_CUDA_ROW_DUALS, 1) == nullptr);
  char const* const cost[] = {"1/123456789012345678901234567890"};
  double small = 0.0;
  BOOST_TEST(osi_cuda_fraction_texts(p, 1, cost, &small) == OSI_CUDA_OK);
  std::int32_t const first = 0;
  BOOST_TEST(osi_cuda_set_costs(p, 1, &first, &small) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_exact_text(p, OSI_CUDA_COLUMN_VALUES, 0) == nullptr);
  BOOST_TEST(osi_cuda_solve(p) == OSI_CUDA_OK);
  BOOST_TEST(std::string(osi_cuda_exact_text(p, OSI_CUDA_ROW_DUALS, 0)) ==
             "1/41152263004115226300411522630");
}

BOOST_AUTO_TEST_CASE(copiesKeepThem) {
  Problem const problem = small();
  osi_cuda_problem* other = nullptr;
  BOOST_TEST(osi_cuda_copy(problem.get(), &other) == OSI_CUDA_OK);
  Problem const copy(other);
  BOOST_TEST(osi_cuda_solve(other) == OSI_CUDA_OK);
  BOOST_TEST(std::string(osi_cuda_text(other, OSI_CUDA_TEXT_EXACT_OBJECTIVE)) == "158/165");
  double stands = 0.0;
  char const* text = nullptr;
  BOOST_TEST(osi_cuda_get_fraction(other, 0, &stands, &text) == OSI_CUDA_OK);
  BOOST_TEST(std::string(text) == "1/11");
  BOOST_TEST(osi_cuda_get_fraction(other, 99, &stands, &text) == OSI_CUDA_NOTHING);
}

BOOST_AUTO_TEST_CASE(whatIsNoFractionIsRefused) {
  Problem const problem = makeProblem();
  osi_cuda_problem* const p = problem.get();
  double out = 0.0;
  for (char const* text : {"x", "1/0", "1/-3", "1//3", "1/3/4", "0x1", "nan", "inf", "1e999999"}) {
    BOOST_TEST(osi_cuda_fraction_texts(p, 1, &text, &out) == OSI_CUDA_BAD_ARGUMENT, text);
    BOOST_TEST(std::string(osi_cuda_message(p)).find(text) != std::string::npos);
  }
  std::int64_t const one = 1, zero = 0, least = INT64_MIN;
  BOOST_TEST(osi_cuda_fractions(p, 1, &one, &zero, &out) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_fractions(p, 1, &least, &one, &out) == OSI_CUDA_OK);
  BOOST_TEST(out == -9223372036854775808.0);
  char const* const tiny = "-1e-400";
  BOOST_TEST(osi_cuda_fraction_texts(p, 1, &tiny, &out) == OSI_CUDA_OK);
  BOOST_TEST(out < 0.0);
  BOOST_TEST(osi_cuda_set_fraction(p, -1.0, "1/3") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_set_fraction(p, 1.0, "one") == OSI_CUDA_BAD_ARGUMENT);
}

BOOST_AUTO_TEST_SUITE_END()
