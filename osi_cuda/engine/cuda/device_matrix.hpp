// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda::cuda {

/// The scaled matrix A in device memory, by columns and by rows.
class DeviceMatrix {
 public:
  DeviceMatrix() = default;
  DeviceMatrix(StandardForm const& form, cudaStream_t stream);

  SparseView columns() const { return view(columns_, n_); }
  SparseView rows() const { return view(rows_, m_); }

  static std::size_t bytes(StandardForm const& form);

 private:
  struct Lines {
    DeviceArray<std::int64_t> starts;
    DeviceArray<int> indices;
    DeviceArray<double> values;
  };
  static Lines copy(SparseMatrix const& matrix, cudaStream_t stream);
  static SparseView view(Lines const& lines, int count) {
    return {count, lines.starts.data(), lines.indices.data(), lines.values.data()};
  }

  int m_ = 0, n_ = 0;
  Lines columns_, rows_;
};

}  // namespace osi_cuda::cuda
