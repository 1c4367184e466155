// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/batch/variant_part.hpp"

/// Kernels for numbers and answers that stay in the callers' arrays on a device, each behind a
/// function that starts it on a stream.
namespace osi_cuda::cuda {

/// Where the answer of one problem is in its part, and where it belongs.
struct AnswerPlace {
  std::int64_t column, row, toColumn, toRow;
  int columns, rows;
};

/// Copies the answers of those problems that have one: optimal, unbounded, and with `stopped` those
/// that the limit of pivots stopped.
void putAnswers(cudaStream_t stream, int count, AnswerPlace const* places,
                PartAnswers const& answers, bool stopped, DeviceAnswers const& target);

/// Arrays of variants by VariantChange::What, K x n or K x m each; null: none.
struct VariantArrays {
  static constexpr int sorts = 5;
  double const* values[sorts] = {};
};

/// What arrays change in one variant.
struct ChangesFound {
  unsigned numbers = 0, costs = 0;
  unsigned crossed = 0, faulty = 0;  ///< bounds cross; a number that no problem can have
};

/// Of the variants `chosen`; nothing that is NaN or the problem's own counts.
void countChanges(cudaStream_t stream, int count, std::int64_t const* chosen,
                  batch::VariantBase const& base, VariantArrays const& arrays, ChangesFound* found);
/// Lists them where the tasks say, ascending by variable and sort.
void listChanges(cudaStream_t stream, int count, std::int64_t const* chosen,
                 batch::VariantBase const& base, VariantArrays const& arrays,
                 batch::VariantTask const* tasks, batch::VariantNumber* numbers);

}  // namespace osi_cuda::cuda
