// SPDX-License-Identifier: EPL-2.0
// Maxwell's splitting on a device: the cells of maxwell.hpp, a thread each, and fused sweeps.
#include "examples/cyclic_sweeps/maxwell.hpp"

#include <utility>

#include "examples/cyclic_sweeps/device/fused.cuh"

namespace osi_cuda::cyclic_sweeps::device {
namespace {

using examples::device::DeviceArray;
using examples::device::launch;

constexpr unsigned threads = 256;

struct Direction {
  int rows, columns;
  bool alongRows;
  double f;
};

/// Owner of all below: thread k owns cell k of what is written.
__global__ void explicitCells(Direction d, double const* e, double const* hz, double* newE,
                              double* newHz) {
  std::size_t const at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < std::size_t(d.rows) * d.columns)
    explicitCell(cellOf(at, d.rows, d.columns, d.alongRows), d.f, e, hz, newE, newHz);
}
__global__ void implicitRights(Direction d, double const* e, double const* hz, double* right) {
  std::size_t const at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < std::size_t(d.rows) * d.columns)
    right[at] = implicitRight(cellOf(at, d.rows, d.columns, d.alongRows), d.f, e, hz);
}
__global__ void implicitHzs(Direction d, double const* e, double* hz) {
  std::size_t const at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at < std::size_t(d.rows) * d.columns)
    implicitHz(cellOf(at, d.rows, d.columns, d.alongRows), d.f, e, hz);
}

}  // namespace

double splitMaxwell(MaxwellField& field, double step, int steps) {
  double const k = 0.5 * step / field.width;
  Grid const grid = diffusion(field.rows, field.columns, k * k);
  RowPieces const row = rowPiecesOf(grid.alongRow, grid.columns);
  ColumnSweep const column(grid.alongColumn, grid.rows, grid.columns, true);
  DeviceArray<double> ex(field.ex), ey(field.ey), hz(field.hz), spareE(grid.cells()),
      spareHz(grid.cells());
  examples::device::Stream const stream;
  unsigned const blocks = examples::device::blocksFor(grid.cells(), threads);
  auto const half = [&](bool alongRows) {
    Direction const explicitly{grid.rows, grid.columns, alongRows, alongRows ? -k : k};
    Direction const implicitly{grid.rows, grid.columns, !alongRows, alongRows ? k : -k};
    DeviceArray<double>& e = alongRows ? ey : ex;
    DeviceArray<double>& other = alongRows ? ex : ey;
    launch(stream, blocks, threads, &explicitCells, explicitly, e.data(), hz.data(), spareE.data(),
           spareHz.data());
    std::swap(e, spareE);
    std::swap(hz, spareHz);
    launch(stream, blocks, threads, &implicitRights, implicitly, other.data(), hz.data(),
           spareE.data());
    if (implicitly.alongRows)
      queueRows(row, grid.rows, spareE.data(), other.data(), stream);
    else
      column.queueWhole(spareE.data(), other.data(), stream);
    launch(stream, blocks, threads, &implicitHzs, implicitly, other.data(), hz.data());
  };
  double const seconds = examples::device::seconds(stream, [&] {
    for (int s = 0; s < steps; ++s) {
      half(false);
      half(true);
    }
  });
  field.ex = ex.download();
  field.ey = ey.download();
  field.hz = hz.download();
  return seconds / std::max(steps, 1);
}

}  // namespace osi_cuda::cyclic_sweeps::device
