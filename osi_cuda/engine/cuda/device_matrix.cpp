// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_matrix.hpp"

namespace osi_cuda::cuda {

void DeviceMatrix::load(StandardForm const& form, double* dense, Uploader& uploader,
                        cudaStream_t stream) {
  SparseMatrix const& matrix = form.matrix();
  full_ = form.full() && matrix.nonzeros() > 0;
  m_ = form.rows();
  n_ = form.columns();
  std::size_t const m = index(m_), n = index(n_);
  std::size_t const entries = index(matrix.nonzeros());
  columns_.reserve(n, entries);
  rows_.reserve(m, entries);
  if (full_) {  // nothing but numbers has to travel
    countLines(stream, n_, m_, columns_.starts.data(), columns_.indices.data());
    countLines(stream, m_, n_, rows_.starts.data(), rows_.indices.data());
    double const* const numbers = matrix.isDense() ? matrix.dense.numbers : matrix.values.data();
    loadFull(matrix, numbers, dense, uploader, stream);
    return;
  }
  double* const columnValues = columns_.reserveValues(entries);
  double* const rowValues = rows_.reserveValues(entries);
  if (m * n > 0) check(cudaMemsetAsync(dense, 0, m * n * sizeof(double), stream));
  uploader.upload(stream, columns_.starts.data(), matrix.starts.data(), n + 1);
  uploader.upload(stream, columns_.indices.data(), matrix.indices.data(), entries);
  uploader.upload(stream, columnValues, matrix.values.data(), entries);
  placeColumns(stream, columns(), dense, n_);
  gatherRows(stream, m_, n_, dense, rows_.starts.data(), rows_.indices.data(), rowValues);
}

// From A by rows or by columns to both, and to D, which is A by rows.
void DeviceMatrix::loadFull(SparseMatrix const& matrix, double const* numbers, double* dense,
                            Uploader& uploader, cudaStream_t stream) {
  std::size_t const entries = index(matrix.nonzeros());
  auto const copy = [&](double const* from, double* to) {
    check(cudaMemcpyAsync(to, from, entries * sizeof(double), cudaMemcpyDeviceToDevice, stream));
  };
  int device = 0;
  check(cudaGetDevice(&device));
  DeviceNumbers const& given = matrix.dense.there;
  double const* const there = given.device == device ? given.numbers : nullptr;
  if (matrix.dense.byRows) {
    if (there)
      copy(there, dense);
    else
      uploader.upload(stream, dense, numbers, entries);
    transpose(stream, m_, n_, dense, columns_.reserveValues(entries));
    if (!there) copy(dense, rows_.reserveValues(entries));
    if (there) rows_.values = there;
    return;
  }
  if (!there) uploader.upload(stream, columns_.reserveValues(entries), numbers, entries);
  if (there) columns_.values = there;
  transpose(stream, n_, m_, columns_.values, dense);
  copy(dense, rows_.reserveValues(entries));
}

}  // namespace osi_cuda::cuda
