// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "c/problem.hpp"
#include "osi_cuda/batch/variants.hpp"

struct osi_cuda_batch : osi_cuda::c::Held {
  osi_cuda::BatchSolver solver;
  osi_cuda::VariantOptions options;
  osi_cuda::BatchResults results;
  bool solved = false;
  osi_cuda_batch_places places{};    ///< of calls that are told none
  std::vector<std::int64_t> starts;  ///< of variants

  osi_cuda::c::Callback<osi_cuda_batch_progress_function> progress;
};
