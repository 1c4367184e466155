// SPDX-License-Identifier: EPL-2.0
// Numbers of the caller's in a device's memory: how they come to the host, and who uses them there.
#include "osi_cuda/engine/cuda/makers.hpp"

#include <boost/test/unit_test.hpp>

#include "osi_cuda/base/errors.hpp"
#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

/// The numbers 0, 1, 2, ... in the device's memory.
struct Counted {
  explicit Counted(std::size_t count) : there(count) {
    for (std::size_t k = 0; k < count; ++k) there.data()[k] = static_cast<double>(k);
  }
  cuda::DeviceArray<double> there;
};

/// A dense problem, its matrix as an array by rows on the host and on the device.
struct OnBoth {
  LinearProgram lp = denseLp(30, 20, 1, false);
  std::vector<double> host;
  cuda::DeviceArray<double> there;

  explicit OnBoth(bool byRows) {
    auto const m = static_cast<std::size_t>(lp.rows()), n = static_cast<std::size_t>(lp.columns());
    host.resize(m * n);
    there.reserve(m * n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < m; ++i)
        there.data()[byRows ? i * n + j : j * m + i] =
            lp.matrix.columnValues(static_cast<int>(j))[i];
    lp.matrix = denseMatrix(lp.rows(), lp.columns(), host.data(), byRows, nullptr);
  }
  void fetch() {
    lp.matrix.dense.there = cuda::fetchNumbers({there.data(), host.size()}, host.data());
  }
  std::size_t bytes() const { return host.size() * sizeof(double); }
};

EngineOptions onDevice(int device) {
  EngineOptions options;
  options.blockSize = 16;
  options.device = device;
  return options;
}

/// Bytes that a load sends, and what the engine then says of A.
struct Loaded {
  std::size_t uploaded;
  std::vector<double> product, transposedProduct, row, column;

  Loaded(Engine& engine, StandardForm const& form) {
    std::size_t const before = emulated_runtime::uploaded();
    engine.load(form);
    uploaded = emulated_runtime::uploaded() - before;
    product = engine.solves().multiply(
        std::vector<double>(static_cast<std::size_t>(form.columns()), 1.0));
    transposedProduct = engine.solves().multiplyTransposed(
        std::vector<double>(static_cast<std::size_t>(form.rows()), 1.0));
    row = engine.row(2);
    column = engine.column(3);
  }
  bool sameNumbers(Loaded const& other) const {
    return product == other.product && transposedProduct == other.transposedProduct &&
           row == other.row && column == other.column;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(callers_numbers)

BOOST_AUTO_TEST_CASE(they_come_whole_whatever_their_number) {
  constexpr std::size_t piece = (std::size_t{1} << 21) / sizeof(double);
  for (std::size_t const count : {std::size_t{1}, piece - 1, piece, 4 * piece + 1, 9 * piece + 7}) {
    emulated_runtime::reset();
    {
      Counted const numbers(count);
      std::vector<double> host(count, -1.0);
      BOOST_TEST(cuda::fetchNumbers({numbers.there.data(), count}, host.data()).device == 0);
      std::size_t wrong = 0;
      for (std::size_t k = 0; k < count; ++k) wrong += host[k] != static_cast<double>(k);
      BOOST_TEST(wrong == 0);
    }
    BOOST_TEST(emulated_runtime::held().empty());
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

BOOST_AUTO_TEST_CASE(each_failure_is_told_and_leaves_nothing) {
  constexpr std::size_t count = 1'500'000;  // several pieces
  auto const work = [] {
    Counted const numbers(count);
    std::vector<double> host(count);
    cuda::fetchNumbers({numbers.there.data(), count}, host.data());
  };
  emulated_runtime::reset();
  work();
  long const calls = emulated_runtime::calls();
  for (long number = 1; number <= calls; ++number) {
    emulated_runtime::reset();
    emulated_runtime::failAt(number, emulated_runtime::Failure::lost);
    BOOST_CHECK_THROW(work(), EngineUnavailable);
    BOOST_TEST(emulated_runtime::held().empty());
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

BOOST_AUTO_TEST_CASE(what_lies_elsewhere_is_refused) {
  emulated_runtime::reset();
  std::vector<double> const numbers(5, 1.0);
  std::vector<double> host(5);
  BOOST_CHECK_THROW(cuda::fetchNumbers({numbers.data(), 5}, host.data()), std::invalid_argument);
  emulated_runtime::setDevices(0);
  BOOST_CHECK_THROW(cuda::fetchNumbers({numbers.data(), 5}, host.data()), EngineUnavailable);
}

BOOST_AUTO_TEST_CASE(an_engine_of_the_same_device_uses_them_there) {
  for (bool const byRows : {true, false}) {
    emulated_runtime::reset();
    OnBoth both(byRows);
    StandardForm const form = makeStandardForm(both.lp, false);
    both.fetch();
    cuda::CudaEngine engine(onDevice(0)), other(onDevice(1));
    std::size_t const before = emulated_runtime::allocated();
    Loaded const there(engine, form);
    std::size_t const taken = emulated_runtime::allocated() - before;
    Loaded const elsewhere(other, form);
    BOOST_TEST(elsewhere.uploaded == there.uploaded + both.bytes());
    // What lies by rows is copied there, as it is wanted by columns.
    BOOST_TEST(emulated_runtime::allocated() - before - taken ==
               taken + (byRows ? 0 : both.bytes()));
    BOOST_TEST(there.sameNumbers(elsewhere));
    both.lp.matrix.dense.there = {};  // from now on they count no longer
    BOOST_TEST(Loaded(engine, form).uploaded == elsewhere.uploaded);
    BOOST_TEST(emulated_runtime::faults().empty());
  }
}

// The engine's memory for a matrix of its own is used again after one of the caller's.
BOOST_AUTO_TEST_CASE(matrices_of_both_kinds_follow_each_other) {
  emulated_runtime::reset();
  OnBoth byRows(true), byColumns(false);
  LinearProgram const sparse = sparseLp(30, 50, 4, 1);
  StandardForm const rowsForm = makeStandardForm(byRows.lp, false),
                     columnsForm = makeStandardForm(byColumns.lp, false),
                     sparseForm = makeStandardForm(sparse, false);
  cuda::CudaEngine fresh(onDevice(0));
  Loaded const expected(fresh, sparseForm);
  byRows.fetch();
  byColumns.fetch();
  cuda::CudaEngine engine(onDevice(0));
  for (int round = 0; round < 2; ++round) {
    Loaded const first(engine, rowsForm);
    BOOST_TEST(Loaded(engine, columnsForm).sameNumbers(first));
    BOOST_TEST(Loaded(engine, sparseForm).sameNumbers(expected));
  }
  for (OnBoth const* both : {&byRows, &byColumns})
    BOOST_TEST((std::vector<double>(both->there.data(), both->there.data() + both->host.size()) ==
                both->host));
  BOOST_TEST(emulated_runtime::faults().empty());
}

BOOST_AUTO_TEST_SUITE_END()
