// SPDX-License-Identifier: EPL-2.0
#pragma once

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
            cudaStream_t stream);
  /// dense <- A
  void place(double* dense, cudaStream_t stream) const;

  /// Rows have come or gone, or columns: only the entries of new ones travel, the others are copied
  /// on the device. `number`: see DeviceTableau::numbers().
  void reshape(int const* number, StandardForm const& form, Uploader& uploader,
               cudaStream_t stream);

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
  void loadFull(SparseMatrix const& matrix, bool onHost, double* dense, Uploader& uploader,
                cudaStream_t stream);

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
