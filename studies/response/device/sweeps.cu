// SPDX-License-Identifier: EPL-2.0
// Cyclic sweeps over all rows or columns of a periodic grid, in the forms of SweepForm.
#include <stdexcept>

#include "studies/response/device/entries.hpp"
#include "studies/response/device/sweeper.cuh"
#include "studies/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

std::unique_ptr<Sweeper> makeSweeper(SweepCase const& grid, SweepForm form) {
  switch (form) {
    case SweepForm::fused:
      return makeFusedSweeper(grid);
    case SweepForm::gtsv2:
      return makeLibrarySweeper(grid, false);
    case SweepForm::gtsv2Batch:
      return makeLibrarySweeper(grid, true);
  }
  throw std::logic_error("unknown form");
}

}  // namespace

SweepTimes sweepOnDevice(SweepCase const& grid, SweepForm form, std::vector<double>& field,
                         int steps, int repeats) {
  auto const sweeper = makeSweeper(grid, form);
  DeviceArray<double> const a(field), b(grid.cells());
  b.fillBytes(0xff);  // what is not written shows as NaN
  for (int step = 0; step < steps; ++step) {
    sweeper->alongRows(a.data(), b.data());
    sweeper->alongColumns(b.data(), a.data());
  }
  check(cudaGetLastError());
  field = a.download();
  SweepTimes times;
  if (repeats == 0) return times;
  constexpr int inner = 3;
  times.alongRows = medianSeconds(repeats, inner, [&] { sweeper->alongRows(a.data(), b.data()); });
  times.alongColumns =
      medianSeconds(repeats, inner, [&] { sweeper->alongColumns(a.data(), b.data()); });
  times.copy = medianSeconds(repeats, inner, [&] {
    check(cudaMemcpyAsync(b.data(), a.data(), grid.cells() * sizeof(double),
                          cudaMemcpyDeviceToDevice));
  });
  return times;
}

}  // namespace osi_cuda::response::device
