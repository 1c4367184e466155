// SPDX-License-Identifier: EPL-2.0
// Linear programs of nodes on a device: the CUDA engine, or the emulated one where
// OSI_CUDA_ENGINE_PATH names it.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>

#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/search/node_lps.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_mips.hpp"

namespace osi_cuda {
namespace {

bool hasDevice() {
  for (EngineReport const& engine : findEngines())
    if (engine.name == "cuda" && !engine.devices.empty()) return true;
  return false;
}

Options onDevice() {
  Options options;
  options.engine = EngineChoice::cuda;
  options.search = SearchChoice::own;
  options.threads = 1;
  return options;
}

Basis slackBasis(LinearProgram const& lp) {
  return {std::vector<VariableStatus>(static_cast<std::size_t>(lp.columns())),
          std::vector<VariableStatus>(static_cast<std::size_t>(lp.rows()), VariableStatus::basic)};
}

struct Relaxation {
  LinearProgram lp = testing::denseMip("cover:60x260:20:3");
  std::function<bool()> interrupted = [] { return false; };
  search::NodeLps lps;

  explicit Relaxation(Options const& options) : lps(lp, slackBasis(lp), options, true) {
    BOOST_REQUIRE(lps.begin(lp.columnLower, lp.columnUpper, interrupted));
  }
  /// Nodes far from the relaxation: every second column is fixed, from each on.
  search::NodeList far(std::size_t count) const {
    search::NodeList list;
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<search::BoundChange> changes;
      for (int j = static_cast<int>(k); j < lp.columns(); j += 2) changes.push_back({j, true, 0.0});
      list.add(changes, -1);
    }
    return list;
  }
};

BOOST_AUTO_TEST_SUITE(device_search)

// No round waits for its longest linear program, and none leaves the device for want of room.
BOOST_AUTO_TEST_CASE(a_long_linear_program_goes_on_in_the_next_round) {
  if (!hasDevice()) return;
  Relaxation relaxation(onDevice());
  relaxation.lps.pivotsOfRound = 10;
  search::NodeList list = relaxation.far(2);
  BatchResults answers;
  int rounds = 0, pauses = 0;
  for (bool open = true; open && rounds < 20; ++rounds) {
    relaxation.lps.solve(list, infinity, 0, relaxation.interrupted, answers);
    BOOST_TEST(answers.again == 0u);
    open = false;
    search::NodeList next;
    for (std::size_t k = 0; k < list.size(); ++k) {
      BOOST_TEST(answers.iterations[k] <= 10);
      bool const paused = answers.status[k] == BatchStatus::iterationLimit;
      BOOST_TEST((paused || answers.status[k] == BatchStatus::optimal));
      pauses += paused;
      open = open || paused;
      next.add(list[k], answers.start[k]);
    }
    list = next;
  }
  BOOST_TEST(pauses > 0);
  for (std::size_t k = 0; k < list.size(); ++k) {
    LinearProgram own = relaxation.lp;
    for (search::BoundChange const& change : list[k])
      own.columnUpper[static_cast<std::size_t>(change.column)] = change.value;
    Options options;
    options.engine = EngineChoice::host;
    Solver solver(own);
    BOOST_TEST(std::fabs(answers.objective[k] - solver.solve(options).objective) < 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(rounds_are_dealt_out_to_all_devices) {
  if (!hasDevice()) return;
  Options options = onDevice();
  options.devices = "0,0";
  Relaxation relaxation(options);
  BatchResults answers;
  relaxation.lps.solve(relaxation.far(6), infinity, 5, relaxation.interrupted, answers);
  BOOST_TEST(answers.device.substr(0, 4) == "2 x ");
  BOOST_TEST(answers.onDevice == 6u);
}

BOOST_AUTO_TEST_CASE(it_ends_where_the_host_ends) {
  if (!hasDevice()) return;
  LinearProgram const lp = testing::denseMip("knapsack:4x24:5");
  Options host = onDevice();
  host.engine = EngineChoice::host;
  double const best = solveIntegers(lp, host).solution.objective;
  for (char const* devices : {"", "0,0"}) {
    Options options = onDevice();
    options.devices = devices;
    IntegerSolution const found = solveIntegers(lp, options);
    BOOST_TEST((found.solution.status == Status::optimal));
    BOOST_TEST(found.boundIsProved);
    BOOST_TEST(found.solution.objective == best);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
