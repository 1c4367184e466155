// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "examples/common/device_array.cuh"
#include "examples/response/sweeps.hpp"

namespace osi_cuda::response::device {

/// All systems of one direction: place k of system s is at s * across + k * along.
struct Lines {
  CyclicMatrix m;
  int length, systems;
  std::size_t along, across;
};

inline Lines rowLines(SweepCase const& g) {
  return {g.alongRow, g.columns, g.rows, 1, std::size_t(g.columns)};
}
inline Lines columnLines(SweepCase const& g) {
  return {g.alongColumn, g.rows, g.columns, std::size_t(g.columns), 1};
}

/// One form of the sweeps. Fields are in the device's memory; `in` and `out` are different ones.
class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual void alongRows(double const* in, double* out) = 0;
  virtual void alongColumns(double const* in, double* out) = 0;
};

constexpr unsigned sweepThreads = 128;  // of a block where a thread solves a system

std::unique_ptr<Sweeper> makeNaiveSweeper(SweepCase const& grid, bool isSplit);
std::unique_ptr<Sweeper> makeTableSweeper(SweepCase const& grid, bool byTransposing);
std::unique_ptr<Sweeper> makeFusedSweeper(SweepCase const& grid);
std::unique_ptr<Sweeper> makeLibrarySweeper(SweepCase const& grid, bool isBatch);

/// to = from transposed; from is rows x columns.
void queueTranspose(int rows, int columns, double const* from, double* to);

}  // namespace osi_cuda::response::device
