// SPDX-License-Identifier: EPL-2.0
// The plan as a table: what a problem of a shape gets under which options and history.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/plan.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

struct Case {
  char const* name;
  Shape shape;
  std::function<void(Options&, History&)> change;
  std::string expected;  ///< as lettersOf has it
};

/// D device, F factors, P presolve, B barrier, + precise, C confirm, H prove on the host, L last
/// attempt there; a dot where not.
std::string lettersOf(Placement const& where, Method const& how) {
  std::string letters;
  for (auto const& [yes, letter] :
       {std::pair(where.device, 'D'), std::pair(where.factors, 'F'), std::pair(where.presolve, 'P'),
        std::pair(how.barrier, 'B'), std::pair(how.precise, '+'), std::pair(how.confirm, 'C'),
        std::pair(where.proveOnHost, 'H'), std::pair(where.lastOnHost, 'L')})
    letters += yes ? letter : '.';
  return letters;
}

// Sizes on both sides of each threshold.
constexpr Shape tiny{27, 32, 83}, small{499, 500, 2000}, middle{600, 600, 3000},
    dense{600, 600, 360000}, largeDense{2000, 1000, 2000000}, shortDense{999, 2500, 2497500},
    large{6000, 5000, 50000}, huge{100000, 150000, 400000}, hugeDense{3000, 3000, 9000000};

Case const cases[] = {
    {"tiny: on the processor", tiny, {}, "....+C.L"},
    {"below the size of a device and of a presolve", small, {}, ".F..+C.L"},
    {"sparse, above both, but solved before a device is open", middle, {}, ".FP.+CHL"},
    {"sparse, with more pivots than that", large, {}, "DFP.+CH."},
    {"dense: no presolve", dense, {}, "D......L"},
    {"a host is asked for", middle, [](Options& o, History&) { o.engine = EngineChoice::host; },
     ".FP.+C.."},
    {"a device is asked for", small, [](Options& o, History&) { o.engine = EngineChoice::cuda; },
     "DF..+CH."},
    {"presolve is asked for", tiny, [](Options& o, History&) { o.presolve = Toggle::on; },
     "..P.+C.L"},
    {"presolve is refused", large, [](Options& o, History&) { o.presolve = Toggle::off; },
     "DF..+CH."},
    {"without pivots nothing is to be saved", large,
     [](Options& o, History&) {
       o.presolve = Toggle::on;
       o.iterationLimit = 0;
     },
     "DF..+CH."},
    {"an interior point has no basis to restart from", large,
     [](Options& o, History&) {
       o.presolve = Toggle::on;
       o.algorithm = AlgorithmChoice::barrier;
       o.crossover = false;
     },
     "DF.B+CH."},
    {"presolve on an open device, too", middle, [](Options&, History& h) { h.deviceOpen = true; },
     "DFP.+CHL"},
    {"a solved problem is not presolved", large,
     [](Options&, History& h) {
       h.solvedBefore = true;
       h.holds = EngineKind::device;
     },
     "DF..+CH."},
    {"few pivots are expected from a basis", middle,
     [](Options&, History& h) { h.slackStart = false; }, ".F..+CHL"},
    {"there is no device", large, [](Options&, History& h) { h.noDevice = true; }, ".FP.+CH."},
    {"it was lost", large, [](Options&, History& h) { h.deviceLost = true; }, ".FP.+CH."},
    {"nor are few pivots of a large problem worth a device", large,
     [](Options&, History& h) { h.slackStart = false; }, ".F..+CH."},
    {"which makes them where it has the problem", large,
     [](Options&, History& h) {
       h.slackStart = false;
       h.holds = EngineKind::device;
     },
     "DF..+CH."},
    {"a dense problem stays on the device", hugeDense,
     [](Options&, History& h) { h.slackStart = false; }, "D......."},
    {"the interior point method on a device", largeDense,
     [](Options&, History& h) { h.holds = EngineKind::device; }, "D..B...L"},
    {"not on the processor", largeDense,
     [](Options&, History& h) { h.holds = EngineKind::tableau; }, "D......L"},
    {"not with a short side", shortDense,
     [](Options&, History& h) { h.holds = EngineKind::device; }, "D......L"},
    {"not for a sparse problem", huge, [](Options&, History& h) { h.holds = EngineKind::device; },
     "DFP.+.H."},
    {"not where pivots are asked for", largeDense,
     [](Options& o, History& h) {
       o.algorithm = AlgorithmChoice::dual;
       h.holds = EngineKind::device;
     },
     "D......L"},
    {"a part of the tableau is asked for", small, [](Options& o, History&) { o.blockSize = 8; },
     "....+C.L"},
    {"there are no factors", small, [](Options&, History& h) { h.hasFactors = false; }, "....+C.L"},
    {"a limit of the objective is not a presolve's", large,
     [](Options& o, History&) { o.objectiveLimit = 3.0; }, "DF..+CH."},
};

std::string planOf(Case const& c) {
  Options options;
  History history;
  if (c.change) c.change(options, history);
  return lettersOf(placementFor(c.shape, options, history), methodFor(c.shape, options, history));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(every_case_of_the_table) {
  for (Case const& c : cases) BOOST_TEST(planOf(c) == c.expected, c.name);
}

// On the processor, cold and with pivots afterwards; where few pivots are expected, it is counted
// after some of them.
BOOST_AUTO_TEST_CASE(the_work_of_a_sparse_barrier_is_weighed_on_the_processor) {
  auto const weighed = [](Shape const& shape,
                          std::function<void(Options&, History&)> const& change) {
    Options options;
    History history;
    history.holds = EngineKind::factors;
    change(options, history);
    return methodFor(shape, options, history).weighBarrier;
  };
  BOOST_TEST(weighed(large, [](Options&, History&) {}));
  BOOST_TEST(weighed(Shape{100, 200, 1000}, [](Options&, History&) {}));
  BOOST_TEST(!weighed(largeDense, [](Options&, History&) {}));
  BOOST_TEST(!weighed(large, [](Options&, History& h) { h.holds = EngineKind::device; }));
  BOOST_TEST(!weighed(large, [](Options&, History& h) { h.slackStart = false; }));
  BOOST_TEST(!weighed(large, [](Options& o, History&) { o.crossover = false; }));
  BOOST_TEST(!weighed(large, [](Options& o, History&) { o.algorithm = AlgorithmChoice::dual; }));
  BOOST_TEST(workBeforeCounting(large) == 0.0);
  BOOST_TEST(workBeforeCounting({302, 448, 33360}) == 0.0);  // a small tableau of long columns
  double const small = workBeforeCounting({302, 448, 1500});
  BOOST_TEST((small > 1e-4 && small < 1e-3));
  // The smaller a problem is the less an iteration gains beside pivots.
  BOOST_TEST(barrierPays(1e-3));
  BOOST_TEST(!barrierPays(5e-5));
  BOOST_TEST(barrierPays({1e-4}));
  BOOST_TEST(!barrierPays({1e-4, 2e-3}));  // its libraries take longer to open than all pivots
  BOOST_TEST(pivotsSeconds(1e-2) / pivotsSeconds(1e-3) > insideSeconds(1e-2) / insideSeconds(1e-3));
}

BOOST_AUTO_TEST_CASE(networks_are_known_by_their_columns) {
  auto const matrix = [](std::vector<std::vector<double>> const& columns) {
    SparseMatrix a;
    a.rows = 4;
    a.columns = static_cast<int>(columns.size());
    for (auto const& column : columns) {
      for (std::size_t k = 0; k < column.size(); ++k) {
        a.indices.push_back(static_cast<int>(k));
        a.values.push_back(column[k]);
      }
      a.starts.push_back(static_cast<std::int64_t>(a.indices.size()));
    }
    return a;
  };
  std::vector<std::vector<double>> columns(9, {1.0, -1.0});
  columns[3] = {};
  columns[4] = {0.3, 7.0};
  columns[5] = {2.0, -2.0, 2.0};
  columns.push_back({1.0, 2.0, 1.0});
  BOOST_TEST(likeNetwork(matrix(columns)));
  columns[0] = {1.0, 1.0, 0.5};
  BOOST_TEST(!likeNetwork(matrix(columns)));
}

// 1000 pivots are expected, and the interior point method with its crossover to take 0.2 s.
BOOST_AUTO_TEST_CASE(pivots_are_tried_as_long_as_their_pace_is_good) {
  Shape const shape{1000, 834, 3000};
  auto const over = [&](std::int64_t pivots, double work) {
    return givesPivotsUp(shape, 0.2 / 30.0, pivots, work);
  };
  for (int pivots = 0; pivots <= 1000; pivots += 100)
    BOOST_TEST(!over(pivots, 1.3e-4 * pivots), pivots);
  BOOST_TEST(!over(100, 0.015));  // too little to tell
  BOOST_TEST(over(200, 0.06));
  BOOST_TEST(!over(900, 0.13));  // nearly done
  BOOST_TEST(over(1100, 0.07));  // more than usual
  BOOST_TEST(over(2000, 0.2));
  // As many are usual whichever side is the longer one.
  for (Shape const oblong : {Shape{162, 1555, 6167}, Shape{1555, 162, 6167}})
    BOOST_TEST(!givesPivotsUp(oblong, 0.2 / 30.0, 350, 0.1));
}

BOOST_AUTO_TEST_CASE(sparse_problems_on_the_processor_begin_with_the_dual_and_race) {
  Shape shape{600, 600, 3000};
  Options options;
  History history;
  history.holds = EngineKind::factors;
  history.cores = 2;
  auto const next = [&] { return methodFor(shape, options, history); };
  BOOST_TEST((next().dual && !next().race));
  options.race = RaceChoice::work;
  BOOST_TEST((next().dual && next().race));
  for (auto const &change : std::vector<std::function<void(Options&, History&)>>{
           [](Options&o, History&) { o.race = RaceChoice::off; },
           [](Options&o, History&) { o.threads = 1; },
           [](Options&o, History&) { o.crossover = false; },
           [](Options&o, History&) { o.objectiveLimit = 3.0; },
           [](Options&, History&h) { h.cores = 1; },
           [](Options&, History&h) { h.holds = EngineKind::tableau; },
           [](Options&, History&h) { h.slackStart = false; },
           [](Options&, History&h) { h.solvedBefore = true; }}) {
    Options changed = options;
    History other = history;
    change(changed, other);
    BOOST_TEST(!methodFor(shape, changed, other).race);
    // Who asks for a race gets one, unless there are to be none.
    changed.algorithm = AlgorithmChoice::race;
    BOOST_TEST(methodFor(shape, changed, other).race == (changed.race != RaceChoice::off));
  }
  history.holds = EngineKind::tableau;
  BOOST_TEST(!next().dual);
  shape = {25, 200, 5000};
  BOOST_TEST((next().dual && !next().race));
  history.slackStart = false;
  BOOST_TEST(!next().dual);
  BOOST_TEST((!methodFor(tiny, options, {}).race));
}

// To exchange the engine costs many pivots: it stays until the other one is twice as fast.
BOOST_AUTO_TEST_CASE(an_engine_stays_as_long_as_the_other_is_hardly_faster) {
  bool differ = false;
  for (int rows = 20; rows < 400; rows += 5) {
    Shape const shape{rows, rows, 10 * rows};
    Options const options;
    History fresh, tableau, factors;
    tableau.holds = EngineKind::tableau;
    factors.holds = EngineKind::factors;
    bool const by[] = {placementFor(shape, options, tableau).factors,
                       placementFor(shape, options, fresh).factors,
                       placementFor(shape, options, factors).factors};
    BOOST_TEST(by[0] <= by[1]);
    BOOST_TEST(by[1] <= by[2]);
    differ = differ || by[0] != by[2];
  }
  BOOST_TEST(differ);
}

// The sides of mod011 and gesa2 as measured on one H200 (docs/evidence/osi.md), and the other way
// round: what was measured overrules the sizes, once.
BOOST_AUTO_TEST_CASE(re_solves_are_made_where_they_take_less_time) {
  constexpr Shape gesa2{1392, 1224, 5064}, mod011{4480, 10958, 22254}, dense500{500, 2000, 1000000};
  constexpr Resumed none, few{15, 150, 10, 0.3};
  auto const of = [](double solves, double pivots, double reshapes, double milliseconds) {
    return Resumed{solves, solves * pivots, solves * reshapes, 1e-3 * solves * milliseconds};
  };
  struct Row {
    char const* name;
    Shape shape;
    bool onDevice;
    Resumed host, device;
    bool expected;
  };
  Row const rows[] = {
      {"few pivots by factors", gesa2, false, none, none, false},
      {"a device in use that is hardly slower by sizes", gesa2, true, none, none, true},
      {"few were measured", gesa2, false, few, none, false},
      {"rows come and go: a device has to change its tableau", gesa2, false, of(2000, 9, 0.8, 0.85),
       none, false},
      {"bounds only", gesa2, false, of(2000, 9, 0.0, 0.85), none, true},
      {"not for less than a device takes to open", gesa2, false, of(200, 9, 0.0, 0.85), none,
       false},
      {"slower on the device than expected", gesa2, true, none, of(100, 9, 0.8, 1.5), false},
      {"as fast as expected", gesa2, true, none, of(100, 9, 0.0, 0.4), true},
      {"just moved there: few measured", gesa2, true, of(2000, 9, 0.0, 0.85), few, true},
      {"moved, and slower", gesa2, true, of(2000, 9, 0.0, 0.85), of(100, 9, 0.0, 1.4), false},
      {"moved, and a little slower", gesa2, true, of(2000, 9, 0.0, 0.85), of(100, 9, 0.0, 0.9),
       true},
      {"moved, and faster", gesa2, true, of(2000, 9, 0.0, 0.85), of(40, 9, 0.0, 0.4), true},
      {"back, and what was measured there still holds", gesa2, false, of(2000, 9, 0.0, 0.85),
       of(40, 9, 0.0, 1.4), false},
      {"more pivots a solve than there were", gesa2, false, of(2000, 90, 0.0, 8.5),
       of(40, 9, 0.0, 1.4), true},
      {"many pivots", mod011, false, of(40, 243, 0.5, 30), none, true},
      {"many pivots on the device", mod011, true, none, of(100, 243, 0.5, 5.3), true},
      {"dense", dense500, true, none, of(100, 46, 0.5, 3.0), true},
  };
  for (Row const& row : rows) {
    History history;
    history.solvedBefore = true;
    history.slackStart = false;
    history.holds = row.onDevice ? EngineKind::device : EngineKind::factors;
    history.resumed = {row.host, row.device};
    Placement const next = placementFor(row.shape, {}, history);
    BOOST_TEST(next.device == row.expected, row.name);
    bool const measured = history.resumed[row.onDevice].solves >= (row.onDevice ? 16.0 : 1.0);
    std::string const cause = causeOfPlace(next, row.shape);
    BOOST_TEST((cause.find(" re-solves took ") != std::string::npos) == measured, cause);
  }
}

namespace {

/// A search whose re-solves take so many seconds on the processor and on a device, by the clock.
struct Search {
  Shape shape;
  std::array<double, 2> seconds;  ///< of a re-solve, about
  std::array<double, 2> load{};   ///< of a move to that side
  bool startsOnDevice = false;
  std::array<double, 2> alone{};  ///< what the same re-solves take on either side
  double total = 0.0;             ///< and here, with moves
  int moves = 0;
  History history;

  Search(Shape const& s, std::array<double, 2> each, bool device)
      : shape(s), seconds(each), startsOnDevice(device), history(), random_(7) {
    history.solvedBefore = true;
    history.slackStart = false;
    history.holds = device ? EngineKind::device : EngineKind::factors;
    history.deviceOpen = history.deviceHeld = device;
    load = {10.0 * seconds[0], 10.0 * seconds[1]};
  }

  /// A re-solve whose pivots and seconds scatter, the latter by a factor of 5.
  void solve() {
    bool const device = placementFor(shape, {}, history).device;
    double const work = std::exp(random_.between(-0.8, 0.8));
    for (bool const side : {false, true}) alone[side] += work * seconds[side];
    total += work * seconds[device];
    if (device != (history.holds == EngineKind::device)) {  // a solve with a load is not measured
      ++moves;
      total += load[device] + (device && !history.deviceOpen ? 0.35 : 0.0);
      history.deviceHeld = device;
      history.deviceOpen = history.deviceOpen || device;
      history.holds = device ? EngineKind::device : EngineKind::factors;
      return;
    }
    Resumed& known = history.resumed[device];
    ++known.solves;
    known.pivots += 10.0 * work;
    known.seconds += work * seconds[device];
  }
  double better() const { return std::min(alone[0], alone[1]); }

 private:
  testing::Random random_{5489};
};

}  // namespace

constexpr Shape searched[] = {{100, 200, 900},     {1392, 1224, 5064},   {755, 2756, 8937},
                              {100, 2000, 200000}, {500, 2000, 1000000}, {500, 5000, 250000},
                              {4480, 10958, 22254}};

// Whatever sizes say of either side: here they are wrong by up to three orders of magnitude, in
// both directions. A price is what both moves and the first re-solves after them take.
BOOST_AUTO_TEST_CASE(re_solves_lose_little_beside_the_better_side) {
  constexpr double each[] = {5e-4, 7e-4, 2e-3, 1e-2, 1.4e-2, 0.3};
  for (Shape const& shape : searched)
    for (double const host : each)
      for (double const device : each)
        for (bool const onDevice : {false, true}) {
          Search search(shape, {host, device}, onDevice);
          double const price = 0.35 + search.load[0] + search.load[1] + 16.0 * (host + device);
          double most = 0.0;  // lost beyond a tenth, in prices
          while (search.better() < 200.0) {
            search.solve();
            most = std::max(most, (search.total - 1.1 * search.better()) / price);
          }
          bool const good =
              most <= 10.0 && search.total <= 1.05 * search.better() && search.moves <= 20;
          BOOST_TEST(good, shape.rows
                               << " x " << shape.columns << ", " << host << " s on the host, "
                               << device << " s on " << (onDevice ? "the" : "a")
                               << " device: " << search.total / search.better() << ", " << most
                               << " prices, " << search.moves << " moves");
        }
}

// Other threads come to the device, or what else makes a side slow: measured seconds tell.
BOOST_AUTO_TEST_CASE(re_solves_leave_a_side_that_becomes_slow) {
  for (Shape const& shape : searched)
    for (bool const onDevice : {false, true}) {
      Search search(shape, {1.5e-3, 1.5e-3}, onDevice);
      search.seconds[!onDevice] *= 1.5;
      while (search.better() < 2.0) search.solve();
      BOOST_TEST((search.history.holds == EngineKind::device) == onDevice);
      double const total = search.total, better = search.better();
      search.seconds[onDevice] *= 20.0;
      for (int k = 0; k < 5000; ++k) search.solve();
      BOOST_TEST((search.history.holds == EngineKind::device) != onDevice);
      BOOST_TEST(search.total - total < 2.0 * better + 1.3 * 5000.0 * 2.25e-3);
    }
}

BOOST_AUTO_TEST_CASE(reasons_name_what_was_left_open) {
  Options options;
  History const history;
  auto const reasons = [&](Shape const& shape) {
    return choicesOf(placementFor(shape, options, history), shape, options);
  };
  BOOST_TEST_REQUIRE(reasons(small).size() == 3u);
  std::string const first = sentenceOf(reasons(small)[0]);
  BOOST_TEST(first.rfind("plan: presolve off (2.5e+05 cells", 0) == 0u, first);
  PlanChoice const last = reasons(small)[2];
  BOOST_TEST(last.subject == "representation");
  BOOST_TEST_REQUIRE(last.ways.size() == 2u);
  for (PlanWay const& way : last.ways) BOOST_TEST(way.seconds > 0.0, way.name);
  options.presolve = Toggle::on;
  options.engine = EngineChoice::host;
  options.representation = Representation::factors;
  BOOST_TEST(reasons(small).empty());
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// An engine of a device that is none of CUDA's, and is lost in the middle of its second run.
class ToyDevice final : public host::HostEngine {
 public:
  ToyDevice() : HostEngine(EngineOptions{}) { traits_.device = "toy"; }
  PivotReport run(PivotRequest const& request) override {
    if (lost && ++runs_ > 1) throw EngineUnavailable("engine toy: gone");
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    return HostEngine::run(request);
  }
  static inline bool lost = false;
  static inline int delay = 0;  ///< milliseconds

 private:
  int runs_ = 0;
};

}  // namespace

namespace {

/// How often a solve asks where, and by which method.
std::pair<int, int> questionsOf(Solver& solver, Options const& options) {
  std::pair<int, int> asked;
  Callbacks callbacks;
  callbacks.trace = [&](TraceEvent const& event) {
    asked.first += std::string_view(event.kind) == "placement";
    asked.second += std::string_view(event.kind) == "method";
  };
  BOOST_TEST((solver.solve(options, callbacks).status != Status::numerical));
  return asked;
}

}  // namespace

// Whatever a stage decided by itself would not be in the plan that is printed.
BOOST_AUTO_TEST_CASE(a_solve_asks_where_and_how_once) {
  Options options;
  options.engine = EngineChoice::host;
  std::pair<int, int> const once(1, 1);
  for (auto const algorithm : {AlgorithmChoice::automatic, AlgorithmChoice::primal,
                               AlgorithmChoice::dual, AlgorithmChoice::barrier}) {
    options.algorithm = algorithm;
    for (LinearProgram const& lp :
         {testing::denseLp(60, 50, 3, false), testing::sparseLp(70, 90, 5, 3)}) {
      Solver solver(lp);
      BOOST_TEST((questionsOf(solver, options) == once));
      solver.setColumnBounds(0, 0.0, 0.0);
      BOOST_TEST((questionsOf(solver, options) == once));
      solver.setBasis({});
      BOOST_TEST((questionsOf(solver, options) == once));
    }
  }
  // The smaller problem is one of its own, and the given one begins at another basis afterwards.
  options.algorithm = AlgorithmChoice::automatic;
  options.presolve = Toggle::on;
  Solver solver(testing::sparseLp(70, 90, 5, 3));
  auto const [where, how] = questionsOf(solver, options);
  BOOST_TEST(where <= 3);
  BOOST_TEST(how <= 2);
}

BOOST_AUTO_TEST_SUITE(engine_kind)

// Nothing asks an engine for its name to know what it is.
BOOST_AUTO_TEST_CASE(a_device_of_another_name_is_one) {
  EngineMakers makers;
  makers.device = [](EngineOptions const&) { return std::make_unique<ToyDevice>(); };
  LinearProgram const lp = testing::denseLp(60, 50, 3, false);
  Options options;
  options.engine = EngineChoice::cuda;
  options.blockSize = 4;
  for (bool const lost : {false, true}) {
    ToyDevice::lost = lost;
    Solver solver = solverWith(makers);
    solver.load(lp);
    Solution const solution = solver.solve(options);
    BOOST_TEST((solution.status == Status::optimal));
    BOOST_TEST((solution.device == "toy") == !lost);
    BOOST_TEST(solution.deviceLost == lost);
  }
}

// Afterwards the driver has translated what the first solve needs, and nothing is left to be said.
BOOST_AUTO_TEST_CASE(what_the_driver_translates_is_said_before_the_device_is_opened) {
  ToyDevice::lost = false;
  for (Toggle const presolve : {Toggle::off, Toggle::on}) {
    bool opened = false;
    EngineMakers makers;
    makers.device = [&](EngineOptions const&) {
      opened = true;
      return std::make_unique<ToyDevice>();
    };
    makers.translation = [&](int) { return opened ? std::string() : std::string("translates"); };
    Solver solver = solverWith(makers);
    solver.load(testing::denseLp(60, 50, 3, false));
    Options options;
    options.engine = EngineChoice::cuda;
    options.blockSize = 4;
    options.presolve = presolve;
    int said = 0;
    Callbacks callbacks;
    callbacks.notice = [&](std::string const& notice) { said += notice == "translates"; };
    BOOST_TEST((solver.solve(options, callbacks).status == Status::optimal));
    BOOST_TEST(said == 1);
  }
}

// To the side that re-solves are faster on, whichever the slow one is, and not back.
BOOST_AUTO_TEST_CASE(re_solves_move_once_to_the_faster_side) {
  LinearProgram lp = testing::denseLp(510, 500, 3, true);
  std::fill(lp.objective.begin() + 4, lp.objective.end(), 0.0);  // few pivots
  ToyDevice::lost = false;
  ToyDevice::delay = 20;
  EngineMakers makers;
  makers.device = [](EngineOptions const&) { return std::make_unique<ToyDevice>(); };
  Solver solver = solverWith(makers);
  solver.load(lp);
  std::string engines, causes;
  Callbacks callbacks;
  callbacks.notice = [&](std::string const& notice) {
    if (notice.find(" re-solves took ") != std::string::npos) causes += notice + '\n';
  };
  for (int k = 0; k < 40; ++k) {
    solver.setColumnBounds(k % 4, 0.0, k % 3 == 0 ? 0.01 : 0.02);
    Solution const solution = solver.solve({}, callbacks);
    BOOST_TEST((solution.status == Status::optimal));
    engines += solution.device == "toy" ? 'D' : 'H';
  }
  ToyDevice::delay = 0;
  auto const moved = engines.find('H');
  BOOST_TEST_REQUIRE(moved != std::string::npos, engines);
  BOOST_TEST(engines.find('D', moved) == std::string::npos, engines);
  BOOST_TEST(std::count(causes.begin(), causes.end(), '\n') == 1, causes);
  BOOST_TEST(causes.rfind("engine host: ", 0) == 0, causes);
  BOOST_TEST(causes.find(" re-solves took ") != std::string::npos, causes);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_dual_has_far_fewer_rows_and_cheaper_pivots) {
  // A quantile regression, an L1 trend filter; a dense Chebyshev fit, whose tableau is as large
  // either way; a square problem.
  BOOST_TEST(dualPays({2000, 4050, 104000}, {50, 2000, 100000}));
  BOOST_TEST(dualPays({3998, 9996, 15990}, {2000, 3998, 7994}));
  BOOST_TEST(!dualPays({4000, 51, 204000}, {51, 4000, 204000}));
  // Of a sparse problem the smaller side has to get shorter, not the rows.
  BOOST_TEST(!dualPays({2344, 165, 8354}, {161, 2353, 8514}));
  BOOST_TEST(dualPays({40201, 650, 130250}, {650, 40201, 130250}));
  BOOST_TEST(!dualPays({1392, 1224, 5064}, {912, 2112, 5784}));
  BOOST_TEST(!dualPays({500, 501, 250500}, {501, 500, 250500}));
  Shape const tall{2000, 4050, 104000};
  History first;
  BOOST_TEST(placementFor(tall, {}, first).mayDualise);
  BOOST_TEST(!placementFor({20, 60, 200}, {}, first).mayDualise);
  for (auto const& change : {
           +[](Options& o) { o.presolve = Toggle::off; },
           +[](Options& o) { o.algorithm = AlgorithmChoice::primal; },
           +[](Options& o) { o.representation = Representation::tableau; },
           +[](Options& o) { o.objectiveLimit = 3.0; },
           +[](Options& o) { o.iterationLimit = 0; },
       }) {
    Options options;
    change(options);
    BOOST_TEST(!placementFor(tall, options, first).mayDualise);
  }
  first.slackStart = false;  // goes on from a basis
  BOOST_TEST(!placementFor(tall, {}, first).mayDualise);
}
