// SPDX-License-Identifier: EPL-2.0
// Several algorithms at once: one answer, whoever wins, and nothing of those who lose.
#include <omp.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "osi_cuda/base/abandoned.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/device_opening.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/session.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::RandomLp;
using osi_cuda::testing::randomLp;
using osi_cuda::testing::sparseLp;

namespace {

Options racing(RaceChoice race = RaceChoice::automatic) {
  Options options;
  options.engine = EngineChoice::host;
  options.algorithm = AlgorithmChoice::race;
  options.race = race;
  return options;
}

bool sameBits(Solution const& a, Solution const& b) {
  return a.status == b.status && a.objective == b.objective && a.columnValues == b.columnValues &&
         a.rowDuals == b.rowDuals && a.basis == b.basis && a.iterations == b.iterations &&
         a.algorithm == b.algorithm;
}

/// An interior point method that cannot begin, or begins and fails.
class FailingBarrier final : public Barrier {
 public:
  explicit FailingBarrier(bool late) : late_(late) {}
  SolveEngine name() const override { return SolveEngine::host; }
  std::string device() const override { return "none"; }
  void load(StandardForm const&, Engine*, std::function<bool()> const&) override {
    if (!late_) throw NotEnoughMemory("the interior point method needs more than there is");
  }
  BarrierPoint run(BarrierRequest const&) override { throw std::runtime_error("gone"); }
  double iterationSeconds() const override { return 0.0; }
  void unload() override {}

 private:
  bool const late_;
};

/// One that never ends by itself, whatever its iterations are said to take.
class EndlessBarrier final : public Barrier {
 public:
  explicit EndlessBarrier(double iterationSeconds = 0.0) : iterationSeconds_(iterationSeconds) {}
  SolveEngine name() const override { return SolveEngine::host; }
  std::string device() const override { return "none"; }
  void load(StandardForm const& form, Engine*, std::function<bool()> const&) override {
    variables_ = at(form.variables());
    rows_ = at(form.rows());
  }
  BarrierPoint run(BarrierRequest const& request) override {
    began = true;
    while (!request.stop()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    BarrierPoint point;
    point.value.assign(variables_, 0.0);
    point.multiplier.assign(rows_, 0.0);
    point.stiffness.assign(variables_, 1.0);
    return point;
  }
  double iterationSeconds() const override { return iterationSeconds_; }
  void unload() override {}
  static inline std::atomic<bool> began = false;

 private:
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  double const iterationSeconds_;
  std::size_t variables_ = 0, rows_ = 0;
};

/// Stands for a device.
class ToyDevice final : public host::HostEngine {
 public:
  ToyDevice() : HostEngine(EngineOptions{}) { traits_.device = "toy"; }
};

/// Whoever wins: the objective is the same. By counted work, every bit is.
void repeat(int times) {
  LinearProgram const lp = sparseLp(60, 90, 6, 5);
  Solution const alone = Solver(lp).solve();
  Solution const first = Solver(lp).solve(racing(RaceChoice::work));
  for (int repetition = 0; repetition < times; ++repetition) {
    Solution const s = Solver(lp).solve(racing(RaceChoice::time));
    BOOST_TEST_REQUIRE((s.status == Status::optimal));
    BOOST_TEST(std::fabs(s.objective - alone.objective) <= 1e-9 * std::fabs(alone.objective));
    BOOST_TEST(sameBits(Solver(lp).solve(racing(RaceChoice::work)), first));
  }
}

/// The processor waits before it begins.
void hold(EngineMakers& makers, std::function<void()> const& wait) {
  makers.factored = [wait](EngineOptions const& engine) {
    wait();
    return makeFactoredEngine(engine);
  };
  makers.hostBarrier = [wait](BarrierOptions const& barrier) {
    wait();
    return makeHostBarrier(barrier);
  };
}

template <class Made>
Solver solverWithBarrier(Made make) {
  EngineMakers makers;
  makers.hostBarrier = [make](BarrierOptions const&) { return make(); };
  return solverWith(std::move(makers));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(race)

// Loops of OpenMP wake teams that spin when they have no more work: with one thread there are none.
BOOST_AUTO_TEST_CASE(one_thread_keeps_no_other_one_busy) {
  auto const secondsOf = [](clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  int const before = omp_get_max_threads();
  omp_set_num_threads(2);
  LinearProgram const lp = sparseLp(300, 60000, 4, 3);
  BOOST_TEST_REQUIRE(lp.matrix.nonzeros() >= 2 * 65536);
  Solver solver(lp);
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // those of the load are at rest
  double const all = secondsOf(CLOCK_PROCESS_CPUTIME_ID), own = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  BOOST_TEST((solver.solve(options).status == Status::optimal));
  double const others =
      (secondsOf(CLOCK_PROCESS_CPUTIME_ID) - all) - (secondsOf(CLOCK_THREAD_CPUTIME_ID) - own);
  BOOST_TEST(others < 1e-3);
  BOOST_TEST(omp_get_max_threads() == 2);
  omp_set_num_threads(before);
}

BOOST_AUTO_TEST_CASE(random_problems_get_their_known_answers) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomLp const r = randomLp(seed);
    for (RaceChoice const race : {RaceChoice::time, RaceChoice::work}) {
      Solution const s = Solver(r.lp).solve(racing(race));
      BOOST_TEST(toString(s.status) == toString(r.expected), r.description);
      if (s.status == Status::optimal)
        BOOST_TEST(std::fabs(s.objective - r.objective) <= 1e-9 * (1 + std::fabs(r.objective)),
                   r.description);
      if (s.status == Status::infeasible)
        BOOST_TEST(verifyFarkas(r.lp, s.farkas, s.farkasLow).proved, r.description);
      if (s.status == Status::unbounded)
        BOOST_TEST(verifyRay(r.lp, s.columnValues, s.ray, 1e-6, s.rayLow).proved, r.description);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_race_that_is_repeated_has_one_answer) {
  repeat(50);
}

BOOST_AUTO_TEST_CASE(the_automatic_choice_races_alike_every_time) {
  LinearProgram const lp = sparseLp(300, 600, 6, 3);
  Options options;
  options.race = RaceChoice::work;
  options.engine = EngineChoice::host;
  options.presolve = Toggle::off;
  std::set<std::string> winners;
  bool raced = false;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& text) {
    raced = raced || text.rfind("race: ", 0) == 0;
  };
  Solution const first = Solver(lp).solve(options, callbacks);
  BOOST_TEST((first.status == Status::optimal));
  BOOST_TEST(raced == (omp_get_max_threads() > 1));
  for (int repetition = 0; repetition < 20; ++repetition)
    BOOST_TEST(sameBits(Solver(lp).solve(options), first));
  raced = false;
  options.race = RaceChoice::off;
  Solver(lp).solve(options, callbacks);
  BOOST_TEST(!raced);
}

// Four idle threads: without being asked. A second solve of the process takes them.
BOOST_AUTO_TEST_CASE(the_automatic_choice_races_where_threads_are_idle) {
  LinearProgram const lp = sparseLp(500, 1000, 6, 3);
  double const optimum = Solver(lp).solve().objective;
  auto const races = [&](Options options) {
    options.engine = EngineChoice::host;
    bool raced = false;
    Callbacks callbacks;
    callbacks.notice = [&](std::string const& text) {
      raced = raced || text.find(" was first; ") != std::string::npos;
    };
    Solution const s = Solver(lp).solve(options, callbacks);
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST(std::fabs(s.objective - optimum) <= 1e-9 * std::fabs(optimum));
    return raced;
  };
  Options options;
  options.threads = 3;
  BOOST_TEST(!races(options));
  options.threads = 4;
  BOOST_TEST(races(options));
  options.oneOfMany = true;  // a search is to be repeatable
  BOOST_TEST(!races(options));
  options.oneOfMany = false;
  {
    AtWork const another;
    BOOST_TEST(!races(options));
  }
  options.race = RaceChoice::off;
  BOOST_TEST(!races(options));
  options.race = RaceChoice::time;
  options.threads = 2;
  BOOST_TEST(races(options));
  options.threads = 1;
  BOOST_TEST(!races(options));
  options.threads = 4;
  options.race = RaceChoice::automatic;
  options.iterationLimit = 1000000;
  BOOST_TEST(!races(options));
}

// The first pivots lead: what they solve in some milliseconds has no race. (A busy machine may take
// longer, not twenty times in a row.)
BOOST_AUTO_TEST_CASE(a_small_problem_is_over_before_others_begin) {
  LinearProgram const lp = sparseLp(250, 260, 2, 3);
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 4;
  int alone = 0, raced = 0;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& text) {
    raced += text.find(" was first; ") != std::string::npos;
  };
  for (int repetition = 0; repetition < 20; ++repetition) {
    int const before = raced;
    BOOST_TEST((Solver(lp).solve(options, callbacks).status == Status::optimal));
    alone += raced == before;
  }
  BOOST_TEST(alone > 0);
  options.algorithm = AlgorithmChoice::race;  // whoever asks for a race has one at once
  raced = 0;
  Solver(lp).solve(options, callbacks);
  BOOST_TEST(raced == 1);
}

// A device takes longer to open than the processor needs: nobody waits for it. Where there is none,
// that is told once.
BOOST_AUTO_TEST_CASE(a_race_does_not_wait_for_a_device_to_open) {
  LinearProgram const lp = sparseLp(500, 900, 6, 3);
  Options options;
  options.threads = 4;
  options.presolve = Toggle::off;
  // The driver may start slowly, or the device be made slowly.
  using Case = std::pair<bool, bool>;
  for (auto const& [missing, slowDriver] :
       {Case(false, false), Case(false, true), Case(true, false)}) {
    EngineMakers makers;
    makers.deviceWasOpened = [] { return true; };  // so that one is asked for
    std::atomic<int> asked = 0, made = 0;
    makers.translation = [&asked, slow = slowDriver](int) {
      ++asked;
      if (slow) std::this_thread::sleep_for(std::chrono::seconds(4));
      return std::string("the driver has something to say");
    };
    makers.device = [&made, slow = !missing](EngineOptions const&) -> std::unique_ptr<Engine> {
      ++made;
      if (slow) std::this_thread::sleep_for(std::chrono::seconds(4));
      throw EngineUnavailable("no device here");
    };
    // However busy the machine is: the processor begins a little after the device was asked for.
    auto const untilAsked = [&asked] {
      for (int wait = 0; wait < 2000 && asked == 0; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    hold(makers, untilAsked);
    std::string told;
    Callbacks callbacks;
    callbacks.notice = [&](std::string const& text) { told += text + "\n"; };
    Solver solver = solverWith(std::move(makers));
    solver.load(lp);
    Stopwatch const watch;
    Solution const s = solver.solve(options, callbacks);
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST(asked == 1);
    BOOST_TEST(watch.seconds() < 3.0);
    BOOST_TEST(opensInBackground() == !missing);
    BOOST_TEST((told.find("engine host: no device here") != std::string::npos) == missing, told);
    BOOST_TEST((told.find("has something to say") == std::string::npos) == slowDriver, told);
    while (opensInBackground()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    BOOST_TEST(made == !slowDriver);  // nobody wants it any more
  }
}

LinearProgram diagonal(int size) {
  LinearProgram lp;
  lp.matrix.rows = lp.matrix.columns = size;
  for (int j = 0; j < size; ++j) {
    lp.matrix.indices.push_back(j);
    lp.matrix.values.push_back(1.0);
    lp.matrix.starts.push_back(j + 1);
  }
  lp.objective.assign(size, 1.0);
  lp.columnLower.assign(size, 0.0);
  lp.columnUpper.assign(size, infinity);
  lp.rowLower.assign(size, 0.0);
  lp.rowUpper.assign(size, 1.0);
  return lp;
}

// Whoever has no device open yet opens none for a solve that takes less.
BOOST_AUTO_TEST_CASE(a_closed_device_joins_late) {
  LinearProgram const lp = diagonal(12'000);
  for (bool const longer : {false, true}) {
    std::atomic<int> asked = 0;
    EngineMakers makers;
    makers.translation = [&asked](int) {
      ++asked;
      return std::string();
    };
    makers.device = [](EngineOptions const&) -> std::unique_ptr<Engine> {
      throw EngineUnavailable("no device here");
    };
    auto const wait = [&asked, longer] {
      for (int turn = 0; turn < (longer ? 4000 : 100) && asked == 0; ++turn)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    hold(makers, wait);
    Options options;
    options.threads = 4;
    options.presolve = Toggle::off;
    Solver solver = solverWith(std::move(makers));
    solver.load(lp);
    BOOST_TEST((solver.solve(options).status == Status::optimal));
    BOOST_TEST(asked == (longer ? 1 : 0));
  }
}

// A solve that the processor is expected to need long for opens it at once.
BOOST_AUTO_TEST_CASE(a_closed_device_joins_at_once_where_it_is_needed) {
  LinearProgram const lp = diagonal(12'000);
  Shape const shape{lp.rows(), lp.columns(), lp.matrix.nonzeros()};
  Stopwatch watch;
  std::atomic<double> asked = 0.0;
  EngineMakers makers;
  makers.translation = [&](int) {
    asked = watch.seconds();
    return std::string();
  };
  makers.device = [](EngineOptions const&) -> std::unique_ptr<Engine> {
    throw EngineUnavailable("no device here");
  };
  std::atomic<bool> led = false;
  makers.factored = [&](EngineOptions const& engine) {
    for (int turn = led.exchange(true) ? 4000 : 0; turn < 4000 && asked == 0.0; ++turn)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return makeFactoredEngine(engine);
  };
  makers.hostBarrier = [](BarrierOptions const&) { return std::make_unique<EndlessBarrier>(10.0); };
  Options options;
  options.threads = 4;
  options.presolve = Toggle::off;
  Solver solver = solverWith(std::move(makers));
  solver.load(lp);
  watch = Stopwatch();
  BOOST_TEST((solver.solve(options).status == Status::optimal));
  BOOST_TEST(asked > 0.0);
  BOOST_TEST(asked < openingSeconds(machineFor(shape.cells())));
}

// Vertices of networks and of assignments are degenerate: pivots of a device are many there.
BOOST_AUTO_TEST_CASE(the_part_of_a_device_is_the_interior_point_method_of_networks) {
  for (bool const network : {false, true}) {
    std::atomic<int> opened = 0, inside = 0;
    EngineMakers makers;
    makers.deviceWasOpened = [] { return true; };
    makers.translation = [](int) { return std::string(); };
    makers.device = [&](EngineOptions const&) {
      ++opened;
      return std::make_unique<ToyDevice>();
    };
    makers.deviceBarrier = [&](BarrierOptions const& barrier) {
      ++inside;
      return makeHostBarrier(barrier);
    };
    auto const wait = [&, network] {
      for (int turn = 0; turn < 4000 && (network ? inside : opened) == 0; ++turn)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    hold(makers, wait);
    LinearProgram lp = sparseLp(500, 900, 6, 3);
    if (network)
      for (double& value : lp.matrix.values) value = value < 0.0 ? -1.0 : 1.0;
    Options options;
    options.threads = 4;
    options.presolve = Toggle::off;
    Solver solver = solverWith(std::move(makers));
    solver.load(lp);
    Status const status = solver.solve(options).status;
    options.engine = EngineChoice::host;
    options.race = RaceChoice::off;
    BOOST_TEST((status == Solver(lp).solve(options).status));
    BOOST_TEST(opened == 1);
    BOOST_TEST(inside == (network ? 1 : 0));
  }
}

// A dense normal matrix of 300,000 rows would take 720 GB.
BOOST_AUTO_TEST_CASE(nobody_stays_out_for_a_matrix_that_is_sparse) {
  LinearProgram const lp = diagonal(300'000);
  Options options = racing(RaceChoice::time);
  options.presolve = Toggle::off;
  Callbacks callbacks;
  bool out = false;
  callbacks.notice = [&](std::string const& text) {
    out = out || text.find("stay out") != std::string::npos;
  };
  BOOST_TEST((Solver(std::move(lp)).solve(options, callbacks).status == Status::optimal));
  BOOST_TEST(!out);
}

// The tableau, a change and a further solve find what the winner left.
BOOST_AUTO_TEST_CASE(the_winner_leaves_its_basis_and_its_engine) {
  LinearProgram lp = sparseLp(40, 60, 8, 7);
  for (RaceChoice const race : {RaceChoice::time, RaceChoice::work}) {
    Solver solver(lp);
    Solution const s = solver.solve(racing(race));
    BOOST_TEST_REQUIRE((s.status == Status::optimal));
    BOOST_TEST((solver.basis() == s.basis));
    BOOST_TEST(solver.basicVariables().size() == 40u);
    BOOST_TEST(solver.inverseRow(0).size() == 40u);
    solver.setObjective(0, lp.objective[0] + 1.0);
    Solution const changed = solver.solve();
    lp.objective[0] += 1.0;
    BOOST_TEST(std::fabs(changed.objective - Solver(lp).solve().objective) <=
               1e-9 * (1.0 + std::fabs(changed.objective)));
    lp.objective[0] -= 1.0;
  }
}

BOOST_AUTO_TEST_CASE(phases_are_those_of_the_winner) {
  LinearProgram const lp = sparseLp(60, 90, 6, 5);
  for (AlgorithmChoice const algorithm :
       {AlgorithmChoice::primal, AlgorithmChoice::dual, AlgorithmChoice::barrier,
        AlgorithmChoice::race, AlgorithmChoice::automatic}) {
    Options options = racing();
    options.algorithm = algorithm;
    Solution const s = Solver(lp).solve(options);
    BOOST_TEST_REQUIRE(!s.phases.empty());
    bool const givenUp = algorithm == AlgorithmChoice::automatic &&
                         s.algorithm == SolveAlgorithm::barrier &&
                         s.phases.front().algorithm == SolveAlgorithm::dual;
    BOOST_TEST((givenUp || s.phases.front().algorithm == s.algorithm));
    std::int64_t iterations = 0, own = 0;
    for (SolvePhase const& ran : s.phases) {
      iterations += ran.iterations;
      if (ran.algorithm == s.algorithm) own += ran.iterations;
      BOOST_TEST(ran.seconds >= 0.0);
    }
    BOOST_TEST(iterations == s.iterations + s.barrierIterations);
    // Who was asked for makes the pivots, but for a clean-up.
    if (algorithm == AlgorithmChoice::primal || algorithm == AlgorithmChoice::dual)
      BOOST_TEST(2 * own > iterations);
  }
}

BOOST_AUTO_TEST_CASE(who_fails_does_not_take_the_answer_along) {
  LinearProgram const lp = sparseLp(60, 90, 6, 5);
  double const optimum = Solver(lp).solve().objective;
  for (bool const late : {false, true}) {
    Solver solver = solverWithBarrier([late] { return std::make_unique<FailingBarrier>(late); });
    solver.load(lp);
    std::string told;
    Callbacks callbacks;
    callbacks.notice = [&](std::string const& text) { told += text + "\n"; };
    Solution const s = solver.solve(racing(RaceChoice::work), callbacks);
    BOOST_TEST((s.status == Status::optimal));
    BOOST_TEST(std::fabs(s.objective - optimum) <= 1e-9 * std::fabs(optimum));
    BOOST_TEST(told.find("race: barrier gave up: ") != std::string::npos, told);
  }
}

BOOST_AUTO_TEST_CASE(where_all_fail_the_error_is_told) {
  EngineMakers makers;
  makers.factored = {};
  makers.host = [](EngineOptions const&) -> std::unique_ptr<Engine> { throw std::bad_alloc(); };
  makers.hostBarrier = [](BarrierOptions const&) { return std::make_unique<FailingBarrier>(true); };
  Solver solver = solverWith(std::move(makers));
  solver.load(sparseLp(10, 15, 3, 5));
  Options options = racing();
  options.threads = 2;
  BOOST_CHECK_THROW(solver.solve(options), std::exception);
}

// The others hear of a proof at once; what they have is not looked at.
BOOST_AUTO_TEST_CASE(a_proof_stops_the_others) {
  LinearProgram const lp = sparseLp(60, 90, 6, 5);
  Solver solver = solverWithBarrier([] { return std::make_unique<EndlessBarrier>(); });
  solver.load(lp);
  EndlessBarrier::began = false;
  Stopwatch const watch;
  Solution const s = solver.solve(racing(RaceChoice::time));
  BOOST_TEST((s.status == Status::optimal));
  BOOST_TEST((s.algorithm != SolveAlgorithm::barrier));
  BOOST_TEST(watch.seconds() < 5.0);  // a busy machine
}

// A run of many pivots, or a factorisation, is not waited for. (A caller who wants to stop gets
// what a run has come to.)
BOOST_AUTO_TEST_CASE(who_has_lost_ends_at_the_next_pivot) {
  LinearProgram const lp = sparseLp(60, 90, 6, 5);
  Options options;
  options.engine = EngineChoice::host;
  options.race = RaceChoice::off;
  for (Representation const how : {Representation::factors, Representation::tableau})
    for (AlgorithmChoice const algorithm :
         {AlgorithmChoice::primal, AlgorithmChoice::dual, AlgorithmChoice::barrier}) {
      options.representation = how;
      options.algorithm = algorithm;
      std::atomic<bool> lost = true;
      Abandoned const work(lost);
      Solution const stopped = Solver(lp).solve(options);
      BOOST_TEST((stopped.status == Status::interrupted));
      BOOST_TEST(stopped.iterations <= 1);
      lost = false;
      BOOST_TEST((Solver(lp).solve(options).status == Status::optimal));
    }
}

BOOST_AUTO_TEST_CASE(limits_and_wishes_to_stop_end_all) {
  LinearProgram const lp = sparseLp(400, 800, 20, 5);
  Options options = racing();
  options.presolve = Toggle::off;
  options.iterationLimit = 5;
  BOOST_TEST((Solver(lp).solve(options).status == Status::iterationLimit));
  options.iterationLimit = Options().iterationLimit;
  options.timeLimit = 0.02;
  Solution const late = Solver(lp).solve(options);
  BOOST_TEST((late.status == Status::timeLimit || late.status == Status::optimal));
  options.timeLimit = Options().timeLimit;
  for (int const polls : {0, 3}) {
    int asked = 0;
    std::thread::id const caller = std::this_thread::get_id();
    Callbacks callbacks;
    callbacks.interrupted = [&] {
      BOOST_TEST((std::this_thread::get_id() == caller));
      return ++asked > polls;
    };
    Solution const stopped = Solver(lp).solve(options, callbacks);
    BOOST_TEST((stopped.status == Status::interrupted));
    BOOST_TEST((stopped.proof == ProofGrade::none));
  }
}

BOOST_AUTO_TEST_CASE(callers_are_spoken_to_from_their_own_thread) {
  LinearProgram const lp = sparseLp(150, 250, 15, 5);
  std::thread::id const caller = std::this_thread::get_id();
  int progress = 0, traces = 0, notices = 0, ends = 0;
  auto const count = [&](int& calls) {
    BOOST_TEST((std::this_thread::get_id() == caller));
    ++calls;
  };
  Callbacks callbacks;
  callbacks.progress = [&](Progress const&) { count(progress); };
  callbacks.notice = [&](std::string const&) { count(notices); };
  callbacks.trace = [&](TraceEvent const&) { count(traces); };
  callbacks.checkpointDue = [&] {
    BOOST_TEST((std::this_thread::get_id() == caller));
    return true;
  };
  callbacks.checkpoint = [&](Checkpoint const& checkpoint) {
    BOOST_TEST((std::this_thread::get_id() == caller));
    BOOST_TEST(checkpoint.basis.rows.size() == 150u);
    ends += checkpoint.status == Status::optimal;
  };
  Solution const s = Solver(lp).solve(racing(), callbacks);
  BOOST_TEST((s.status == Status::optimal));
  BOOST_TEST(progress > 0);
  BOOST_TEST(traces > 0);
  BOOST_TEST(notices > 0);
  BOOST_TEST(ends == 1);
  callbacks = {};
  callbacks.progress = [](Progress const&) { throw std::runtime_error("enough"); };
  BOOST_CHECK_THROW(Solver(lp).solve(racing(), callbacks), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(without_a_crossover_the_first_point_will_do) {
  LinearProgram const lp = sparseLp(60, 90, 6, 5);
  Options options = racing();
  options.crossover = false;
  Solution const s = Solver(lp).solve(options);
  BOOST_TEST((s.status == Status::optimal || s.status == Status::interior));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(race_long)

BOOST_AUTO_TEST_CASE(a_thousand_races_have_one_answer) {
  repeat(1000);
}

BOOST_AUTO_TEST_SUITE_END()
