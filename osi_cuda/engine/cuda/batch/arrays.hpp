// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/batch/variant_part.hpp"

/// Kernels for numbers and answers that stay in the callers' arrays on a device.
namespace osi_cuda::cuda {

/// Where the answer of one problem is in its part, and where it belongs.
struct AnswerPlace {
  std::int64_t column, row, toColumn, toRow;
  int columns, rows;
};

/// Copies the answers of those problems that have one: optimal, unbounded, and with `stopped` those
/// that the limit of pivots stopped.
void putAnswers(cudaStream_t stream, int count, AnswerPlace const* places,
                PartAnswers const& answers, bool stopped, AnswerArrays const& target);

/// Arrays of variants by VariantChange::What, K x n or K x m each; null: none.
struct VariantArrays {
  double const* values[5] = {};
  double infiniteFrom = infinity;  ///< as in BatchVariants
};
/// What they change in one variant.
struct ChangesFound {
  unsigned numbers = 0, costs = 0;
  unsigned crossed = 0, faulty = 0;  ///< bounds cross; a number that no problem can have
};

/// Counts what arrays change in the variants `chosen`, NaN and the problem's own numbers being no
/// change; or, where `found` is null, lists it where the tasks say, ascending by variable and sort.
void findChanges(cudaStream_t stream, int count, std::int64_t const* chosen,
                 batch::VariantBase const& base, VariantArrays const& arrays, ChangesFound* found,
                 batch::VariantTask const* tasks = nullptr,
                 batch::VariantNumber* numbers = nullptr);

}  // namespace osi_cuda::cuda
