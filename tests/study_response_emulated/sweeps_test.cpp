// SPDX-License-Identifier: EPL-2.0
// The fused sweeps on devices of the host's imagination, one and two of them.
#include "tests/support/emulated_module.hpp"
// the emulation comes first
#include "studies/response/device/fused_columns.cu"
#include "studies/response/device/fused_rows.cu"
#include "studies/response/device/sweeps_two.cu"
// what follows is the host's
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "osi_cuda/errors.hpp"
#include "tests/study_response_emulated/each_failure.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

namespace osi_cuda::response {
namespace {

SweepCase gridOf(int rows, int columns) {
  SweepCase grid = diffusion(rows, columns, 1.0);
  grid.alongColumn = {0.5, 4.0, -1.0};  // what comes in has faded after 30 places
  return grid;
}

std::vector<double> startOf(SweepCase const& grid) {
  std::vector<double> field;
  for (std::size_t k = 0; k < grid.cells(); ++k) field.push_back(std::sin(1.0 + double(k * k)));
  return field;
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::isnan(a[k]) ? HUGE_VAL : std::max(most, std::abs(a[k] - b[k]));
  return most;
}

std::vector<double> downloaded(examples::device::DeviceArray<double> const& array,
                               device::Stream const& stream) {
  std::vector<double> values(array.size());
  examples::device::check(cudaMemcpyAsync(values.data(), array.data(),
                                          values.size() * sizeof(double), cudaMemcpyDeviceToHost,
                                          stream.get()));
  return values;
}

/// Rows and columns in one piece, and in several: what a warp, two, four and eight of them sweep.
BOOST_AUTO_TEST_CASE(oneDevice) {
  for (auto const& [rows, columns] :
       {std::pair{3, 3}, {40, 33}, {9, 545}, {5, 1100}, {3, 4352}, {4, 5000}, {1200, 9}}) {
    emulated_runtime::reset();
    SweepCase const grid = gridOf(rows, columns);
    std::vector<double> host = startOf(grid), field;
    {
      device::Stream const stream;
      examples::device::DeviceArray<double> const a(grid.cells()), b(grid.cells());
      examples::device::check(cudaMemcpyAsync(a.data(), host.data(), host.size() * sizeof(double),
                                              cudaMemcpyHostToDevice, stream.get()));
      queueFusedRows(device::rowPiecesOf(grid.alongRow, columns), rows, a.data(), b.data(),
                     stream.get());
      device::FusedColumns const along(grid.alongColumn, rows, columns, true);
      along.queueEdges(b.data(), stream.get());
      along.queue(b.data(), a.data(), along, stream.get());
      field = downloaded(a, stream);
    }
    sweepOnHost(grid, host, 1, 1);
    BOOST_TEST_CONTEXT(rows << " x " << columns) BOOST_TEST(difference(field, host) < 1e-13);
    BOOST_TEST(emulated_runtime::faults().empty());
    BOOST_TEST(emulated_runtime::held().empty());
  }
}

/// On two devices, and with both halves on one.
BOOST_AUTO_TEST_CASE(twoHalves) {
  for (int const second : {1, 0})
    for (auto const& [rows, columns] : {std::pair{100, 30}, {121, 600}, {2300, 9}}) {
      emulated_runtime::reset();
      SweepCase const grid = gridOf(rows, columns);
      std::vector<double> host = startOf(grid), field = host;
      sweepOnHost(grid, host, 3, 1);
      BOOST_TEST(device::sweepOnTwoDevices(grid, field, 3, second) > 0.0);
      BOOST_TEST_CONTEXT(rows << " x " << columns) BOOST_TEST(difference(field, host) < 1e-13);
      BOOST_TEST(emulated_runtime::faults().empty());
      BOOST_TEST(emulated_runtime::held().empty());
    }
}

bool names(EngineUnavailable const& error, char const* text) {
  return std::string(error.what()).find(text) != std::string::npos;
}

BOOST_AUTO_TEST_CASE(whatTwoDevicesCantShare) {
  SweepCase const grid = gridOf(100, 9), small = gridOf(30, 9);
  std::vector<double> field = startOf(grid);
  emulated_runtime::reset();
  emulated_runtime::setPeers(false);
  BOOST_CHECK_EXCEPTION(
      device::sweepOnTwoDevices(grid, field, 1, 1), EngineUnavailable,
      [](auto const& e) { return names(e, "device 0 can't read the memory of device 1"); });
  emulated_runtime::reset();
  BOOST_CHECK_EXCEPTION(device::sweepOnTwoDevices(small, field, 1, 1), EngineUnavailable,
                        [](auto const& e) { return names(e, "pieces of columns this short"); });
  emulated_runtime::reset();
  emulated_runtime::setDevices(1);
  BOOST_CHECK_THROW(device::sweepOnTwoDevices(grid, field, 1, 1), EngineUnavailable);
  BOOST_TEST(emulated_runtime::held().empty());
}

/// Each call that may fail does so once: it is told, and nothing stays behind.
BOOST_AUTO_TEST_CASE(whatFailsOnTwoDevicesIsToldAndNothingIsLeft) {
  SweepCase const grid = gridOf(100, 9);
  auto const work = [&] {
    std::vector<double> field = startOf(grid);
    device::sweepOnTwoDevices(grid, field, 2, 1);
  };
  failEachCallOnce(work, 50, 3);
}

}  // namespace
}  // namespace osi_cuda::response
