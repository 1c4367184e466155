// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_matrix.hpp"

namespace osi_cuda::cuda {

void DeviceMatrix::load(StandardForm const& form, double* dense, Uploader& uploader,
                        cudaStream_t stream) {
  SparseMatrix const& matrix = form.matrix();
  residence_ = {};
  m_ = form.rows();
  n_ = form.columns();
  std::size_t const m = index(m_), n = index(n_);
  std::size_t const entries = index(matrix.nonzeros());
  columns_.reserve(n, entries);
  rows_.reserve(m, entries);
  if (form.full() && entries > 0) {  // nothing but numbers has to travel
    double const* const numbers = matrix.isDense() ? matrix.dense.numbers : matrix.values.data();
    countLines(stream, n_, m_, columns_.starts.data(), columns_.indices.data());
    countLines(stream, m_, n_, rows_.starts.data(), rows_.indices.data());
    if (matrix.dense.byRows) {
      uploader.upload(stream, dense, numbers, entries);
      transpose(stream, m_, n_, dense, columns_.values.data());
    } else {
      uploader.upload(stream, columns_.values.data(), numbers, entries);
      transpose(stream, n_, m_, columns_.values.data(), dense);
    }
    check(cudaMemcpyAsync(rows_.values.data(), dense, entries * sizeof(double),
                          cudaMemcpyDeviceToDevice, stream));
    residence_ = Residence(numbers, entries, columns_.values.data());
    return;
  }
  if (m * n > 0) check(cudaMemsetAsync(dense, 0, m * n * sizeof(double), stream));
  uploader.upload(stream, columns_.starts.data(), matrix.starts.data(), n + 1);
  uploader.upload(stream, columns_.indices.data(), matrix.indices.data(), entries);
  uploader.upload(stream, columns_.values.data(), matrix.values.data(), entries);
  placeColumns(stream, columns(), dense, n_);
  gatherRows(stream, m_, n_, dense, rows_.starts.data(), rows_.indices.data(), rows_.values.data());
}

}  // namespace osi_cuda::cuda
