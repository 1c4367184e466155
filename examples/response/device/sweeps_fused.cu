// SPDX-License-Identifier: EPL-2.0
// The fused form on one device, and with the rows in halves on two.
#include <algorithm>

#include "examples/response/device/entries.hpp"
#include "examples/response/device/fused.cuh"
#include "examples/response/device/sweeper.cuh"
#include "examples/response/device/timing.cuh"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

class FusedSweeper : public Sweeper {
 public:
  explicit FusedSweeper(SweepCase const& grid)
      : grid_(grid),
        row_(piecesOf(grid.alongRow, grid.columns, mostRowPlaces)),
        column_(piecesOf(grid.alongColumn, grid.rows, mostColumnPlaces)) {}
  void alongRows(double const* in, double* out) override {
    queueFusedRows(row_, grid_.rows, in, out);
  }
  void alongColumns(double const* in, double* out) override {
    queueFusedColumns(column_, grid_.columns, 0, grid_.rows, {in, nullptr, grid_.rows}, out);
  }

 private:
  SweepCase grid_;
  Fused row_, column_;
};

}  // namespace

Fused piecesOf(CyclicMatrix const& m, int length, int most) {
  Fused p{factorsOf(m), length, 0, length, true};
  if (length <= most) return p;
  p.isCircle = false;
  p.halo = p.f.reach();
  if (2 * p.halo > most / 2)
    throw EngineUnavailable(
        "device: the fused sweep has no form for lines this long of a matrix "
        "this close to singular");
  p.count = most - 2 * p.halo;
  // Pieces of equal size.
  int const pieces = (length + p.count - 1) / p.count;
  p.count = (length + pieces - 1) / pieces;
  return p;
}

std::unique_ptr<Sweeper> makeFusedSweeper(SweepCase const& grid) {
  return std::make_unique<FusedSweeper>(grid);
}

double sweepOnTwoDevices(SweepCase const& grid, std::vector<double>& field, int steps,
                         int secondDevice) {
  int const devices[2] = {0, secondDevice};
  int const split = grid.rows / 2, rows[2] = {split, grid.rows - split};
  struct Restore {
    ~Restore() { cudaSetDevice(0); }
  } const restore;
  Fused const row = piecesOf(grid.alongRow, grid.columns, mostRowPlaces);
  Fused column{factorsOf(grid.alongColumn), grid.rows, 0, rows[1], false};
  column.halo = column.f.reach();
  if (column.halo > split || column.count + 2 * column.halo > mostColumnPlaces)
    throw EngineUnavailable("device: two devices can't share columns this short or this long");
  DeviceArray<double> a[2], b[2];
  std::unique_ptr<Event> rowDone[2], columnDone[2], begin, end;
  for (int d = 0; d < 2; ++d) {
    check(cudaSetDevice(devices[d]));
    if (devices[0] != devices[1]) {
      cudaError_t const status = cudaDeviceEnablePeerAccess(devices[1 - d], 0);
      if (status != cudaErrorPeerAccessAlreadyEnabled) check(status);
      cudaGetLastError();
    }
    std::size_t const cells = std::size_t(rows[d]) * grid.columns;
    a[d] = DeviceArray<double>(cells);
    b[d] = DeviceArray<double>(cells);
    a[d].upload(0, field.data() + (d == 0 ? 0 : std::size_t(split) * grid.columns), cells);
    rowDone[d] = std::make_unique<Event>();
    columnDone[d] = std::make_unique<Event>();
    columnDone[d]->record();
  }
  check(cudaSetDevice(devices[0]));
  begin = std::make_unique<Event>();
  end = std::make_unique<Event>();
  begin->record();
  for (int step = 0; step < steps; ++step) {
    for (int d = 0; d < 2; ++d) {  // rows: from a to b, which the other may still be reading
      check(cudaSetDevice(devices[d]));
      check(cudaStreamWaitEvent(nullptr, columnDone[1 - d]->get()));
      queueFusedRows(row, rows[d], a[d].data(), b[d].data());
      rowDone[d]->record();
    }
    for (int d = 0; d < 2; ++d) {
      check(cudaSetDevice(devices[d]));
      check(cudaStreamWaitEvent(nullptr, rowDone[1 - d]->get()));
      queueFusedColumns(column, grid.columns, d == 0 ? 0 : split, rows[d],
                        {b[0].data(), b[1].data(), split}, a[d].data());
      columnDone[d]->record();
    }
  }
  check(cudaSetDevice(devices[0]));
  check(cudaStreamWaitEvent(nullptr, columnDone[1]->get()));
  end->record();
  double const seconds = end->secondsSince(*begin);
  for (int d = 0; d < 2; ++d) {
    std::vector<double> const part = a[d].download();
    std::copy(part.begin(), part.end(),
              field.begin() + (d == 0 ? 0 : std::ptrdiff_t(split) * grid.columns));
  }
  return seconds / steps;
}

}  // namespace osi_cuda::response::device
