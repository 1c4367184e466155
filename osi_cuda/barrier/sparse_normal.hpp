// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/front_tree.hpp"

namespace osi_cuda::barrier {

/// Sparse normal equations, counted.
struct SparseNormal {
  BarrierWork work;
  std::vector<int> kept;  ///< lines (front_tree.hpp)
  FrontTree tree;

  NormalLines lines(StandardForm const& form, bool byColumns) const {
    if (byColumns) return {form.transposed(), form.matrix(), kept};
    return {form.matrix(), form.transposed(), kept};
  }
};

/// The sparse normal equations of least work: by rows or by columns, without or with kept lines;
/// nothing where all of them are more than `most`. `scattered` as in barrierWork(). `pause` is
/// called often; what it throws passes through.
std::optional<SparseNormal> sparseNormal(StandardForm const& form, BarrierWork const& most,
                                         double scattered, std::function<void()> const& pause);

}  // namespace osi_cuda::barrier
