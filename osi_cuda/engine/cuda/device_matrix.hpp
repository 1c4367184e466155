// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/cuda/edits.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda::cuda {

/// The scaled matrix A where the device reads it, by columns and by rows: of a full matrix one
/// array, of others lists of both.
class DeviceMatrix {
 public:
  /// Uploads the columns, or the rows of an array that lies by rows. `dense` (m x n by rows)
  /// becomes A, from which the rows are gathered: on the device that is quicker than any
  /// transposition on the host. A full array that lies on the device by columns already
  /// (DenseArray::there) serves as it lies there, for as long as the matrix is in use. With
  /// `onHost` the array of a full matrix is page-locked memory of the host's instead, which the
  /// device reads over the bus. Memory is kept for the next.
  void load(StandardForm const& form, bool onHost, double* dense, Uploader& uploader,
            cudaStream_t stream) {
    SparseMatrix const& matrix = form.matrix();
    m_ = form.rows();
    n_ = form.columns();
    full_ = nullptr;
    host_ = {};
    std::size_t const m = at(m_), n = at(n_);
    std::size_t const entries = at(matrix.nonzeros());
    if (form.full() && entries > 0) return loadFull(matrix, onHost, dense, uploader, stream);
    rows_.reserve(m, entries);
    if (m * n > 0) check(cudaMemsetAsync(dense, 0, m * n * sizeof(double), stream));
    columns_.take(matrix, uploader, stream);
    placeColumns(stream, columns(), dense, n_);
    gatherRows(stream, m_, n_, dense, rows_.starts.data(), rows_.indices.data(),
               rows_.values.data());
  }
  /// dense <- A
  void place(double* dense, cudaStream_t stream) const {
    std::size_t const cells = at(m_) * at(n_);
    if (!full_ && cells > 0) check(cudaMemsetAsync(dense, 0, cells * sizeof(double), stream));
    placeRows(stream, rows(), nullptr, nullptr, dense, n_);
  }

  /// Rows have come or gone, or columns: only the entries of new ones travel, the others are copied
  /// on the device. `number`: see DeviceTableau::numbers().
  void reshape(int const* number, StandardForm const& form, Uploader& uploader,
               cudaStream_t stream) {
    SparseMatrix const& fresh = form.newRows().columns > 0 ? form.newRows() : form.newColumns();
    fresh_.take(fresh, uploader, stream);
    LinesView const oldColumns = columns(), oldRows = rows(), added = view(fresh_, fresh.columns);
    int const m = form.rows(), n = form.columns(), newRows = form.newRows().columns,
              newColumns = form.newColumns().columns;
    int const* const before = number + m_ + n_;
    auto const reshaped = [&](Lines& lines, LinesView const& old, LineMap const& map) {
      spare_.reserve(at(map.lines), at(form.nonzeros()));
      reshapeLines(stream, old, map, added, spare_.starts.data(), spare_.indices.data(),
                   spare_.values.data());
      std::swap(lines, spare_);
    };
    // Columns are numbered as variables, and rows as their slacks.
    reshaped(columns_, oldColumns, {n, before, number + n_, n, newRows, m - newRows});
    reshaped(rows_, oldRows, {m, before + n, number, 0, newColumns, n - newColumns});
    full_ = nullptr;
    m_ = m;
    n_ = n;
  }

  LinesView columns() const {
    return full_ ? fullLines(full_, n_, m_, !byRows_) : view(columns_, n_);
  }
  LinesView rows() const { return full_ ? fullLines(full_, m_, n_, byRows_) : view(rows_, m_); }
  /// All m x n numbers by columns in the device's memory; null: there is no such array.
  double const* fullColumns() const { return host_.size() > 0 ? nullptr : full_; }

 private:
  struct Lines {
    DeviceArray<std::int64_t> starts;
    DeviceArray<int> indices;
    DeviceArray<double> values;

    void reserve(std::size_t lines, std::size_t entries) {
      starts.reserve(lines + 1);
      indices.reserve(entries);
      values.reserve(entries);
    }
    void take(SparseMatrix const& matrix, Uploader& uploader, cudaStream_t stream) {
      reserve(at(matrix.columns), matrix.values.size());
      uploader.upload(stream, starts.data(), matrix.starts.data(), matrix.starts.size());
      uploader.upload(stream, indices.data(), matrix.indices.data(), matrix.indices.size());
      uploader.upload(stream, values.data(), matrix.values.data(), matrix.values.size());
    }
  };
  static LinesView view(Lines const& lines, int count) {
    return {count, lines.starts.data(), lines.indices.data(), lines.values.data()};
  }
  // What lies by rows comes by way of D, which is A by rows to begin with.
  void loadFull(SparseMatrix const& matrix, bool onHost, double* dense, Uploader& uploader,
                cudaStream_t stream) {
    std::size_t const entries = at(matrix.nonzeros());
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
      copyByThreads(numbers, host_.data(), entries);
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

  int m_ = 0, n_ = 0;
  Lines columns_, rows_, spare_, fresh_;
  DeviceArray<double> own_;
  PinnedArray<double> host_;
  /// All numbers of a matrix whose columns list all rows in order: own_, host_, or an array of the
  /// caller's; null where zeros are left out.
  double const* full_ = nullptr;
  bool byRows_ = false;  ///< how they lie
};

}  // namespace osi_cuda::cuda
