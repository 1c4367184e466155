// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_matrix.hpp"

namespace osi_cuda::cuda {

DeviceMatrix::DeviceMatrix(StandardForm const& form, cudaStream_t stream)
    : m_(form.rows()),
      n_(form.columns()),
      columns_(copy(form.matrix, stream)),
      rows_(copy(form.transposed, stream)) {}

DeviceMatrix::Lines DeviceMatrix::copy(SparseMatrix const& matrix, cudaStream_t stream) {
  Lines lines{DeviceArray<std::int64_t>(matrix.starts.size()),
              DeviceArray<int>(matrix.indices.size()), DeviceArray<double>(matrix.values.size())};
  upload(stream, lines.starts.data(), matrix.starts.data(), matrix.starts.size());
  upload(stream, lines.indices.data(), matrix.indices.data(), matrix.indices.size());
  upload(stream, lines.values.data(), matrix.values.data(), matrix.values.size());
  return lines;
}

std::size_t DeviceMatrix::bytes(StandardForm const& form) {
  auto const entries = static_cast<std::size_t>(form.matrix.nonzeros());
  auto const lines =
      static_cast<std::size_t>(form.rows()) + static_cast<std::size_t>(form.columns());
  return 2 * entries * (sizeof(int) + sizeof(double)) + (lines + 2) * sizeof(std::int64_t);
}

}  // namespace osi_cuda::cuda
