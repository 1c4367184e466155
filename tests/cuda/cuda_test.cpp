// SPDX-License-Identifier: EPL-2.0
// What only a machine with a device can tell; elsewhere the program says so and counts as skipped.
#include <dlfcn.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/dense_family.hpp"
#include "tests/support/random_lp.hpp"

using namespace osi_cuda;
using osi_cuda::testing::denseLp;
using osi_cuda::testing::sparseLp;

namespace {

/// Ends the program with the status that CTest takes for "skipped" where there is no device.
struct NeedsDevice {
  NeedsDevice() {
    for (EngineReport const& engine : findEngines()) {
      if (engine.name != "cuda" || !engine.devices.empty()) continue;
      std::printf("skipped: %s\n", engine.reason.c_str());
      std::exit(77);
    }
  }
};
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);

constexpr AlgorithmChoice algorithms[] = {AlgorithmChoice::primal, AlgorithmChoice::dual};

Options onDevice(AlgorithmChoice algorithm, PricingChoice pricing = PricingChoice::automatic) {
  Options options;
  options.engine = EngineChoice::cuda;
  options.algorithm = algorithm;
  options.pricing = pricing;
  return options;
}

Options onHost(Options options) {
  options.engine = EngineChoice::host;
  return options;
}

std::vector<double> boundValues(StandardForm const& form) {
  std::vector<double> value(form.lower.size(), 0.0);
  for (std::size_t v = 0; v < value.size(); ++v)
    value[v] = std::isfinite(form.lower[v])   ? form.lower[v]
               : std::isfinite(form.upper[v]) ? form.upper[v]
                                              : 0.0;
  return value;
}

/// Pivots from one basis on both engines, and compares what they exchanged.
struct Twins {
  LinearProgram lp;
  StandardForm form;
  std::unique_ptr<Engine> engine[2];

  explicit Twins(LinearProgram problem) : lp(std::move(problem)), form(makeStandardForm(lp, true)) {
    engine[0] = makeHostEngine({});
    engine[1] = makeCudaEngine({});
    for (auto& e : engine) {
      e->load(form);
      e->setValues(boundValues(form));
    }
  }

  std::vector<char> marks(int k) const {
    std::vector<char> basic(form.lower.size(), 0);
    for (int v : engine[k]->snapshot().basicVariable) basic[static_cast<std::size_t>(v)] = 1;
    return basic;
  }

  PivotReport pivot(int k, Algorithm algorithm, Phase phase, int count,
                    Pricing pricing = Pricing::steepest) {
    engine[k]->computeWeights(algorithm, pricing);
    if (algorithm == Algorithm::primal && phase == Phase::one) engine[k]->computePhase1Costs(1e-7);
    PivotRequest request;
    request.algorithm = algorithm;
    request.phase = phase;
    request.pricing = pricing;
    request.budget = count;
    return engine[k]->run(request);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cuda)

// Ties within rounding may be broken differently; on these problems there are next to none.
BOOST_AUTO_TEST_CASE(both_engines_choose_the_same_pivot) {
  int compared = 0, different = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    bool const sparse = seed % 2 == 0;
    Twins twins(sparse ? sparseLp(60, 90, 5, seed) : denseLp(80, 50, seed, false));
    for (int step = 0; step < 40; ++step) {
      std::vector<char> const start = twins.marks(1);
      twins.engine[0]->refactor(start);
      twins.engine[1]->refactor(start);
      std::vector<double> const value = twins.engine[1]->snapshot().value;
      for (auto& e : twins.engine) e->setValues(value);
      PivotReport const host = twins.pivot(0, Algorithm::primal, Phase::one, 1);
      PivotReport const device = twins.pivot(1, Algorithm::primal, Phase::one, 1);
      BOOST_TEST((host.stop == device.stop));
      ++compared;
      different += twins.marks(0) != twins.marks(1) || host.flips != device.flips;
      if (device.iterations == 0) break;
    }
  }
  BOOST_TEST(compared > 150);
  BOOST_TEST(different <= compared / 50);
}

BOOST_AUTO_TEST_CASE(both_engines_gain_most_by_the_same_pivot) {
  int compared = 0, different = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    // of a few blocks and of all; with some columns boxed
    Twins twins(seed % 2 == 0 ? denseLp(80, 50, seed, true) : denseLp(4000, 300, seed, true));
    if (seed % 3 == 0) {
      for (std::size_t j = 0; j < 50; ++j) twins.form.upper[j] = 0.01;
      for (auto& e : twins.engine) e->setBounds(twins.form.lower, twins.form.upper);
    }
    for (int step = 0; step < 60; ++step) {
      auto const once = [&](int k) {
        return twins.pivot(k, Algorithm::primal, Phase::two, 9, Pricing::greatest);
      };
      PivotReport const host = once(0), device = once(1);
      BOOST_TEST((host.stop == device.stop));
      ++compared;
      different += twins.marks(0) != twins.marks(1) || host.flips != device.flips;
      if (different > 0 || device.stop == Stop::optimal) break;
      BOOST_TEST(device.iterations == 1);
    }
  }
  BOOST_TEST(compared > 200);
  BOOST_TEST(different == 0);
}

BOOST_AUTO_TEST_CASE(tableaus_of_both_engines_agree) {
  for (bool const sparse : {false, true}) {
    Twins twins(sparse ? sparseLp(300, 420, 5, 3) : denseLp(150, 100, 3, false));
    twins.pivot(1, Algorithm::primal, Phase::one, 60);
    std::vector<char> const basic = twins.marks(1);
    std::vector<double> const value = twins.engine[1]->snapshot().value;
    for (auto& e : twins.engine) {
      e->refactor(basic);
      e->setValues(value);
    }
    Snapshot const a = twins.engine[0]->snapshot(), b = twins.engine[1]->snapshot();
    BOOST_TEST((a.basicVariable == b.basicVariable));
    BOOST_TEST((a.nonbasicVariable == b.nonbasicVariable));
    for (std::size_t v = 0; v < a.value.size(); ++v)
      BOOST_TEST(std::fabs(a.value[v] - b.value[v]) <= 1e-9 * (1.0 + std::fabs(a.value[v])));
    for (int i = 0; i < twins.form.rows(); i += 7) {
      auto const x = twins.engine[0]->row(i), y = twins.engine[1]->row(i);
      for (std::size_t j = 0; j < x.size(); ++j)
        BOOST_TEST(std::fabs(x[j] - y[j]) <= 1e-9 * (1.0 + std::fabs(x[j])));
    }
  }
}

BOOST_AUTO_TEST_CASE(random_problems_have_their_known_answers) {
  for (int const size : {5, 12, 40}) {
    testing::RandomLpShape shape;
    shape.maxRows = shape.maxColumns = size;
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      auto const r = testing::randomLp(seed, shape);
      for (auto const algorithm : algorithms)
        for (PricingRule const& rule : pricingRules) {
          Solution const s = Solver(r.lp).solve(onDevice(algorithm, rule.rule));
          BOOST_TEST(toString(s.status) == toString(r.expected),
                     r.description << " " << toString(s.algorithm) << " " << s.pricing);
          if (r.expected == Status::optimal && s.status == Status::optimal)
            BOOST_TEST(std::fabs(s.objective - r.objective) <= 1e-9 * (1 + std::fabs(r.objective)));
        }
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_solves_agree_with_the_host) {
  std::vector<LinearProgram> problems;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) problems.push_back(sparseLp(150, 230, 6, seed));
  problems.push_back(denseLp(260, 150, 5, true));
  problems.push_back(denseLp(260, 150, 6, false));
  for (LinearProgram const& lp : problems)
    for (auto const algorithm : algorithms)
      for (PricingRule const& rule : pricingRules) {
        Options const options = onDevice(algorithm, rule.rule);
        Solution const device = Solver(lp).solve(options);
        Solution const host = Solver(lp).solve(onHost(options));
        BOOST_TEST((device.status == host.status), toString(device.algorithm)
                                                       << " " << device.pricing);
        BOOST_TEST(std::fabs(device.objective - host.objective) <=
                   1e-9 * (1.0 + std::fabs(host.objective)));
        BOOST_TEST(residualsOf(lp, device).largest() <= 1e-9);
      }
}

BOOST_AUTO_TEST_CASE(twenty_runs_give_the_same_bits) {
  for (bool const sparse : {false, true})
    for (auto const algorithm : algorithms) {
      LinearProgram const lp = sparse ? sparseLp(400, 600, 6, 1) : denseLp(900, 450, 1, false);
      Solution const first = Solver(lp).solve(onDevice(algorithm, PricingChoice::sketched));
      BOOST_TEST((first.status == Status::optimal));
      for (int repeat = 1; repeat < 20; ++repeat) {
        Solution const again = Solver(lp).solve(onDevice(algorithm, PricingChoice::sketched));
        BOOST_TEST(again.iterations == first.iterations);
        BOOST_TEST((again.columnValues == first.columnValues));
        BOOST_TEST((again.rowDuals == first.rowDuals));
      }
    }
}

BOOST_AUTO_TEST_CASE(a_warm_start_costs_few_pivots) {
  LinearProgram const lp = denseLp(600, 300, 2, true);
  Solver solver(lp);
  Solution const first = solver.solve(onDevice(AlgorithmChoice::primal));
  BOOST_TEST((first.status == Status::optimal));
  Solution const second = solver.solve(onDevice(AlgorithmChoice::primal));
  BOOST_TEST(second.iterations == 0);
  int basic = 0;
  while (first.basis.columns[static_cast<std::size_t>(basic)] != VariableStatus::basic) ++basic;
  solver.setColumnBounds(basic, 0.0, 0.5 * first.columnValues[static_cast<std::size_t>(basic)]);
  Solution const changed = solver.solve(onDevice(AlgorithmChoice::dual));
  BOOST_TEST((changed.status == Status::optimal));
  BOOST_TEST(changed.iterations < first.iterations / 4);
}

BOOST_AUTO_TEST_CASE(too_little_memory_is_said_in_a_sentence) {
  LinearProgram lp;
  int const size = 1500000;  // a tableau of 18 TB
  lp.matrix.rows = lp.matrix.columns = size;
  lp.matrix.starts.assign(static_cast<std::size_t>(size) + 1, 0);
  lp.objective.assign(static_cast<std::size_t>(size), 1.0);
  lp.columnLower = lp.rowLower = std::vector<double>(static_cast<std::size_t>(size), 0.0);
  lp.columnUpper = lp.rowUpper = std::vector<double>(static_cast<std::size_t>(size), 1.0);
  BOOST_CHECK_EXCEPTION(Solver(lp).solve(onDevice(AlgorithmChoice::primal)), EngineUnavailable,
                        [](EngineUnavailable const& e) {
                          std::string const text = e.what();
                          return text.find("1500000 x 1500000 needs 36.") != std::string::npos &&
                                 text.find(" TB of device memory, ") != std::string::npos &&
                                 text.find(" are available") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(a_device_that_is_not_there_is_refused) {
  EngineOptions options;
  options.device = 77;
  BOOST_CHECK_THROW(makeCudaEngine(options), EngineUnavailable);
}

/// The driver, as another user of CUDA in the process would have it.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    BOOST_REQUIRE(library_ != nullptr);
    getCurrent_ = find<int (*)(void**)>("cuCtxGetCurrent");
    setCurrent_ = find<int (*)(void*)>("cuCtxSetCurrent");
    create_ = find<int (*)(void**, int)>("cuDevicePrimaryCtxRetain");
    release_ = find<int (*)(int)>("cuDevicePrimaryCtxRelease_v2");
  }
  void* current() const {
    void* context = nullptr;
    BOOST_TEST(getCurrent_(&context) == 0);
    return context;
  }
  void makeCurrent(void* context) const { BOOST_TEST(setCurrent_(context) == 0); }
  void* retain(int device) const {
    void* context = nullptr;
    BOOST_TEST(create_(&context, device) == 0);
    return context;
  }
  void release(int device) const { BOOST_TEST(release_(device) == 0); }

 private:
  template <class Function>
  Function find(char const* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_;
  int (*getCurrent_)(void**) = nullptr;
  int (*setCurrent_)(void*) = nullptr;
  int (*create_)(void**, int) = nullptr;
  int (*release_)(int) = nullptr;
};

BOOST_AUTO_TEST_CASE(the_callers_context_stays_what_it_was) {
  std::thread fresh([] {  // a thread that never spoke to CUDA
    Driver const driver;
    BOOST_TEST(driver.current() == nullptr);
    {
      auto const engine = makeCudaEngine({});
      BOOST_TEST(driver.current() == nullptr);
      Solver solver(testing::denseLp(60, 40, 1, false));
      BOOST_TEST((solver.solve(onDevice(AlgorithmChoice::dual)).status == Status::optimal));
      BOOST_TEST(driver.current() == nullptr);
      solver.setObjective(0, 1.0);
      solver.solve(onDevice(AlgorithmChoice::primal));
      solver.inverseRow(0);
      BOOST_TEST(driver.current() == nullptr);
    }
    BOOST_TEST(driver.current() == nullptr);
    void* const own = driver.retain(0);
    driver.makeCurrent(own);
    Solver(testing::denseLp(60, 40, 1, false)).solve(onDevice(AlgorithmChoice::dual));
    BOOST_TEST(driver.current() == own);
    driver.makeCurrent(nullptr);
    driver.release(0);
  });
  fresh.join();
}

BOOST_AUTO_TEST_SUITE_END()
