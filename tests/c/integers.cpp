// SPDX-License-Identifier: EPL-2.0
// Searches for integers through the C interface.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/c/problem.hpp"

using namespace osi_cuda::testing;

namespace {

/// max 20 x + 9 y; 4 x + 2 y <= 41, 15 x + 5 y <= 121; x, y whole.
Problem wholeFurniture() {
  Problem problem = furniture();
  double const upper[] = {41, 121};
  uint8_t const marks[] = {1, 1};
  osi_cuda_set_row_bounds(problem.get(), 2, nullptr, nullptr, upper);
  osi_cuda_set_integers(problem.get(), marks);
  return problem;
}

struct Told {
  int incumbents = 0;
  double objective = 0.0, bound = 0.0, x = -1.0;
};

void tell(void* data, double seconds, int64_t nodes, double objective, double bound,
          double const* values) {
  Told& told = *static_cast<Told*>(data);
  ++told.incumbents;
  told = {told.incumbents, objective, bound, values[0]};
  BOOST_TEST(seconds >= 0.0);
  BOOST_TEST(nodes >= 0);
}

int64_t enumerated() {
  int64_t best = 0;
  for (int64_t x = 0; x <= 8; ++x)
    for (int64_t y = 0; y <= 20; ++y)
      if (4 * x + 2 * y <= 41 && 15 * x + 5 * y <= 121) best = std::max(best, 20 * x + 9 * y);
  return best;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(integers)

BOOST_AUTO_TEST_CASE(an_optimum_and_its_numbers) {
  Problem const p = wholeFurniture();
  Told told;
  BOOST_TEST(osi_cuda_solve_integers(p.get(), nullptr, tell, &told) == OSI_CUDA_OK,
             osi_cuda_message(p.get()));
  BOOST_TEST(osi_cuda_status(p.get()) == OSI_CUDA_STATUS_OPTIMAL);
  auto const best = static_cast<double>(enumerated());
  BOOST_TEST(number(p, OSI_CUDA_OBJECTIVE) == best);
  BOOST_TEST(told.incumbents > 0);
  BOOST_TEST(std::fabs(told.objective - best) < 1e-6);
  std::vector<double> const x = values(p, OSI_CUDA_COLUMN_VALUES, 2);
  BOOST_TEST(20 * x[0] + 9 * x[1] == best);
  BOOST_TEST(number(p, OSI_CUDA_BOUND) >= best);
  BOOST_TEST(number(p, OSI_CUDA_GAP) < 1e-5);
  BOOST_TEST(number(p, OSI_CUDA_NODES) >= 0.0);
  BOOST_TEST(number(p, OSI_CUDA_CUTS) >= 0.0);
  BOOST_TEST(number(p, OSI_CUDA_LINEAR_PROGRAMS) > 0.0);
  BOOST_TEST(number(p, OSI_CUDA_POINT_PROOF) == OSI_CUDA_PROOF_TOLERANCE);
  double lower = 0.0, upper = 0.0;
  BOOST_TEST(osi_cuda_get_objective_enclosure(p.get(), &lower, &upper, nullptr) == OSI_CUDA_OK);
  BOOST_TEST(lower <= best);
  BOOST_TEST(upper >= best);
  // What belongs to an optimal basis of the problem itself.
  BOOST_TEST(osi_cuda_get_ranging(p.get(), OSI_CUDA_RANGE_COSTS, 2, nullptr, nullptr, nullptr,
                                  nullptr) == OSI_CUDA_NOTHING);
  BOOST_TEST(osi_cuda_write_proof(p.get(), "proof.json") == OSI_CUDA_NOTHING);
  // A plain solve takes the columns for continuous ones, and has no such numbers.
  BOOST_TEST(osi_cuda_solve(p.get()) == OSI_CUDA_OK);
  BOOST_TEST(number(p, OSI_CUDA_OBJECTIVE) > best);
  double value = 0.0;
  BOOST_TEST(osi_cuda_get_number(p.get(), OSI_CUDA_BOUND, &value) == OSI_CUDA_NOTHING);
  BOOST_TEST(osi_cuda_get_number(p.get(), OSI_CUDA_EXACT_STATUS + 1, &value) ==
             OSI_CUDA_BAD_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(starts_interrupts_and_refusals) {
  Problem const p = wholeFurniture();
  double const start[] = {4, 12};
  Told told;
  BOOST_TEST(osi_cuda_solve_integers(p.get(), start, tell, &told) == OSI_CUDA_OK);
  BOOST_TEST(number(p, OSI_CUDA_OBJECTIVE) == static_cast<double>(enumerated()));
  osi_cuda_set_interrupt(
      p.get(), [](void*) { return 1; }, nullptr);
  BOOST_TEST(osi_cuda_solve_integers(p.get(), nullptr, nullptr, nullptr) == OSI_CUDA_OK);
  int const status = osi_cuda_status(p.get());
  BOOST_TEST((status == OSI_CUDA_STATUS_INTERRUPTED || status == OSI_CUDA_STATUS_OPTIMAL));
  osi_cuda_set_interrupt(p.get(), nullptr, nullptr);
  BOOST_TEST(osi_cuda_set_option(p.get(), "relative-gap", "-1") == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_set_option(p.get(), "node-limit", "10") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve_integers(nullptr, nullptr, nullptr, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  ::setenv("OSI_CUDA_CBC_PATH", "/nowhere", 1);
  BOOST_TEST(osi_cuda_set_option(p.get(), "search", "cbc") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve_integers(p.get(), nullptr, nullptr, nullptr) == OSI_CUDA_UNAVAILABLE);
  ::unsetenv("OSI_CUDA_CBC_PATH");
  BOOST_TEST(std::string(osi_cuda_message(p.get())).find("wheels of osi-cuda have it") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_solve_counts_what_it_relaxes) {
  Problem const p = wholeFurniture();
  std::string told;
  osi_cuda_set_log(
      p.get(), [](void* data, char const* line) { *static_cast<std::string*>(data) += line; },
      &told);
  BOOST_TEST(osi_cuda_solve(p.get()) == OSI_CUDA_OK);
  BOOST_TEST(number(p, OSI_CUDA_RELAXED_INTEGERS) == 2.0);
  BOOST_TEST(number(p, OSI_CUDA_RELAXED_SEMICONTINUOUS) == 0.0);
  BOOST_TEST(told.find("relaxed: 2 integer columns (osi_cuda_solve_integers keeps them)") !=
             std::string::npos);
  osi_cuda_batch* const batch = osi_cuda_batch_create();
  BOOST_TEST(osi_cuda_solve_variants(p.get(), batch, 2, 0, nullptr, nullptr, nullptr, nullptr,
                                     nullptr, nullptr, nullptr, nullptr, nullptr,
                                     nullptr) == OSI_CUDA_OK);
  double relaxed = -1.0;
  BOOST_TEST(osi_cuda_batch_get_number(batch, OSI_CUDA_BATCH_RELAXED_INTEGERS, &relaxed) ==
             OSI_CUDA_OK);
  BOOST_TEST(relaxed == 2.0);
  osi_cuda_batch_free(batch);
  BOOST_TEST(osi_cuda_solve_integers(p.get(), nullptr, nullptr, nullptr) == OSI_CUDA_OK);
  BOOST_TEST(number(p, OSI_CUDA_RELAXED_INTEGERS) == 0.0);
  uint8_t const none[] = {0, 0};
  osi_cuda_set_integers(p.get(), none);
  told.clear();
  BOOST_TEST(osi_cuda_solve(p.get()) == OSI_CUDA_OK);
  BOOST_TEST(number(p, OSI_CUDA_RELAXED_INTEGERS) == 0.0);
  BOOST_TEST(told.find("relaxed") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(semicontinuous_columns_are_kept) {
  std::string const file = "semicontinuous.lp";
  std::FILE* const out = std::fopen(file.c_str(), "w");
  BOOST_REQUIRE(out);
  std::fputs("min x + y\nst\n c: x + y >= 1\nbounds\n 2 <= x <= 9\n y <= 0.5\nsemi\n x\nend\n",
             out);
  std::fclose(out);
  Problem const p = makeProblem();
  BOOST_TEST(osi_cuda_read(p.get(), file.c_str()) == OSI_CUDA_OK);
  std::remove(file.c_str());
  osi_cuda_problem* copy = nullptr;
  BOOST_TEST(osi_cuda_copy(p.get(), &copy) == OSI_CUDA_OK);
  Problem const copied(copy);
  BOOST_TEST(osi_cuda_solve(copy) == OSI_CUDA_OK);
  BOOST_TEST(number(copied, OSI_CUDA_OBJECTIVE) == 1.0);
  BOOST_TEST(number(copied, OSI_CUDA_RELAXED_SEMICONTINUOUS) == 1.0);
  for (osi_cuda_problem* const problem : {p.get(), copy}) {
    BOOST_TEST(osi_cuda_solve_integers(problem, nullptr, nullptr, nullptr) == OSI_CUDA_OK);
    double value = 0.0;
    osi_cuda_get_number(problem, OSI_CUDA_OBJECTIVE, &value);
    BOOST_TEST(value == 2.0);
    osi_cuda_get_number(problem, OSI_CUDA_RELAXED_SEMICONTINUOUS, &value);
    BOOST_TEST(value == 0.0);
  }
  std::int32_t count = -1, column = -1;
  double on = 0.0;
  BOOST_TEST(osi_cuda_get_semicontinuous(copy, &count) == OSI_CUDA_OK);
  BOOST_TEST(count == 1);
  BOOST_TEST(osi_cuda_get_semicontinuous_columns(copy, &column, &on) == OSI_CUDA_OK);
  BOOST_TEST((column == 0 && on == 2.0));
  // Others in their place, by the bounds that are there; and none.
  double const lower = 2.5, upper = 9.0;
  column = 1;
  BOOST_TEST(osi_cuda_set_column_bounds(copy, 1, &column, &lower, &upper) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_semicontinuous_columns(copy, 1, &column, nullptr) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_semicontinuous_columns(copy, &column, &on) == OSI_CUDA_OK);
  BOOST_TEST((column == 1 && on == 2.5));
  double bounds[2][2];
  osi_cuda_get_column_bounds(copy, bounds[0], bounds[1]);
  BOOST_TEST((bounds[0][1] == 0.0 && bounds[1][1] == 9.0));
  std::int32_t const both[] = {1, 0}, twice[] = {1, 1}, outside[] = {2};
  double const thresholds[] = {3.0, -1.0}, wrong[] = {INFINITY, 1.0};
  BOOST_TEST(osi_cuda_set_semicontinuous_columns(copy, 2, both, thresholds) == OSI_CUDA_OK);
  std::int32_t columns[2];
  double all[2];
  BOOST_TEST(osi_cuda_get_semicontinuous_columns(copy, columns, all) == OSI_CUDA_OK);
  BOOST_TEST((columns[0] == 0 && columns[1] == 1 && all[0] == -1.0 && all[1] == 3.0));
  BOOST_TEST(osi_cuda_set_semicontinuous(copy, 2) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_set_semicontinuous(copy, 1) == OSI_CUDA_BAD_ARGUMENT);
  for (auto const& [length, list, beyond] :
       {std::tuple(2, twice, static_cast<double const*>(nullptr)),
        {1, outside, nullptr},
        {2, both, wrong}})
    BOOST_TEST(osi_cuda_set_semicontinuous_columns(copy, length, list, beyond) ==
               OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_set_semicontinuous(copy, 0) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_semicontinuous(copy, &count) == OSI_CUDA_OK);
  BOOST_TEST(count == 0);
  BOOST_TEST(osi_cuda_set_semicontinuous(nullptr, 0) == OSI_CUDA_BAD_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(ordered_sets_are_kept) {
  Problem const p = furniture();
  std::int32_t const types[] = {1}, columns[] = {1, 0}, outside[] = {0, 2}, none[] = {3};
  std::int64_t const starts[] = {0, 2}, backwards[] = {2, 0};
  double const weights[] = {2.0, 1.0}, wrong[] = {1.0, NAN};
  char const* const names[] = {"either"};
  BOOST_TEST(osi_cuda_set_ordered_sets(p.get(), 1, types, nullptr, starts, columns, weights,
                                       names) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve(p.get()) == OSI_CUDA_OK);
  BOOST_TEST(number(p, OSI_CUDA_RELAXED_SETS) == 1.0);
  double const relaxed = number(p, OSI_CUDA_OBJECTIVE);
  BOOST_TEST(osi_cuda_solve_integers(p.get(), nullptr, nullptr, nullptr) == OSI_CUDA_OK);
  double x[2] = {9.0, 9.0};
  BOOST_TEST(osi_cuda_get_values(p.get(), OSI_CUDA_COLUMN_VALUES, 2, x) == OSI_CUDA_OK);
  BOOST_TEST((x[0] == 0.0) != (x[1] == 0.0));
  BOOST_TEST(number(p, OSI_CUDA_OBJECTIVE) != relaxed);
  BOOST_TEST(number(p, OSI_CUDA_RELAXED_SETS) == 0.0);
  std::int32_t count = 0, type = 0, priority = 7, members[2];
  std::int64_t length = 0, begin[2];
  double weight[2];
  BOOST_TEST(osi_cuda_get_ordered_sets(p.get(), &count, &length, &type, &priority, begin, members,
                                       weight) == OSI_CUDA_OK);
  BOOST_TEST((count == 1 && length == 2 && type == 1 && priority == 0 && begin[1] == 2));
  BOOST_TEST((members[0] == 0 && members[1] == 1 && weight[0] == 1.0 && weight[1] == 2.0));
  BOOST_TEST(osi_cuda_name(p.get(), OSI_CUDA_NAME_SET, 0) == std::string("either"));
  BOOST_TEST(!osi_cuda_name(p.get(), OSI_CUDA_NAME_SET, 1));
  auto const refused = [&](auto... arguments) {
    BOOST_TEST(osi_cuda_set_ordered_sets(p.get(), arguments...) == OSI_CUDA_BAD_ARGUMENT);
  };
  refused(-1, types, nullptr, starts, columns, weights, nullptr);
  refused(1, nullptr, nullptr, starts, columns, weights, nullptr);
  refused(1, none, nullptr, starts, columns, weights, nullptr);
  refused(1, types, nullptr, backwards, columns, weights, nullptr);
  refused(1, types, nullptr, starts, outside, weights, nullptr);
  refused(1, types, nullptr, starts, columns, wrong, nullptr);
  refused(1, types, nullptr, starts, columns, nullptr, nullptr);
  BOOST_TEST(osi_cuda_set_option(p.get(), "search", "cbc") == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_solve_integers(p.get(), nullptr, nullptr, nullptr) == OSI_CUDA_BAD_ARGUMENT);
  BOOST_TEST(osi_cuda_set_ordered_sets(p.get(), 0, nullptr, nullptr, nullptr, nullptr, nullptr,
                                       nullptr) == OSI_CUDA_OK);
  BOOST_TEST(osi_cuda_get_ordered_sets(p.get(), &count, nullptr, nullptr, nullptr, nullptr, nullptr,
                                       nullptr) == OSI_CUDA_OK);
  BOOST_TEST(count == 0);
}

BOOST_AUTO_TEST_SUITE_END()
