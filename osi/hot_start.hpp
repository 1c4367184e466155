// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi/state.hpp"

/// What a hot start comes back to.
struct OsiCudaSolverInterface::State::HotStart {
  osi_cuda::Basis basis;
  std::vector<double> columnValue, rowDual, reducedCost, rowActivity;
};
