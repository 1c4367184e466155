// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_matrix.hpp"

#include <algorithm>
#include <utility>

#include "osi_cuda/engine/cuda/edits.hpp"
#include "osi_cuda/loop_threads.hpp"

namespace osi_cuda::cuda {
void DeviceMatrix::load(StandardForm const& form, bool onHost, double* dense, Uploader& uploader,
                        cudaStream_t stream) {
  SparseMatrix const& matrix = form.matrix();
  m_ = form.rows();
  n_ = form.columns();
  full_ = nullptr;
  host_ = {};
  std::size_t const m = index(m_), n = index(n_);
  std::size_t const entries = index(matrix.nonzeros());
  if (form.full() && entries > 0) return loadFull(matrix, onHost, dense, uploader, stream);
  columns_.reserve(n, entries);
  rows_.reserve(m, entries);
  if (m * n > 0) check(cudaMemsetAsync(dense, 0, m * n * sizeof(double), stream));
  uploader.upload(stream, columns_.starts.data(), matrix.starts.data(), n + 1);
  uploader.upload(stream, columns_.indices.data(), matrix.indices.data(), entries);
  uploader.upload(stream, columns_.values.data(), matrix.values.data(), entries);
  placeColumns(stream, columns(), dense, n_);
  gatherRows(stream, m_, n_, dense, rows_.starts.data(), rows_.indices.data(), rows_.values.data());
}

// What lies by rows comes by way of D, which is A by rows to begin with.
void DeviceMatrix::loadFull(SparseMatrix const& matrix, bool onHost, double* dense,
                            Uploader& uploader, cudaStream_t stream) {
  std::size_t const entries = index(matrix.nonzeros());
  double const* const numbers = matrix.isDense() ? matrix.dense.numbers : matrix.values.data();
  int device = 0;
  check(cudaGetDevice(&device));
  DeviceNumbers const& given = matrix.dense.there;
  double const* const there = given.device == device ? given.numbers : nullptr;
  byRows_ = matrix.dense.byRows && onHost;
  if (there && !matrix.dense.byRows) {
    full_ = there;
  } else if (onHost) {
    host_ = PinnedArray<double>(entries);
    auto const columns = static_cast<std::ptrdiff_t>(n_), length = static_cast<std::ptrdiff_t>(m_);
#pragma omp parallel for schedule(static) num_threads(loopThreads(matrix.nonzeros()))
    for (std::ptrdiff_t j = 0; j < columns; ++j)
      std::copy_n(numbers + j * length, length, host_.data() + j * length);
    full_ = host_.onDevice();
  } else {
    own_.reserve(entries);
    full_ = own_.data();
    if (matrix.dense.byRows) {
      if (!there) uploader.upload(stream, dense, numbers, entries);
      placeRows(stream, fullLines(there ? there : dense, n_, m_, false), nullptr, nullptr,
                own_.data(), m_);
      if (!there) return;
    } else {
      uploader.upload(stream, own_.data(), numbers, entries);
    }
  }
  place(dense, stream);
}

void DeviceMatrix::place(double* dense, cudaStream_t stream) const {
  std::size_t const cells = index(m_) * index(n_);
  if (!full_ && cells > 0) check(cudaMemsetAsync(dense, 0, cells * sizeof(double), stream));
  placeRows(stream, rows(), nullptr, nullptr, dense, n_);
}

void DeviceMatrix::reshape(Reshape const& change, StandardForm const& form, Uploader& uploader,
                           cudaStream_t stream) {
  std::vector<int> const rowPlace = newNumbers(change.rows, m_);
  std::vector<int> const columnPlace = newNumbers(change.columns, n_);
  SparseMatrix const byColumn = form.newEntries(change);
  std::size_t const entries = index(form.nonzeros());
  LinesView const oldColumns = columns(), oldRows = rows();
  reshapeLines(columns_, oldColumns, change.columns, rowPlace, byColumn, entries, uploader, stream);
  reshapeLines(rows_, oldRows, change.rows, columnPlace, byColumn.transposed(), entries, uploader,
               stream);
  full_ = nullptr;
  m_ = form.rows();
  n_ = form.columns();
}

void DeviceMatrix::reshapeLines(Lines& lines, LinesView const& old, std::vector<int> const& from,
                                std::vector<int> const& place, SparseMatrix const& fresh,
                                std::size_t entries, Uploader& uploader, cudaStream_t stream) {
  places_.reserve(from.size() + place.size());
  uploader.upload(stream, places_.data(), from.data(), from.size());
  uploader.upload(stream, places_.data() + from.size(), place.data(), place.size());
  fresh_.reserve(from.size(), fresh.values.size());
  uploader.upload(stream, fresh_.starts.data(), fresh.starts.data(), fresh.starts.size());
  uploader.upload(stream, fresh_.indices.data(), fresh.indices.data(), fresh.indices.size());
  uploader.upload(stream, fresh_.values.data(), fresh.values.data(), fresh.values.size());
  spare_.reserve(from.size(), entries);
  cuda::reshapeLines(stream, old, places_.data(), places_.data() + from.size(),
                     view(fresh_, static_cast<int>(from.size())), spare_.starts.data(),
                     spare_.indices.data(), spare_.values.data());
  std::swap(lines, spare_);
}

}  // namespace osi_cuda::cuda
