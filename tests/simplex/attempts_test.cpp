// SPDX-License-Identifier: EPL-2.0
// What Solver::solve does where an engine gets nowhere or is lost: other means, the host, and
// limits that hold for all attempts together.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "tests/support/dense_family.hpp"

using namespace osi_cuda;
using namespace std::chrono_literals;
using testing::denseLp;

namespace {

/// What the engines of one solver are to do, and what they have done.
struct Script {
  int stuckLoads = 0;  ///< the first so many loads end in attempts that get nowhere
  int slowFrom = 0;    ///< from this load on each run of a stuck one takes `slowness`; 0: none does
  std::chrono::milliseconds slowness{0};
  int lostAtCall = 0;     ///< the device is lost at this call after its load; 0: never
  bool loneLoss = false;  ///< only the device that was at work is lost
  bool noDevice = false;
  bool noRoom = false;  ///< the device can't take a problem

  int loads = 0, calls = 0, devices = 0, hosts = 0;
  std::int64_t iterations = 0;
  std::set<int> gone;  ///< devices
};

/// The host engine with faults by script; as a device it is called "cuda", and can be lost.
class ScriptedEngine : public host::HostEngine {
 public:
  ScriptedEngine(Script& script, bool isDevice, int device = 0)
      : HostEngine(EngineOptions{}), script_(script), isDevice_(isDevice), device_(device) {
    if (isDevice) traits_.name = SolveEngine::cuda;
  }

  void load(StandardForm const& form) override {
    if (isDevice_ && script_.noRoom) throw EngineUnavailable("the device is too small");
    stuck_ = ++script_.loads <= script_.stuckLoads;
    ran_ = false;
    loading_ = true;
    HostEngine::load(form);
    loading_ = false;
  }
  // Three pivots, and then none is good enough.
  PivotReport run(PivotRequest const& request) override {
    called();
    PivotRequest changed = request;
    PivotReport report;
    if (stuck_) {
      if (script_.slowFrom > 0 && script_.loads >= script_.slowFrom)
        std::this_thread::sleep_for(script_.slowness);
      changed.budget = std::min(request.budget, 3);
    }
    if (!stuck_ || !ran_) report = HostEngine::run(changed);
    if (stuck_) report.stop = Stop::unstable;
    script_.iterations += report.iterations;
    ran_ = true;
    return report;
  }
  void setBounds(std::span<double const> lower, std::span<double const> upper) override {
    called();
    HostEngine::setBounds(lower, upper);
  }
  void setCosts(std::span<double const> cost) override {
    called();
    HostEngine::setCosts(cost);
  }
  void setValues(std::span<double const> value) override {
    called();
    HostEngine::setValues(value);
  }
  Refactorisation refactor(std::vector<char> const& basic) override {
    called();
    return HostEngine::refactor(basic);
  }
  void computeWeights(Algorithm algorithm, Pricing pricing) override {
    called();
    HostEngine::computeWeights(algorithm, pricing);
  }
  Measure measure(double primalTolerance, double dualTolerance) override {
    called();
    return HostEngine::measure(primalTolerance, dualTolerance);
  }
  Snapshot snapshotOf(SnapshotContent content) override {
    called();
    return HostEngine::snapshotOf(content);
  }
  std::vector<double> ftran(std::span<double const> b) override {
    called();
    return HostEngine::ftran(b);
  }
  std::vector<double> btran(std::span<double const> c) override {
    called();
    return HostEngine::btran(c);
  }

 private:
  void called() {
    if (!isDevice_ || loading_ || ++script_.calls != script_.lostAtCall) return;
    if (script_.loneLoss) script_.gone.insert(device_);
    throw EngineUnavailable("engine cuda: gone");
  }

  Script& script_;
  bool isDevice_;
  int device_;
  bool stuck_ = false, ran_ = false, loading_ = false;
};

Solver scripted(Script& script, bool withFactors = false, bool opened = false) {
  EngineMakers makers;
  makers.deviceWasOpened = [opened] { return opened; };
  if (!withFactors) makers.factored = {};
  makers.precise = {};  // it would end what is meant to be without an answer
  makers.host = [&](EngineOptions const&) {
    ++script.hosts;
    return std::make_unique<ScriptedEngine>(script, false);
  };
  makers.device = [&](EngineOptions const& wanted) -> std::unique_ptr<Engine> {
    ++script.devices;
    if (script.noDevice || script.gone.contains(wanted.device))
      throw EngineUnavailable("engine cuda: no device");
    return std::make_unique<ScriptedEngine>(script, true, wanted.device);
  };
  return solverWith(std::move(makers));
}

Options on(EngineChoice engine) {
  Options options;
  options.engine = engine;
  options.exact = Toggle::off;  // what attempts in doubles come to is what is looked at
  return options;
}

/// Collects the notices of a solve.
struct Listener {
  std::vector<std::string> notices;
  std::vector<Progress> progress;
  Callbacks callbacks() {
    Callbacks all;
    all.notice = [this](std::string const& sentence) { notices.push_back(sentence); };
    all.progress = [this](Progress const& p) { progress.push_back(p); };
    return all;
  }
  auto count(std::string const& part) const {
    return std::count_if(notices.begin(), notices.end(), [&](std::string const& sentence) {
      return sentence.find(part) != std::string::npos;
    });
  }
};

void isOptimal(LinearProgram const& lp, Solution const& s) {
  BOOST_TEST((s.status == Status::optimal), s.message);
  double const objective = Solver(lp).solve(on(EngineChoice::host)).objective;
  BOOST_TEST(std::fabs(s.objective - objective) <= 1e-9 * (1 + std::fabs(objective)));
  BOOST_TEST(residualsOf(lp, s).largest() <= 1e-9);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attempts)

BOOST_AUTO_TEST_CASE(an_attempt_without_a_status_is_followed_by_others) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  for (int const stuckLoads : {1, 2}) {
    Script script;
    script.stuckLoads = stuckLoads;
    Solver solver = scripted(script);
    solver.load(lp);
    Listener listener;
    Solution const s = solver.solve(on(EngineChoice::host), listener.callbacks());
    isOptimal(lp, s);
    // Nothing is tried twice: the engine was fresh, and began at slacks.
    BOOST_TEST(script.loads == stuckLoads + 1);
    BOOST_TEST(listener.count("solving again") == stuckLoads);
    BOOST_TEST(listener.count("slack basis") == 0);
    BOOST_TEST(s.iterations == script.iterations);
    BOOST_TEST(s.phase1Iterations <= s.iterations);
    BOOST_TEST(!s.deviceLost);
    BOOST_TEST((solver.basis() == s.basis));
    for (std::size_t k = 1; k < listener.progress.size(); ++k) {
      BOOST_TEST(listener.progress[k].iterations >= listener.progress[k - 1].iterations);
      BOOST_TEST(listener.progress[k].seconds >= listener.progress[k - 1].seconds);
    }
    BOOST_TEST(listener.progress.back().iterations == s.iterations);
    BOOST_TEST(listener.progress.back().seconds <= s.seconds);
  }
}

// An engine that has gone through a hundred solves may be what is at fault: it is loaded anew.
BOOST_AUTO_TEST_CASE(a_warm_start_that_fails_begins_again_at_slacks) {
  LinearProgram lp = denseLp(30, 20, 1, true);
  Script script;
  script.stuckLoads = 1;
  Solver solver = scripted(script);
  solver.load(lp);
  Basis const optimum = Solver(lp).solve(on(EngineChoice::host)).basis;
  for (double& cost : lp.objective) cost = 1.0 - cost;
  solver.setObjective(lp.objective);
  solver.setBasis(optimum);
  Listener listener;
  Solution const s = solver.solve(on(EngineChoice::host), listener.callbacks());
  BOOST_TEST(listener.count("slack basis") == 1);
  BOOST_TEST(script.hosts == 2);
  isOptimal(lp, s);
}

// A basis of nearly parallel rows makes a violation of 5e-7 of rounded right-hand sides, and a
// proof by 2e-17 of it, without a pivot. From slacks there is a point.
BOOST_AUTO_TEST_CASE(a_start_that_proves_by_rounding_is_not_the_end) {
  LinearProgram lp;  // x + y = 0.1 + 0.2, x + (1 + 1e-10) y = 0.3
  lp.matrix = {2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1.0, 1.0, 1.0, 1.0 + 1e-10}};
  lp.objective = {1.0, 1.0};
  lp.columnLower = {0.0, 0.0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = lp.rowUpper = {0.1 + 0.2, 0.3};
  using enum VariableStatus;
  for (auto const representation : {Representation::factors, Representation::tableau}) {
    Solver solver(lp);
    solver.setBasis({{basic, basic}, {atLower, atLower}});
    Options options = on(EngineChoice::host);
    options.representation = representation;
    Solution const solution = solver.solve(options);
    BOOST_TEST((solution.status == Status::optimal), toString(solution.status));
    BOOST_TEST(solution.objective == 0.3, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(where_nothing_helps_the_best_point_is_given) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  Script script;
  script.stuckLoads = 1000;
  Solver solver = scripted(script);
  solver.load(lp);
  Listener listener;
  Solution const s = solver.solve(on(EngineChoice::host), listener.callbacks());
  BOOST_TEST((s.status == Status::numerical));
  BOOST_TEST(!s.message.empty());
  BOOST_TEST(listener.count("solving again") == 6);  // the relaxed problem as well
  BOOST_TEST(listener.count("by the other algorithm") == 2);
  BOOST_TEST(s.iterations == script.iterations);
  BOOST_TEST((solver.basis() == s.basis));
  Residuals const judged = residualsOf(lp, s);
  BOOST_TEST(judged.primal == s.residuals.primal);
  BOOST_TEST(judged.dual == s.residuals.dual);
}

BOOST_AUTO_TEST_CASE(the_iteration_limit_is_one_of_all_attempts) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  Script unlimited;
  unlimited.stuckLoads = 1;
  Solver first = scripted(unlimited);
  first.load(lp);
  std::int64_t const needed = first.solve(on(EngineChoice::host)).iterations;
  for (std::int64_t limit = 0; limit <= needed; ++limit) {
    Script script;
    script.stuckLoads = 1;
    Solver solver = scripted(script);
    solver.load(lp);
    Options options = on(EngineChoice::host);
    options.iterationLimit = limit;
    Solution const s = solver.solve(options);
    BOOST_TEST(s.iterations <= limit);
    BOOST_TEST(s.iterations == script.iterations);
    BOOST_TEST((s.status == (limit < needed ? Status::iterationLimit : Status::optimal)));
    if (limit < needed) BOOST_TEST(s.message.empty());
  }
}

// The first of three attempts ends far below the limit, however busy the machine is; the second
// passes it in its first run.
BOOST_AUTO_TEST_CASE(the_time_limit_is_one_of_all_attempts) {
  Script script;
  script.stuckLoads = 1000;
  script.slowFrom = 2;
  script.slowness = 2100ms;
  Solver solver = scripted(script);
  solver.load(denseLp(30, 20, 1, true));
  Options options = on(EngineChoice::host);
  options.timeLimit = 2.0;
  auto const begin = std::chrono::steady_clock::now();
  Solution const s = solver.solve(options);
  double const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  BOOST_TEST((s.status == Status::timeLimit));
  BOOST_TEST(script.loads == 2);
  BOOST_TEST(seconds >= options.timeLimit);
  BOOST_TEST(s.seconds <= seconds);
}

BOOST_AUTO_TEST_CASE(a_user_who_interrupts_gets_no_further_attempt) {
  Script script;
  script.stuckLoads = 1000;
  Solver solver = scripted(script);
  solver.load(denseLp(30, 20, 1, true));
  Listener listener;
  Callbacks callbacks = listener.callbacks();
  callbacks.interrupted = [&] { return listener.count("solving again") == 1; };
  Solution const s = solver.solve(on(EngineChoice::host), callbacks);
  BOOST_TEST((s.status == Status::interrupted));
  BOOST_TEST(listener.count("solving again") == 1);
}

// Whatever call it is that finds the device gone.
BOOST_AUTO_TEST_CASE(a_device_that_is_lost_is_replaced_by_the_host) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  bool lost = true;
  for (int call = 1; lost; ++call) {
    Script script;
    script.lostAtCall = call;
    Solver solver = scripted(script);
    solver.load(lp);
    Listener listener;
    Solution const s = solver.solve(on(EngineChoice::cuda), listener.callbacks());
    lost = script.calls >= call;
    isOptimal(lp, s);
    BOOST_TEST((s.engine == (lost ? SolveEngine::host : SolveEngine::cuda)), "call " << call);
    BOOST_TEST(s.deviceLost == lost);
    BOOST_TEST(listener.count("engine cuda: gone; continuing with engine host") == (lost ? 1 : 0));
    if (!lost) continue;
    // The host serves this problem from then on, another one may have the device again.
    solver.setObjective(0, lp.objective[0] + 1.0);
    Solution const next = solver.solve(on(EngineChoice::cuda));
    BOOST_TEST((next.status == Status::optimal));
    BOOST_TEST((next.engine == SolveEngine::host));
    BOOST_TEST(next.deviceLost);
    BOOST_TEST(script.devices == 1);
    solver.load(lp);
    BOOST_TEST((solver.solve(on(EngineChoice::cuda)).engine == SolveEngine::cuda));
    BOOST_TEST(script.devices == 2);
  }
}

// Of several the first that opens goes on.
BOOST_AUTO_TEST_CASE(a_device_that_is_lost_is_replaced_by_another) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  struct Case {
    char const *devices, *left;
    bool alone;
  };
  for (Case const& c : {Case{"0,1", "1", true}, Case{"2,0,1,2", "0", true},
                        Case{"2,0,1", "2", false}, Case{"0,0", nullptr, true}})
    for (int const call : {1, 4, 9}) {
      Script script;
      script.lostAtCall = call;
      script.loneLoss = c.alone;
      Solver solver = scripted(script);
      solver.load(lp);
      Listener listener;
      Options options = on(EngineChoice::cuda);
      BOOST_TEST(setOption(options, "devices", c.devices) == "");
      Solution const s = solver.solve(options, listener.callbacks());
      isOptimal(lp, s);
      BOOST_TEST((s.engine == (c.left ? SolveEngine::cuda : SolveEngine::host)));
      BOOST_TEST(s.deviceLost == !c.left);
      std::string const text = c.left ? std::string("--devices ") + c.left : "engine host";
      BOOST_TEST(listener.count("engine cuda: gone; continuing with " + text) == 1);
      // So it stays for this problem.
      solver.setObjective(0, lp.objective[0] + 1.0);
      BOOST_TEST((solver.solve(options).engine == s.engine));
    }
}

BOOST_AUTO_TEST_CASE(a_solve_that_is_to_stop_there_ends_with_the_device) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  for (int const call : {1, 4, 9}) {
    Script script;
    script.lostAtCall = call;
    Solver solver = scripted(script);
    solver.load(lp);
    Options options = on(EngineChoice::cuda);
    options.deviceLoss = DeviceLoss::stop;
    BOOST_CHECK_THROW(solver.solve(options), DeviceLost);
    options.deviceLoss = DeviceLoss::host;
    isOptimal(lp, solver.solve(options));
  }
}

BOOST_AUTO_TEST_CASE(pivots_made_on_a_lost_device_count) {
  LinearProgram const lp = denseLp(60, 40, 1, false);
  Script whole;
  Solver undisturbed = scripted(whole);
  undisturbed.load(lp);
  std::int64_t const pivots = undisturbed.solve(on(EngineChoice::cuda)).iterations;
  Script last;
  last.lostAtCall = whole.calls;  // the last call of all: the pivots are over, the proof is not
  Solver other = scripted(last);
  other.load(lp);
  Solution const s = other.solve(on(EngineChoice::cuda));
  BOOST_TEST(s.deviceLost);
  BOOST_TEST(s.iterations == 2 * pivots);
}

BOOST_AUTO_TEST_CASE(the_tableau_survives_the_loss_of_the_device) {
  LinearProgram const lp = denseLp(30, 20, 1, true);
  Basis const optimum = Solver(lp).solve(on(EngineChoice::host)).basis;
  for (bool const evaluated : {false, true}) {
    bool lost = true;
    for (int call = 1; lost; ++call) {
      Script script;
      script.lostAtCall = call;
      Solver solver = scripted(script);
      solver.load(lp);
      solver.setBasis(optimum);
      if (evaluated) {
        Solution const s = solver.evaluate(on(EngineChoice::cuda));
        BOOST_TEST((s.status == Status::optimal));
        lost = s.deviceLost;
      } else {
        solver.prepareTableau(on(EngineChoice::cuda));
        lost = script.calls >= call;
      }
      if (lost) BOOST_TEST(solver.basicVariables().size() == 30u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there_is_an_error_only_when_it_is_asked_for) {
  for (bool const noRoom : {false, true}) {
    Script script;
    script.noDevice = !noRoom;
    script.noRoom = noRoom;
    Solver solver = scripted(script);
    solver.load(denseLp(30, 20, 1, true));
    BOOST_CHECK_THROW(solver.solve(on(EngineChoice::cuda)), EngineUnavailable);
    BOOST_CHECK_THROW(solver.solve(on(EngineChoice::cuda)), EngineUnavailable);
    LinearProgram const large = denseLp(600, 500, 1, true);
    solver.load(large);
    Listener listener;
    Solution const s = solver.solve(on(EngineChoice::automatic), listener.callbacks());
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST((s.engine == SolveEngine::host));
    BOOST_TEST(!s.deviceLost);
    BOOST_TEST(listener.count("engine host: ") == 1);
  }
}

// The last attempt of an automatic choice is the host's, where the problem is not too large.
BOOST_AUTO_TEST_CASE(an_automatic_choice_ends_on_the_host) {
  LinearProgram const lp = denseLp(600, 500, 1, true);
  for (EngineChoice const choice : {EngineChoice::automatic, EngineChoice::cuda}) {
    Script script;
    script.stuckLoads = 3;
    Solver solver = scripted(script);
    solver.load(lp);
    Solution const s = solver.solve(on(choice));
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST(
        (s.engine == (choice == EngineChoice::cuda ? SolveEngine::cuda : SolveEngine::host)));
    BOOST_TEST(!s.deviceLost);
  }
}

// To open a device takes longer than all pivots of a small sparse problem. Where a problem is, its
// first re-solves are made; who asks for a side gets it, and a new problem is placed anew.
BOOST_AUTO_TEST_CASE(few_pivots_of_a_sparse_problem_are_made_where_it_is) {
  Options automatic = on(EngineChoice::automatic);
  automatic.presolve = Toggle::off;  // which ends on the host
  Script unused;
  Solver small = scripted(unused, true);
  small.load(testing::sparseLp(500, 520, 3, 7));
  BOOST_TEST((small.solve(automatic).engine == SolveEngine::host));
  Solver later = scripted(unused, true, true);
  later.load(testing::sparseLp(500, 520, 3, 7));
  BOOST_TEST((later.solve(automatic).engine == SolveEngine::cuda));
  LinearProgram const sparse = testing::sparseLp(1300, 1350, 12, 8);
  Script script;
  Solver solver = scripted(script, true);
  solver.load(sparse);
  Solution const first = solver.solve(automatic);
  BOOST_TEST((first.engine == SolveEngine::cuda));
  // The bound that costs most moves outward: the problem stays feasible.
  auto const costs = first.reducedCosts;
  auto const moved =
      std::max_element(costs.begin(), costs.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
      costs.begin();
  LinearProgram changed = sparse;
  double& lower = changed.columnLower[static_cast<std::size_t>(moved)];
  double& upper = changed.columnUpper[static_cast<std::size_t>(moved)];
  (costs[static_cast<std::size_t>(moved)] < 0.0 ? upper : lower) -=
      std::copysign(1.0, costs[static_cast<std::size_t>(moved)]);
  solver.setColumnBounds(static_cast<int>(moved), lower, upper);
  Listener listener;
  Solution const second = solver.solve(automatic, listener.callbacks());
  BOOST_TEST((second.engine == SolveEngine::cuda));
  BOOST_TEST(listener.count("engine ") == 0);
  Solution const reference = Solver(changed).solve(on(EngineChoice::host));
  BOOST_TEST(toString(second.status) == toString(reference.status));
  BOOST_TEST(toString(second.status) == "optimal");
  BOOST_TEST(std::fabs(second.objective - reference.objective) <=
             1e-9 * (1 + std::fabs(reference.objective)));
  BOOST_TEST((solver.solve(on(EngineChoice::host)).engine == SolveEngine::host));
  solver.setColumnBounds(static_cast<int>(moved), lower, upper);
  BOOST_TEST((solver.solve(automatic, listener.callbacks()).engine == SolveEngine::host));
  BOOST_TEST(listener.count("few pivots") == 1);
  BOOST_TEST((solver.solve(on(EngineChoice::cuda)).engine == SolveEngine::cuda));
  solver.load(sparse);
  BOOST_TEST((solver.solve(automatic).engine == SolveEngine::cuda));

  Script other;
  Solver dense = scripted(other, true);
  dense.load(denseLp(500, 501, 3, true));
  BOOST_TEST((dense.solve(on(EngineChoice::automatic)).engine == SolveEngine::cuda));
  dense.setColumnBounds(0, 0.0, 1.0);
  BOOST_TEST((dense.solve(on(EngineChoice::automatic)).engine == SolveEngine::cuda));
}

BOOST_AUTO_TEST_SUITE_END()
