// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>

#include "examples/common/device.cuh"
#include "examples/cyclic_sweeps/cyclic.hpp"

namespace osi_cuda::cyclic_sweeps::device {

/// One form of the sweeps on one device. Fields are in its memory; `in` and `out` differ.
class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual void alongRows(double const* in, double* out, cudaStream_t stream) = 0;
  virtual void alongColumns(double const* in, double* out, cudaStream_t stream) = 0;
};

std::unique_ptr<Sweeper> makePlainSweeper(Grid const& grid);    // plain.cu
std::unique_ptr<Sweeper> makeTableSweeper(Grid const& grid);    // plain.cu
std::unique_ptr<Sweeper> makeLibrarySweeper(Grid const& grid);  // library.cu

}  // namespace osi_cuda::cyclic_sweeps::device
