// SPDX-License-Identifier: EPL-2.0
// A tableau whose columns several devices form after a refactorisation: beside that of the host,
// where memory is short, and where a device is lost.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;
using emulated_runtime::Failure;

namespace {

/// Rows of A at a time: several pieces, the last one shorter.
constexpr int rowsAtATime = 7;

/// T by rows of an engine that has refactored a basis.
std::vector<double> tableauOf(Engine& engine, StandardForm const& form) {
  std::vector<double> all;
  for (int i = 0; i < form.rows(); ++i) {
    std::vector<double> const row = engine.row(i);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

/// What a group of devices makes of a basis with some structurals. Memory begins as numbers that
/// are none, and the group has done nothing before.
struct Refactored {
  std::vector<double> tableau, values;
  std::size_t most = 0;      ///< bytes of all devices together
  long first = 0, last = 0;  ///< calls of the refactorisation

  /// `devices`: empty for none beside the engine's own. `fail`: which call of the refactorisation.
  Refactored(StandardForm const& form, int structurals, std::vector<int> const& devices,
             std::size_t memory = 0, long fail = 0, Failure failure = Failure::one) {
    emulated_runtime::reset();
    EngineOptions options;
    options.device = devices.empty() ? 0 : devices.front();
    cuda::CudaEngine engine(options);
    engine.load(form);
    auto const group =
        devices.empty() ? nullptr : std::make_shared<cuda::SplitMatrix>(devices, rowsAtATime);
    if (group) engine.takeBack(group);
    if (memory > 0) emulated_runtime::setMemory(emulated_runtime::allocated() + memory);
    first = emulated_runtime::calls() + 1;
    if (fail > 0) emulated_runtime::failAt(first + fail - 1, failure);
    engine.refactor(structuralBasis(form, structurals));
    last = emulated_runtime::calls();
    most = emulated_runtime::mostAllocated();
    values = engine.snapshot().value;
    tableau = tableauOf(engine, form);
  }
};

void checkNear(std::vector<double> const& a, std::vector<double> const& b) {
  BOOST_TEST_REQUIRE(a.size() == b.size());
  double most = 0.0, size = 1.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    double const error = std::fabs(a[k] - b[k]);
    most = error <= most ? most : error;  // NaN, too
    size = std::max(size, std::fabs(b[k]));
  }
  BOOST_TEST(most <= 1e-11 * size);
}

void nothingIsLeft() {
  for (std::string const& what : emulated_runtime::held()) BOOST_TEST(false, "left: " << what);
  for (std::string const& what : emulated_runtime::faults()) BOOST_TEST(false, what);
}

/// Lines of the tableau lie where they lie on the host, whose rows of S have another order.
std::vector<double> sortedRows(std::vector<double> const& tableau, std::size_t n) {
  std::multiset<std::vector<double>> rows;
  for (std::size_t i = 0; i < tableau.size(); i += n)
    rows.emplace(tableau.begin() + static_cast<std::ptrdiff_t>(i),
                 tableau.begin() + static_cast<std::ptrdiff_t>(i + n));
  std::vector<double> all;
  for (auto const& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shared_tableau)

// Bases with few structurals, with about half of them, and without a basic slack; columns that are
// no multiples of anything.
BOOST_AUTO_TEST_CASE(shares_form_the_tableau_of_the_host) {
  for (auto const& [m, n] : {std::pair(61, 83), std::pair(97, 50), std::pair(50, 64)})
    for (int const structurals : {1, 24, std::min(m, n)}) {
      LinearProgram const lp = denseLp(m, n, 3, false);
      StandardForm const form = makeStandardForm(lp, true);
      auto const host = makeHostEngine({});
      host->load(form);
      host->refactor(structuralBasis(form, structurals));
      auto const expected = sortedRows(tableauOf(*host, form), at(n));
      Refactored const alone(form, structurals, {});
      checkNear(sortedRows(alone.tableau, at(n)), expected);
      for (std::vector<int> const& devices :
           {std::vector{0}, {0, 0}, {0, 1}, {1, 0}, {1, 0, 0}, {0, 1, 1}}) {
        BOOST_TEST_CONTEXT(m << " x " << n << ", " << structurals << " structurals, "
                             << devices.size() << " shares") {
          Refactored const shared(form, structurals, devices);
          nothingIsLeft();
          checkNear(shared.tableau, alone.tableau);
          checkNear(shared.values, alone.values);
          BOOST_TEST((shared.most > alone.most) == (devices.size() > 1));
          BOOST_TEST((Refactored(form, structurals, devices).tableau == shared.tableau));
        }
      }
      Refactored const one(form, structurals, {0});
      BOOST_TEST((one.tableau == alone.tableau));
      BOOST_TEST(one.last - one.first == alone.last - alone.first);
    }
}

// What is too small for the exchange to pay, sparse, or no longer a group's has one share.
BOOST_AUTO_TEST_CASE(an_engine_forms_alone_what_does_not_pay) {
  auto const callsOf = [](StandardForm const& form, int rows, bool groupLives, bool again) {
    emulated_runtime::reset();
    cuda::CudaEngine engine({});
    engine.load(form);
    auto group = std::make_shared<cuda::SplitMatrix>(std::vector{0, 1}, rows);
    if (group) engine.takeBack(group);
    if (!groupLives) group.reset();
    if (again) engine.load(form);
    long const before = emulated_runtime::calls();
    engine.refactor(structuralBasis(form, 20));
    return emulated_runtime::calls() - before;
  };
  LinearProgram const dense = denseLp(60, 50, 3, false), sparse = sparseLp(60, 150, 3, 3);
  StandardForm const form = makeStandardForm(dense, true), thin = makeStandardForm(sparse, true);
  long const alone = callsOf(form, 0, true, false);
  BOOST_TEST(callsOf(form, rowsAtATime, true, false) > alone + 20);
  BOOST_TEST(callsOf(form, rowsAtATime, false, false) == alone);
  BOOST_TEST(callsOf(form, rowsAtATime, true, true) == alone);
  BOOST_TEST_REQUIRE(thin.density() < 0.05);
  BOOST_TEST(callsOf(thin, rowsAtATime, true, false) == callsOf(thin, rowsAtATime, false, false));
}

// Memory is that of both devices together here.
BOOST_AUTO_TEST_CASE(a_share_without_room_is_left_to_the_first_device) {
  LinearProgram const lp = denseLp(90, 64, 3, false);
  StandardForm const form = makeStandardForm(lp, true);
  Refactored const alone(form, 30, {}), shared(form, 30, {0, 1});
  std::size_t const loaded = [&] {
    emulated_runtime::reset();
    cuda::CudaEngine engine({});
    engine.load(form);
    return emulated_runtime::allocated();
  }();
  std::size_t const own = alone.most - loaded, share = shared.most - alone.most;
  BOOST_TEST_REQUIRE(shared.most > alone.most);
  Refactored const tight(form, 30, {0, 1}, own + share - 1);
  nothingIsLeft();
  BOOST_TEST(tight.most < shared.most);
  checkNear(tight.tableau, alone.tableau);
  // Of two others the second one has no room.
  Refactored const three(form, 30, {0, 1, 1}, own + share / 2 + 1000);
  nothingIsLeft();
  checkNear(three.tableau, alone.tableau);
}

// At any call, of either device: it is said, and nothing is left behind.
BOOST_AUTO_TEST_CASE(a_device_that_is_lost_ends_it) {
  LinearProgram const lp = denseLp(60, 50, 3, false);
  StandardForm const form = makeStandardForm(lp, true);
  Refactored const undisturbed(form, 20, {0, 1});
  long const calls = undisturbed.last - undisturbed.first + 1;
  BOOST_TEST_REQUIRE(calls > 100);
  int unnoticed = 0;
  for (Failure const failure : {Failure::one, Failure::lost, Failure::once})
    for (long number = 1; number <= calls; ++number) {
      try {
        Refactored(form, 20, {0, 1}, 0, number, failure);
        BOOST_TEST((failure != Failure::lost));
        ++unnoticed;
      } catch (EngineUnavailable const&) {
      }
      nothingIsLeft();
    }
  BOOST_TEST(unnoticed <= 2);  // what comes after a device has done its part
}

BOOST_AUTO_TEST_SUITE_END()
