// SPDX-License-Identifier: EPL-2.0
// Long random sequences of changes and re-solves: each answer proved by itself, or beside OsiClp.
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <sstream>
#include <string>

#include "tests/osi/random_sequence.hpp"

namespace {

using osi_cuda::testing::Sequence;

enum class What { sequence, presolvedProblems, besideClp };

void runSequences(unsigned first, unsigned count, int steps, What what = What::sequence) {
  int solves = 0, disagreements = 0;
  std::array<int, 5> answers{};
  for (unsigned seed = first; seed < first + count; ++seed) {
    using enum Sequence::Beside;
    Sequence sequence(seed, what == What::besideClp ? clp : nothing);
    std::string const fault =
        what == What::presolvedProblems ? sequence.runPresolved(steps) : sequence.run(steps);
    BOOST_TEST(fault.empty(), "seed " << seed << ": " << fault);
    solves += sequence.solves();
    disagreements += sequence.disagreements_;
    for (std::size_t k = 0; k < answers.size(); ++k) answers[k] += sequence.answers()[k];
  }
  BOOST_TEST_MESSAGE(count << " sequences, " << solves << " solves: " << answers[0] << " optimal, "
                           << answers[1] << " infeasible, " << answers[2] << " unbounded, "
                           << answers[3] << " at a limit; OsiClp says something else in "
                           << disagreements);
  BOOST_TEST(solves > static_cast<int>(count));
}

/// OSI_CUDA_SEQUENCES="FIRST COUNT STEPS": others than the test's own.
struct Range {
  unsigned first, count;
  int steps;
};
Range rangeOr(Range range) {
  if (char const* const text = std::getenv("OSI_CUDA_SEQUENCES")) {
    std::istringstream in(text);
    in >> range.first >> range.count >> range.steps;
  }
  return range;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resolves)
BOOST_AUTO_TEST_CASE(every_answer_of_a_sequence_is_proved_by_itself) {
  Range const range = rangeOr({1, 120, 60});
  runSequences(range.first, range.count, range.steps);
}
BOOST_AUTO_TEST_CASE(what_is_proved_of_a_smaller_problem_is_proved_of_the_given_one) {
  Range const range = rangeOr({1, 20, 40});
  runSequences(range.first, range.count, range.steps, What::presolvedProblems);
}
// Where faults were found: a list of basic variables that markHotStart had put into another order;
// an optimum in double-double arithmetic that the engine did not hold; multipliers of 1e11 whose
// nearest doubles miss the tolerance by their rounding; problems that are infeasible by less than
// rounding, whose multipliers were left out, or were no proof without their second parts.
BOOST_AUTO_TEST_CASE(sequences_that_once_failed) {
  for (unsigned const seed : {1107u, 1561u, 1600u, 2559u, 5509u, 12297u, 21890u, 22346u})
    runSequences(seed, 1, 80);
  for (unsigned const seed : {1115u, 1134u, 5778u, 5855u, 5906u, 5992u})
    runSequences(seed, 1, 80, What::presolvedProblems);
}
BOOST_AUTO_TEST_SUITE_END()

// The same status and objective at every solve, the same problem at every step, nothing abandoned.
BOOST_AUTO_TEST_SUITE(fuzz)
BOOST_AUTO_TEST_CASE(random_sequences_agree_with_osi_clp) {
  runSequences(1, 300, 40, What::besideClp);
}
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(fuzz_long)
BOOST_AUTO_TEST_CASE(many_random_sequences_agree_with_osi_clp) {
  runSequences(1000, 4000, 60, What::besideClp);
}
BOOST_AUTO_TEST_SUITE_END()
