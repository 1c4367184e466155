// SPDX-License-Identifier: EPL-2.0
// Several searches on one device: engines that share it, with teams of fewer blocks.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

using Counter = std::shared_ptr<std::atomic<int>>;

EngineOptions sharing(Counter atWork) {
  EngineOptions options;
  options.blockSize = 16;
  options.atWork = std::move(atWork);
  return options;
}

/// Primal pivots from the slack basis to an optimum, its point.
std::vector<double> solved(Engine& engine, StandardForm const& form, Pricing pricing) {
  engine.load(form);
  engine.setValues(boundValues(form));
  for (int launch = 0; launch < 60; ++launch) {
    bool const infeasible = engine.measure(1e-7, 1e-7).primalCount > 0;
    PivotReport const report =
        pivots(engine, Algorithm::primal, infeasible ? Phase::one : Phase::two, pricing, 16);
    if (report.stop == Stop::optimal && !infeasible) break;
    engine.setCosts(form.cost);
  }
  Measure const end = engine.measure(1e-7, 1e-7);
  BOOST_TEST(end.primalCount == 0);
  BOOST_TEST(end.dualCount == 0);
  return engine.snapshot().value;
}

/// What a hot start leaves: some dual pivots from the kept basis with other bounds.
std::vector<double> hotStart(Engine& engine, StandardForm const& form, Snapshot const& mark) {
  BOOST_REQUIRE(engine.as<BasisStore>()->restoreBasis());
  std::vector<double> upper = form.upper;
  for (int k = 0; k < 30; ++k) {
    auto const v = static_cast<std::size_t>(mark.basicVariable[static_cast<std::size_t>(k)]);
    upper[v] = std::max(form.lower[v], mark.value[v] - 12.0);
  }
  engine.setBounds(form.lower, upper);
  engine.setValues(mark.value);
  engine.computeWeights(Algorithm::dual, Pricing::sketched);
  PivotRequest request;
  request.algorithm = Algorithm::dual;
  request.budget = 15;
  BOOST_TEST(engine.run(request).flips > 1);
  return engine.snapshot().value;
}

bool near(std::vector<double> const& a, std::vector<double> const& b) {
  for (std::size_t v = 0; v < a.size(); ++v)
    if (std::fabs(a[v] - b[v]) > 1e-9 * (1.0 + std::fabs(b[v]))) return false;
  return a.size() == b.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(searches_on_one_device)

BOOST_AUTO_TEST_CASE(one_alone_has_the_bits_of_one_that_never_shares) {
  LinearProgram const lp = denseLp(60, 50, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  cuda::CudaEngine own(sharing(nullptr)), alone(sharing(std::make_shared<std::atomic<int>>(0)));
  BOOST_TEST((solved(own, form, Pricing::sketched) == solved(alone, form, Pricing::sketched)));
  BOOST_TEST(emulated_runtime::faults().empty());
}

// Teams change between runs, up and down; steepest edge has its mirror of D dealt anew.
BOOST_AUTO_TEST_CASE(whoever_comes_or_goes_the_optimum_is_the_same) {
  LinearProgram const lp = denseLp(70, 60, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  auto const atWork = std::make_shared<std::atomic<int>>(0);
  for (Pricing const pricing : {Pricing::sketched, Pricing::steepest, Pricing::devex}) {
    cuda::CudaEngine own(sharing(nullptr));
    std::vector<double> const expected = solved(own, form, pricing);
    for (int const others : {1, 3, 15}) {
      cuda::CudaEngine engine(sharing(atWork));
      *atWork = others;
      BOOST_TEST(near(solved(engine, form, pricing), expected));
      BOOST_TEST(*atWork == others);
      *atWork = 0;
      BOOST_TEST(near(solved(engine, form, pricing), expected));
    }
  }
  BOOST_TEST(emulated_runtime::faults().empty());
}

// Boxed variables flip in long steps, so that sums over blocks show how many blocks there are.
BOOST_AUTO_TEST_CASE(from_a_kept_basis_all_is_alike_to_the_bit) {
  LinearProgram lp = denseLp(70, 60, 1, false);
  lp.columnUpper.assign(60, 1.0);
  StandardForm const form = makeStandardForm(lp, true);
  std::vector<std::vector<double>> first;
  for (int const before : {0, 7}) {
    emulated_runtime::reset();
    auto const atWork = std::make_shared<std::atomic<int>>(before);
    cuda::CudaEngine engine(sharing(atWork));
    solved(engine, form, Pricing::sketched);
    Snapshot const mark = engine.snapshot();
    engine.keepBasis();
    first.push_back(hotStart(engine, form, mark));
    for (int const others : {7, 1, 0}) {
      *atWork = others;
      BOOST_TEST((hotStart(engine, form, mark) == first.back()));
    }
    BOOST_TEST(emulated_runtime::faults().empty());
  }
  BOOST_TEST((first[0] != first[1]));  // else nothing was shared
}

BOOST_AUTO_TEST_CASE(threads_solve_side_by_side) {
  constexpr int count = 4;
  std::vector<LinearProgram> problems;
  std::vector<StandardForm> forms;
  std::vector<std::vector<double>> expected, found(count);
  emulated_runtime::reset();
  for (int k = 0; k < count; ++k) problems.push_back(denseLp(50 + 5 * k, 60, 1 + k, false));
  for (LinearProgram const& lp : problems) {
    forms.push_back(makeStandardForm(lp, true));
    cuda::CudaEngine own(sharing(nullptr));
    expected.push_back(solved(own, forms.back(), Pricing::sketched));
  }
  auto const atWork = std::make_shared<std::atomic<int>>(0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < count; ++k)
      threads.emplace_back([&, k] {
        cuda::CudaEngine engine(sharing(atWork));
        found[k] = solved(engine, forms[k], Pricing::sketched);
      });
  }
  for (std::size_t k = 0; k < count; ++k) BOOST_TEST(near(found[k], expected[k]));
  BOOST_TEST(*atWork == 0);
  BOOST_TEST(emulated_runtime::held().empty());
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_SUITE_END()
