// SPDX-License-Identifier: EPL-2.0
// Every call of the CUDA engine to the runtime and its libraries fails once: each time a sentence
// says so, and nothing stays behind.
#include <boost/test/unit_test.hpp>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;
using emulated_runtime::Failure;

namespace {

#ifdef __SANITIZE_ADDRESS__  // fibers take their time there
constexpr bool underSanitizer = true;
#else
constexpr bool underSanitizer = false;
#endif

void nothingIsLeft(long number) {
  for (std::string const& what : emulated_runtime::held())
    BOOST_TEST(false, "call " << number << ": left behind: " << what);
  for (std::string const& what : emulated_runtime::faults())
    BOOST_TEST(false, "call " << number << ": " << what);
}

/// Lets calls of work() fail, each in a run of its own: the first `all` of them, and then every
/// `step`th. Returns how many of those runs ended as if nothing had happened.
template <class Work>
int failEach(Work work, Failure failure, long all, long step) {
  if (underSanitizer) all = 1, step *= 10;
  emulated_runtime::reset();
  work();
  nothingIsLeft(0);
  long const calls = emulated_runtime::calls();
  BOOST_TEST_REQUIRE(calls > all);
  int unnoticed = 0;
  for (long number = 1; number <= calls; number += number < all ? 1 : step) {
    emulated_runtime::reset();
    emulated_runtime::failAt(number, failure);
    try {
      work();
      ++unnoticed;
    } catch (EngineUnavailable const& error) {
      std::string const text = error.what();
      BOOST_TEST(text.rfind("engine cuda: ", 0) == 0, text);
      std::string const reason = failure == Failure::once ? "out of memory" : "device lost";
      bool const codeOnly = text.find("cuSOLVER: status") != std::string::npos;
      BOOST_TEST((codeOnly || text.find(reason) != std::string::npos), text);
    }
    nothingIsLeft(number);
  }
  return unnoticed;
}

template <bool sparse>
void useEngine() {
  static Forms const forms(sparse);
  EngineOptions options;
  options.blockSize = 16;
  cuda::CudaEngine engine(options);
  everything(engine, forms);
}

/// Changes of a basis and of a problem; who is refused in the middle loads anew, as a solver does.
void useChanges() {
  LinearProgram changed = denseLp(6, 5, 1, false);
  StandardForm form = makeStandardForm(changed, true);
  EngineOptions options;
  options.blockSize = 16;
  cuda::CudaEngine engine(options);
  engine.load(form);
  engine.setValues(boundValues(form));
  engine.keepBasis();
  pivots(engine, Algorithm::primal, Phase::one, Pricing::sketched, 2);
  engine.restoreBasis();
  engine.exchange(0, 0, 0.5);
  engine.keepBasis();
  engine.reach(structuralBasis(form, 2));
  engine.restoreBasis();
  for (bool const rows : {true, false}) {
    Reshape change{reshapeMap(changed.rows(), {}, rows ? 1 : 0),
                   reshapeMap(changed.columns(), {}, rows ? 0 : 1)};
    SparseMatrix const line{
        rows ? changed.columns() : changed.rows(), 1, {0, 2}, {0, 3}, {1.0, 2.0}};
    rows ? appendRows(changed.matrix, line) : appendColumns(changed.matrix, line);
    reshape(changed.rowLower, change.rows, -1.0);
    reshape(changed.rowUpper, change.rows, 1.0);
    reshape(changed.columnLower, change.columns, 0.0);
    reshape(changed.columnUpper, change.columns, 1.0);
    reshape(changed.objective, change.columns, 1.0);
    reshapeForm(form, changed, change);
    if (!engine.reshape(change, form)) engine.load(form);
  }
  engine.setValues(boundValues(form));
  engine.snapshot();
}

void useBarrierOf(std::vector<int> const& devices, StandardForm const& form) {
  auto const barrier = cuda::makeDeviceBarrier({0, devices});
  barrier->load(form);
  BarrierRequest request;
  request.iterationLimit = 3;
  barrier->run(request);
  barrier->unload();
}
void useBarrier() {
  static Forms const forms(false);
  useBarrierOf({0}, forms.first);
}
void useBarriers() {
  static LinearProgram const lp = denseLp(40, 20, 1, false);
  static StandardForm const form = makeStandardForm(lp, true);
  useBarrierOf({0, 1}, form);
}

void useBatch() {
  static PackedBatch const packed = [] {
    PackedBatch made;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) made.add(denseLp(4, 3, seed, false));
    return made;
  }();
  std::vector<std::size_t> const matrix{0, 12, 24, 36}, column{0, 3, 6, 9}, row{0, 4, 8, 12};
  std::vector<std::size_t> const chosen{0, 1, 2};
  std::vector<batch::SmallReport> report(3);
  std::vector<double> x(9), y(12);
  std::vector<VariableStatus> columnStatus(9), rowStatus(12);
  batch::BatchJob job;
  job.problems = packed.view();
  job.matrixStart = matrix;
  job.chosen = chosen;
  job.settings.primal = job.settings.dual = Pricing::sketched;
  job.targets = {report, x, y, columnStatus, rowStatus, column, row};
  job.certificate = [](auto&&...) {};
  job.goneBy = [](std::size_t) { return false; };
  auto const device = cuda::makeDeviceMany(0);
  device->solve(job);
  for (batch::SmallReport const& each : report) BOOST_TEST((each.end == BatchStatus::optimal));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failures)

// To open, to load, and some of what follows. Only the last call, that of the end, has nobody to
// tell.
BOOST_AUTO_TEST_CASE(calls_that_find_no_memory_are_said_in_a_sentence) {
  BOOST_TEST(failEach(&useEngine<false>, Failure::once, 90, 11) <= 1);
  BOOST_TEST(failEach(&useEngine<true>, Failure::once, 1, 37) <= 1);
}

BOOST_AUTO_TEST_CASE(a_device_that_is_lost_is_said_in_a_sentence) {
  BOOST_TEST(failEach(&useEngine<false>, Failure::lost, 20, 41) <= 1);
  BOOST_TEST(failEach(&useEngine<true>, Failure::lost, 1, 83) <= 1);
}

// Some of those failures are answered by a load, or by a basis that is not kept.
BOOST_AUTO_TEST_CASE(changes_leave_nothing_behind) {
  failEach(&useChanges, Failure::once, 1, 5);
  BOOST_TEST(failEach(&useChanges, Failure::lost, 1, 13) <= 1);
}

BOOST_AUTO_TEST_CASE(the_interior_point_method_leaves_nothing_behind) {
  BOOST_TEST(failEach(&useBarrier, Failure::once, 40, 61) <= 1);
  BOOST_TEST(failEach(&useBarrier, Failure::lost, 1, 97) <= 1);
  BOOST_TEST(failEach(&useBarriers, Failure::once, 60, 83) <= 1);
  BOOST_TEST(failEach(&useBarriers, Failure::lost, 1, 131) <= 1);
}

BOOST_AUTO_TEST_CASE(a_batch_leaves_nothing_behind) {
  constexpr int atTheEnd = 4;  // calls that have nobody to tell
  BOOST_TEST(failEach(&useBatch, Failure::once, 20, 5) <= atTheEnd);
  BOOST_TEST(failEach(&useBatch, Failure::lost, 1, 11) <= atTheEnd);
}

BOOST_AUTO_TEST_CASE(devices_that_can_not_be_used_are_refused) {
  auto const refuses = [](EngineOptions const& options, std::string const& sentence) {
    BOOST_CHECK_EXCEPTION(cuda::CudaEngine{options}, EngineUnavailable,
                          [&](EngineUnavailable const& e) { return e.what() == sentence; });
    BOOST_TEST(emulated_runtime::held().empty());
  };
  EngineOptions options;
  emulated_runtime::reset();
  options.device = 7;
  refuses(options, "engine cuda: there is no device 7, only 2");
  options.device = -1;
  refuses(options, "engine cuda: there is no device -1, only 2");
  options.device = 1;
  emulated_runtime::setCooperative(false);
  refuses(options, "engine cuda: emulated has no cooperative launches");
  emulated_runtime::setDevices(0);
  unsetenv("CUDA_VISIBLE_DEVICES");
  refuses(options, "engine cuda: NVIDIA's driver finds no card");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  refuses(options, "engine cuda: NVIDIA's driver finds no card among CUDA_VISIBLE_DEVICES");
  unsetenv("CUDA_VISIBLE_DEVICES");
}

// Each with what helps.
BOOST_AUTO_TEST_CASE(a_driver_that_is_old_or_missing_is_told_from_other_reasons) {
  constexpr int toolkit = CUDART_VERSION / 1000;
  auto const sentence = [](int driver) {
    emulated_runtime::reset();
    emulated_runtime::setDriver(driver);
    try {
      cuda::CudaEngine const engine{EngineOptions{}};
    } catch (EngineUnavailable const& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  BOOST_TEST(sentence(0) == "engine cuda: there is no NVIDIA driver");
  std::string const old = sentence((toolkit - 1) * 1000 + 40), number = std::to_string(toolkit);
  BOOST_TEST(old.find("engine cuda: NVIDIA's driver is for CUDA " + std::to_string(toolkit - 1) +
                      ".4 at most, the module for CUDA " + number + ".") == 0u,
             old);
  BOOST_TEST(old.find(toolkit == 12 ? "a driver from 525 on is needed"
                                    : "a driver from 580 on is needed, or the module for CUDA 12 "
                                      "(osi-cuda-cu12)") != std::string::npos,
             old);
  // No module is for a driver as old as that.
  BOOST_TEST(sentence(11080).find("osi-cuda-cu12") == std::string::npos);
  BOOST_TEST(sentence(11080).find("CUDA 11.8 at most") != std::string::npos);
  BOOST_TEST(sentence(toolkit * 1000) == "");  // an older one of the same number will do
  // Whoever calls first, a batch for instance.
  emulated_runtime::setDriver(0);
  BOOST_CHECK_EXCEPTION(cuda::check(cudaErrorInsufficientDriver), EngineUnavailable,
                        [](EngineUnavailable const& e) {
                          return std::string(e.what()) == "engine cuda: there is no NVIDIA driver";
                        });
  BOOST_CHECK_EXCEPTION(cuda::check(cudaErrorUnsupportedPtxVersion), EngineUnavailable,
                        [](EngineUnavailable const& e) {
                          return std::string(e.what()).find("a newer driver can") !=
                                 std::string::npos;
                        });
}

BOOST_AUTO_TEST_SUITE_END()
