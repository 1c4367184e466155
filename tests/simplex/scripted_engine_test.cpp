// SPDX-License-Identifier: EPL-2.0
// An engine that misbehaves by a random script: wrong numbers, NaN, claims out of nothing, runs
// that lead nowhere, exceptions at any call. Whatever it does, no wrong status may come of it, and
// the solve has to end. The seed of a script that fails is printed; it replays it.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <new>
#include <string>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/simplex.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;

namespace {

int below(testing::Random& dice, int n) {  // seeds have always had this one's sequences
  return static_cast<int>(dice() % static_cast<std::uint64_t>(n));
}

/// The faults of one script, each with its probability at each call.
struct Script {
  double wrongNumber = 0.0;  ///< in a vector that an engine hands out
  double wrongStop = 0.0;    ///< of a run
  double stall = 0.0;        ///< a run without a pivot
  double wrongMeasure = 0.0;
  int throwsAtCall = 0;  ///< 0: never
  bool outOfMemory = false;
  bool lost = false;

  explicit Script(testing::Random& dice) {
    auto const often = [&] {
      double const choices[] = {0.0, 0.0, 0.01, 0.1, 0.5, 1.0};
      return choices[below(dice, 6)];
    };
    wrongNumber = often();
    wrongStop = often();
    stall = often();
    wrongMeasure = often();
    if (dice.chance(0.3)) {
      throwsAtCall = 1 + below(dice, 60);
      outOfMemory = dice.chance(0.5);
      lost = !outOfMemory;
    }
  }
};

class MisbehavingEngine final : public host::HostEngine {
 public:
  explicit MisbehavingEngine(std::uint64_t seed)
      : HostEngine(EngineOptions{}), dice_(seed), script_(dice_) {}

  PivotReport run(PivotRequest const& request) override {
    called();
    PivotReport report;
    report.stop = Stop::full;
    if (!dice_.chance(script_.stall)) report = HostEngine::run(request);
    if (!dice_.chance(script_.wrongStop)) return report;
    Stop const stops[] = {Stop::optimal, Stop::ray,    Stop::unstable,
                          Stop::full,    Stop::budget, Stop::cutoff};
    report.stop = stops[below(dice_, 6)];
    report.position = below(dice_, 12) - 1;  // also where there is no such place
    report.direction = dice_.chance(0.5) ? 1 : -1;
    if (dice_.chance(0.1)) report.objective = std::numeric_limits<double>::quiet_NaN();
    return report;
  }
  Snapshot snapshotOf(SnapshotContent) override {  // proofs begin there
    called();
    Snapshot s = HostEngine::snapshotOf(SnapshotContent::all);
    spoil(s.value);
    spoil(s.reducedCost);
    return s;
  }
  Measure measure(double primalTolerance, double dualTolerance) override {
    called();
    Measure m = HostEngine::measure(primalTolerance, dualTolerance);
    if (!dice_.chance(script_.wrongMeasure)) return m;
    m.primalCount = below(dice_, 2);
    m.dualCount = below(dice_, 2);
    m.primalMax = m.primalSum = dice_.chance(0.2) ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    return m;
  }
  Drift drift() override {
    called();
    Drift d = HostEngine::drift();
    if (dice_.chance(script_.wrongMeasure))
      d.primal = dice_.chance(0.5) ? 1.0 : std::numeric_limits<double>::quiet_NaN();
    return d;
  }
  Refactorisation refactor(std::vector<char> const& basic) override {
    called();
    return HostEngine::refactor(basic);
  }
  std::vector<double> ftran(std::span<double const> b) override {
    called();
    return spoiled(HostEngine::ftran(b));
  }
  std::vector<double> btran(std::span<double const> c) override {
    called();
    return spoiled(HostEngine::btran(c));
  }
  std::vector<double> multiply(std::span<double const> x) override {
    return spoiled(HostEngine::multiply(x));
  }
  std::vector<double> costs() const override { return HostEngine::costs(); }

 private:
  void called() {
    if (++calls_ != script_.throwsAtCall) return;
    if (script_.outOfMemory) throw std::bad_alloc();
    throw EngineUnavailable("the device is lost");
  }
  void spoil(std::vector<double>& numbers) {
    if (numbers.empty() || !dice_.chance(script_.wrongNumber)) return;
    double& number = numbers[dice_() % numbers.size()];
    double const wrong[] = {number + 1.0,
                            number * (1.0 + 1e-6),
                            -number,
                            1e300,
                            std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()};
    number = wrong[below(dice_, 6)];
  }
  std::vector<double> spoiled(std::vector<double> numbers) {
    spoil(numbers);
    return numbers;
  }

  testing::Random dice_;
  Script script_;
  int calls_ = 0;
};

/// What came of the scripts.
struct Tally {
  int claims = 0, none = 0, exceptions = 0;
};

void check(testing::RandomLp const& made, Solution const& s, std::string const& what,
           Tally& tally) {
  switch (s.status) {
    case Status::optimal:
      BOOST_TEST((made.expected == Status::optimal), what);
      BOOST_TEST(residualsOf(made.lp, s).largest() <= 1e-7, what);
      BOOST_TEST(std::fabs(s.objective - made.objective) <= 1e-5 * (1 + std::fabs(made.objective)),
                 what << ": " << s.objective << " instead of " << made.objective);
      break;
    case Status::infeasible:
      BOOST_TEST((made.expected == Status::infeasible), what);
      break;
    case Status::unbounded:
      BOOST_TEST((made.expected == Status::unbounded), what);
      break;
    default:
      ++tally.none;
      return;
  }
  ++tally.claims;
}

void play(std::uint64_t seed, Tally& tally) {
  testing::RandomLp const made = testing::randomLp(seed);
  std::string const what = "script " + std::to_string(seed) + ", " + made.description;
  Options options;
  options.engine = EngineChoice::host;
  options.algorithm = seed % 2 ? AlgorithmChoice::primal : AlgorithmChoice::dual;
  options.iterationLimit = 20000;
  try {
    if (seed % 4 < 2) {  // the control alone: nobody comes after it
      StandardForm const form = makeStandardForm(made.lp, true);
      MisbehavingEngine engine(seed);
      engine.load(form);
      Callbacks const callbacks;
      Budget budget = budgetOf(options, callbacks);
      Run run(callbacks, budget);
      check(made, Simplex(made.lp, form, engine, options, run).solve({}), what, tally);
    } else {
      EngineMakers makers;
      makers.factored = {};
      makers.host = [seed](EngineOptions const&) {
        return std::make_unique<MisbehavingEngine>(seed);
      };
      Solver solver = solverWith(makers);
      solver.load(made.lp);
      check(made, solver.solve(options), what, tally);
    }
  } catch (EngineUnavailable const&) {
    ++tally.exceptions;
  } catch (std::bad_alloc const&) {
    ++tally.exceptions;
  }
}

void playAll(std::uint64_t first, std::uint64_t count) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) play(seed, tally);
  BOOST_TEST_MESSAGE(tally.claims << " claims, " << tally.none << " without a status, "
                                  << tally.exceptions << " exceptions");
  // Scripts that break nothing, or everything, would test nothing.
  BOOST_TEST(tally.claims * 10 >= static_cast<int>(count));
  BOOST_TEST(tally.none * 100 >= static_cast<int>(count));
  BOOST_TEST(tally.exceptions * 100 >= static_cast<int>(count));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scripted_engine)

BOOST_AUTO_TEST_CASE(no_wrong_status_whatever_the_engine_does) {
  playAll(1, 4000);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scripted_engine_long)

BOOST_AUTO_TEST_CASE(a_hundred_thousand_scripts) {
  playAll(100000, 100000);
}

BOOST_AUTO_TEST_SUITE_END()
