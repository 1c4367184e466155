// SPDX-License-Identifier: EPL-2.0
// The device memory that an engine takes is no more than the one formula says, and a device that
// has less is refused before anything is taken.
#include "osi_cuda/base/memory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/engine/cuda/check.hpp"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

/// The shadow of exact weights comes on top, if there is room.
std::uint64_t shadowBytes(StandardForm const& form) {
  auto const m = static_cast<std::uint64_t>(form.rows()),
             n = static_cast<std::uint64_t>(form.columns());
  return sizeof(float) * m * (n + 3) + sizeof(double) * (8 * (n + 3 + 16) + n + 3);
}

/// Packets, handles and the like, that have nothing to do with the size of a problem.
constexpr std::uint64_t fixed = 200000;

std::uint64_t formula(StandardForm const& form) {
  ProblemSize size;
  size.rows = static_cast<std::uint64_t>(form.rows());
  size.columns = static_cast<std::uint64_t>(form.columns());
  size.nonzeros = form.full() ? 0 : static_cast<std::uint64_t>(form.matrix().nonzeros());
  size.blockSize = 16;
  size.sketchSize = 64;
  return bytesNeeded(size);
}

std::uint64_t arrayBytes(StandardForm const& form) {
  return sizeof(double) * static_cast<std::uint64_t>(form.matrix().nonzeros());
}

/// To each block, of each line.
std::uint64_t packets(StandardForm const& form) {
  return std::uint64_t{16} * 60 * static_cast<std::uint64_t>(form.rows() + form.columns());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_of_a_device)

BOOST_AUTO_TEST_CASE(an_engine_takes_no_more_than_the_formula_says) {
  for (auto const& lp : {denseLp(5, 3, 1, false), denseLp(3, 60, 2, false),
                         denseLp(70, 4, 3, false), sparseLp(30, 50, 4, 1)}) {
    StandardForm const form = makeStandardForm(lp, true);
    emulated_runtime::reset();
    EngineOptions options;
    options.blockSize = 16;
    cuda::CudaEngine engine(options);
    everythingWith(engine, form);
    bool const lists = !form.full();
    BOOST_TEST(emulated_runtime::mostAllocated() <= formula(form) + (lists ? 0 : arrayBytes(form)) +
                                                        shadowBytes(form) + packets(form) + fixed);
  }
}

BOOST_AUTO_TEST_CASE(a_problem_that_is_too_large_takes_nothing) {
  Forms const forms(false);
  LinearProgram const large = denseLp(120, 110, 1, false);
  StandardForm const form = makeStandardForm(large, true);
  emulated_runtime::reset();
  emulated_runtime::setMemory(600000);
  EngineOptions options;
  options.blockSize = 16;
  cuda::CudaEngine engine(options);
  everythingWith(engine, forms.first);
  BOOST_CHECK_EXCEPTION(engine.load(form), EngineUnavailable, [](EngineUnavailable const& e) {
    return std::string(e.what()).rfind("engine cuda: 120 x 110 needs ", 0) == 0;
  });
  // What was held was given back on the way; the engine goes on with what fits.
  everythingWith(engine, forms.first);
  BOOST_TEST(emulated_runtime::faults().empty());
}

// The variable makes a card of 64 GB one of 4: what does not fit is refused before anything is
// taken.
BOOST_AUTO_TEST_CASE(a_limit_is_as_a_card_that_has_no_more) {
  Forms const forms(false);
  LinearProgram const large = sparseLp(20000, 30000, 2, 1);
  StandardForm const form = makeStandardForm(large, true);
  emulated_runtime::reset();
  emulated_runtime::setMemory(std::size_t{64'000'000'000});
  BOOST_TEST(cuda::deviceProperties(0).memory == 64e9);
  setenv("OSI_CUDA_DEVICE_MEMORY", "4e9", 1);
  BOOST_TEST(cuda::deviceProperties(0).memory == 4e9);
  EngineOptions options;
  options.blockSize = 16;
  {
    cuda::CudaEngine engine(options);
    BOOST_TEST(cuda::availableBytes() + emulated_runtime::allocated() ==
               std::size_t{4'000'000'000});
    std::size_t const before = emulated_runtime::mostAllocated();
    BOOST_CHECK_EXCEPTION(engine.load(form), EngineUnavailable, [](EngineUnavailable const& e) {
      std::string const sentence = e.what();
      return sentence.rfind("engine cuda: 20000 x 30000 needs ", 0) == 0 &&
             sentence.find(" of device memory, 4.0 GB are available") != std::string::npos;
    });
    BOOST_TEST(emulated_runtime::mostAllocated() == before);
    everythingWith(engine, forms.first);
    BOOST_TEST(cuda::availableBytes() + emulated_runtime::allocated() ==
               std::size_t{4'000'000'000});
  }
  for (char const* const wrong : {"4 GB", "-1", "nan", "1e16"}) {
    setenv("OSI_CUDA_DEVICE_MEMORY", wrong, 1);
    BOOST_CHECK_EXCEPTION(
        cuda::availableBytes(), EngineUnavailable, [&](EngineUnavailable const& e) {
          return std::string(e.what()).find("found '" + std::string(wrong)) != std::string::npos;
        });
  }
  cuda::DeviceArray<double> const used(8);
  setenv("OSI_CUDA_DEVICE_MEMORY", "1", 1);  // less than that
  BOOST_TEST(cuda::availableBytes() == 0u);
  unsetenv("OSI_CUDA_DEVICE_MEMORY");
}

// Where the array does not fit, it stays in the host's memory, and answers are the same.
BOOST_AUTO_TEST_CASE(an_array_without_room_stays_on_the_host) {
  for (bool const byRows : {false, true}) {
    LinearProgram lp = denseLp(90, 60, 1, false);
    std::vector<double> numbers(lp.matrix.values);
    if (byRows) numbers = lp.matrix.transposed().values;
    lp.matrix = denseMatrix(90, 60, numbers.data(), byRows, nullptr);
    StandardForm const form = makeStandardForm(lp, false);
    EngineOptions options;
    options.blockSize = 16;
    auto const stateOf = [&](std::size_t memory) {
      emulated_runtime::reset();
      emulated_runtime::setMemory(memory);
      cuda::CudaEngine engine(options);
      everythingWith(engine, form);
      BOOST_TEST((engine.matrix().fullColumns() == nullptr) == (memory < (std::size_t{1} << 30)));
      BOOST_TEST(emulated_runtime::faults().empty());
      return std::pair{engine.snapshot().value,
                       engine.solves().multiply(std::vector<double>(60, 1.0))};
    };
    auto const here = stateOf(formula(form) + packets(form)), there = stateOf(std::size_t{1} << 30);
    BOOST_TEST(here.first == there.first);
    for (std::size_t i = 0; i < 90; ++i)
      BOOST_TEST(std::fabs(here.second[i] - there.second[i]) <= 1e-14);
  }
}

// The same sum tells callers beforehand what a solve takes.
BOOST_AUTO_TEST_CASE(an_interior_point_method_takes_what_is_predicted) {
  LinearProgram const lp = denseLp(300, 150, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  emulated_runtime::reset();
  cuda::CudaEngine engine({});
  engine.load(form);
  auto const barrier = cuda::makeDeviceBarrier({});
  barrier->load(form, &engine, {});
  BarrierRequest request;
  request.iterationLimit = 2;
  barrier->run(request);
  barrier->unload();
  engine.refactor(structuralBasis(form, 150));
  pivots(engine, Algorithm::primal, Phase::two, Pricing::sketched, 1);
  auto const needed = deviceNeeds(300, 150).barrier;
  BOOST_TEST(emulated_runtime::mostAllocated() <= needed + fixed);
  BOOST_TEST(static_cast<double>(emulated_runtime::mostAllocated()) >=
             0.9 * static_cast<double>(needed));
  BOOST_TEST(emulated_runtime::faults().empty());
}

// The same of a share, which is on the same device here.
BOOST_AUTO_TEST_CASE(a_share_takes_what_is_predicted) {
  LinearProgram const lp = denseLp(640, 150, 1, false);
  StandardForm const form = makeStandardForm(lp, true);
  auto const taken = [&](std::vector<int> const& devices, int panelWidth = 0) {
    emulated_runtime::reset();
    cuda::CudaEngine engine({});
    engine.load(form);
    auto const barrier = cuda::makeDeviceBarrier({0, devices, panelWidth});
    barrier->load(form, &engine, {});
    BarrierRequest request;
    request.iterationLimit = 2;
    barrier->run(request);
    barrier->unload();
    return emulated_runtime::mostAllocated();
  };
  std::size_t const alone = taken({0}), shared = taken({0, 0});
  DeviceNeeds const one = deviceNeeds(640, 150), two = deviceNeeds(640, 150, 2);
  BOOST_TEST(one.share == 0u);
  BOOST_TEST(shared - alone == two.share + (two.barrier - one.barrier));
  // Where they factor panels, each needs more, a little of it of no size.
  constexpr std::uint64_t small = 4000;
  std::uint64_t const panels = taken({0, 0}, 32) - shared;
  BOOST_TEST(panels >= 2 * panelBytes(150, 32));
  BOOST_TEST(panels <= 2 * panelBytes(150, 32) + small);
}

// What lent its memory is as it was loaded: dense, sparse, and sparse as a dense matrix.
BOOST_AUTO_TEST_CASE(an_engine_that_lent_its_memory_is_as_loaded) {
  for (auto const& lp :
       {denseLp(40, 30, 1, false), sparseLp(220, 150, 5, 6), sparseLp(9, 40, 1, 2)}) {
    StandardForm const form = makeStandardForm(lp, true);
    emulated_runtime::reset();
    cuda::CudaEngine engine({});
    engine.load(form);
    auto const state = [&] {
      Snapshot const s = engine.snapshot();
      return std::tuple{s.value, s.reducedCost, s.basicVariable, engine.row(3), engine.column(2)};
    };
    auto const before = state();
    auto const barrier = cuda::makeDeviceBarrier({});
    barrier->load(form, &engine, {});
    BarrierRequest request;
    request.iterationLimit = 2;
    BOOST_TEST(barrier->run(request).state.iteration > 0);
    barrier->unload();
    BOOST_TEST((state() == before));
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

BOOST_AUTO_TEST_CASE(memory_is_kept_from_problem_to_problem) {
  Forms const forms(false);
  emulated_runtime::reset();
  EngineOptions options;
  options.blockSize = 16;
  cuda::CudaEngine engine(options);
  everythingWith(engine, forms.second);
  std::size_t const held = emulated_runtime::allocated();
  everythingWith(engine, forms.first);
  everythingWith(engine, forms.second);
  BOOST_TEST(emulated_runtime::allocated() == held);
}

/// Answers of K problems on the host.
struct Answers {
  Answers(std::size_t count, std::size_t m, std::size_t n)
      : report(count), x(count * n), y(count * m), columnStatus(x.size()), rowStatus(y.size()) {
    for (std::size_t k = 0; k <= count; ++k) {
      chosen.push_back(k);
      column.push_back(k * n);
      row.push_back(k * m);
      matrix.push_back(k * m * n);
    }
    chosen.pop_back();
  }
  void giveTo(batch::DeviceJob& job) {
    job.chosen = chosen;
    job.targets = {report, x, y, columnStatus, rowStatus, column, row};
    job.certificate = [](auto&&...) {};
  }
  std::vector<batch::SmallReport> report;
  std::vector<double> x, y;
  std::vector<VariableStatus> columnStatus, rowStatus;
  std::vector<std::size_t> chosen, column, row, matrix;
};

/// What the emulated device has, and how many blocks fit to each of its multiprocessors: one.
constexpr int processors = 8;
constexpr std::uint64_t handles = 2000;

void checkNeed(std::uint64_t needed) {
  auto const taken = static_cast<double>(emulated_runtime::mostAllocated());
  BOOST_TEST(taken <= static_cast<double>(needed + handles));
  BOOST_TEST(taken >= 0.9 * static_cast<double>(needed));
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_CASE(variants_take_what_is_predicted) {
  for (auto const& [m, n, count] : {std::tuple{260, 120, 300}, {120, 280, 40}, {300, 300, 600}}) {
    LinearProgram lp = denseLp(m, n, 1, false);
    lp.matrix.makeSparse();
    PackedVariants variants;
    for (int k = 0; k < count; ++k)
      variants.add(std::vector<VariantChange>{{VariantChange::What::cost, k % n, 0.5 * k}});
    batch::VariantList list = batch::listVariants(lp, variants.view());
    Answers answers(at(count), at(m), at(n));
    batch::VariantJob job;
    answers.giveTo(job);
    job.list = &list;
    job.settings.primal = job.settings.dual = Pricing::devex;
    job.settings.iterationLimit = 1;
    emulated_runtime::reset();
    auto const device = cuda::makeDeviceMany(0);
    Options host;
    host.engine = EngineChoice::host;
    Solver solver(lp);
    solver.solve(host);
    device->setBase(lp, solver.basis());
    for (int const factors : {batch::usualFactors, batch::moreFactors}) {  // as they begin again
      job.factors = factors;
      device->solve(job);
      BOOST_TEST_CONTEXT(m << " x " << n << ", " << count << ", " << factors << " factors")
      // Of 512 threads, of which a multiprocessor holds two.
      checkNeed(batch::manyNeeds(m, n, at(count), 1, factors, processors / 2).second);
    }
  }
}

BOOST_AUTO_TEST_CASE(batches_take_what_is_predicted) {
  for (auto const& [m, n, count] : {std::tuple{4, 3, 300}, {30, 20, 40}}) {
    PackedBatch packed;
    for (int k = 0; k < count; ++k) packed.add(denseLp(m, n, at(k), false));
    Answers answers(at(count), at(m), at(n));
    batch::BatchJob job;
    answers.giveTo(job);
    job.problems = packed.view();
    job.matrixStart = answers.matrix;
    job.settings.primal = job.settings.dual = Pricing::sketched;
    emulated_runtime::reset();
    cuda::makeDeviceMany(0)->solve(job);
    BOOST_TEST_CONTEXT(m << " x " << n << ", " << count)
    checkNeed(batch::manyNeeds(m, n, at(count), 0, batch::usualFactors, processors).first);
  }
}

BOOST_AUTO_TEST_SUITE_END()
