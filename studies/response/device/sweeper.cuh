// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "examples/common/device_array.cuh"
#include "examples/response/sweeps.hpp"

namespace osi_cuda::response::device {

/// One form of the sweeps. Fields are in the device's memory; `in` and `out` are different ones.
class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual void alongRows(double const* in, double* out) = 0;
  virtual void alongColumns(double const* in, double* out) = 0;
};

std::unique_ptr<Sweeper> makeFusedSweeper(SweepCase const& grid);
std::unique_ptr<Sweeper> makeLibrarySweeper(SweepCase const& grid, bool isBatch);

}  // namespace osi_cuda::response::device
