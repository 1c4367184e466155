// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "osi/branches_ahead.hpp"
#include "osi/state.hpp"

/// What a hot start comes back to, and the branches from there that were computed ahead.
struct OsiCudaSolverInterface::State::HotStart {
  osi_cuda::Basis basis;
  // What the branches belong to besides the matrix; empty where none are wanted.
  osi_cuda::osi::Numbers numbers;
  osi_cuda::ChangeSet columns, rows;  ///< whose bounds may be others than those
  double offset = 0.0;
  bool onDevice = false;                          ///< State::variants begin here
  std::vector<osi_cuda::osi::NewBound> branches;  ///< of the columns that are not whole
  std::unique_ptr<osi_cuda::osi::BranchesAhead> ahead;

  /// The bound that is another one than at the mark, where it is the only difference.
  std::optional<osi_cuda::osi::NewBound> newBound(State const& present, double offset);
};
