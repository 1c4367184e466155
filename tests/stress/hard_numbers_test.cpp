// SPDX-License-Identifier: EPL-2.0
// Small problems whose numbers leave doubles no room: exact answers beside QSopt_ex, and a status
// wherever the residuals are within the tolerances.
#include "lab/stress/hard_numbers.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "lab/stress/exact.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/solver.hpp"

using namespace osi_cuda;
using namespace osi_cuda::stress;

namespace {

Options hostOptions(Toggle exact) {
  Options options;
  options.engine = EngineChoice::host;
  options.exact = exact;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hard_numbers)

BOOST_AUTO_TEST_CASE(exact_answers_are_those_of_qsopt) {
  int proved = 0, within = 0;
  for (int kind = 0; kind < hardNumbersKinds - 1; ++kind) {
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
      LinearProgram const lp = hardNumbers(HardNumbers(kind), seed);
      Solution const own = Solver(lp).solve(hostOptions(Toggle::on));
      BOOST_TEST_CONTEXT(toString(HardNumbers(kind)) << " " << seed << ": " << own.exact.message) {
        BOOST_TEST_REQUIRE(own.exact.proved);
        if (own.message.find("every point misses") != std::string::npos) ++within;
        ++proved;
        ExactAnswer const peer = exactAnswer(lp);
        if (!peer.known) continue;
        BOOST_TEST((own.status == peer.status));
        if (own.status != Status::optimal) continue;
        auto const optimum = exactOptimum(lp);
        BOOST_REQUIRE(optimum.has_value());
        BOOST_TEST(own.exact.objective == optimum->get_str());
        BOOST_TEST((mpq_class(own.objectiveEnclosure.lower) <= *optimum));
        BOOST_TEST((mpq_class(own.objectiveEnclosure.upper) >= *optimum));
      }
    }
  }
  BOOST_TEST(proved > 3 * within);
}

BOOST_AUTO_TEST_CASE(every_problem_gets_a_status) {
  for (int kind = 0; kind < hardNumbersKinds; ++kind)
    for (std::uint64_t seed = 5000; seed < 5100; ++seed) {
      LinearProgram const lp = hardNumbers(HardNumbers(kind), seed);
      Solution const own = Solver(lp).solve(hostOptions(Toggle::automatic));
      // What no sum of two doubles comes near is proved without being called optimal.
      BOOST_TEST((own.status == Status::optimal || own.status == Status::infeasible ||
                  own.status == Status::unbounded || own.exact.proved),
                 toString(HardNumbers(kind)) << " " << seed << ": " << own.message);
    }
}

BOOST_AUTO_TEST_CASE(residuals_within_the_tolerances_are_a_status) {
  Options const options = hostOptions(Toggle::off);
  int without = 0;
  for (HardNumbers const kind : {HardNumbers::nearDuplicates, HardNumbers::farBounds})
    for (std::uint64_t seed = 5000; seed < 5250; ++seed) {
      LinearProgram const lp = hardNumbers(kind, seed);
      Solution const own = Solver(lp).solve(options);
      if (own.status != Status::numerical) continue;
      ++without;
      BOOST_TEST(!Verifier(lp, options).accepts(own.residuals),
                 toString(kind) << " " << seed << ": " << own.message);
    }
  BOOST_TEST_MESSAGE(without << " without a status");
}

BOOST_AUTO_TEST_CASE(no_cycle_lasts) {
  Options options = hostOptions(Toggle::off);
  options.representation = Representation::factors;
  options.pricing = Pricing::dantzig;
  options.algorithm = AlgorithmChoice::primal;
  options.perturbation = Toggle::off;
  options.iterationLimit = 20000;
  int said = 0;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& notice) {
    said += notice.find("perturbations are off") != std::string::npos;
  };
  for (std::uint64_t seed = 40; seed <= 240; ++seed) {
    Solution const own = Solver(cyclingProblem(seed)).solve(options, callbacks);
    BOOST_TEST((own.status != Status::iterationLimit), seed);
  }
  BOOST_TEST(said > 0);
}

BOOST_AUTO_TEST_SUITE_END()
