// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda::cuda {

/// The scaled matrix A in device memory, by columns and by rows.
class DeviceMatrix {
 public:
  /// Uploads the columns, or the rows of an array that lies by rows. `dense` (m x n by rows)
  /// becomes A, from which the rows are gathered: on the device that is quicker than any
  /// transposition on the host. An array that lies on the device already (DenseArray::there) serves
  /// as it lies there, for as long as the matrix is in use. Memory is kept for the next.
  void load(StandardForm const& form, double* dense, Uploader& uploader, cudaStream_t stream);

  /// Rows and columns have come or gone: only the entries of new ones travel, the others are copied
  /// on the device.
  void reshape(Reshape const& change, StandardForm const& form, Uploader& uploader,
               cudaStream_t stream);

  SparseView columns() const { return view(columns_, n_); }
  SparseView rows() const { return view(rows_, m_); }
  /// All m x n numbers by columns; null where zeros are left out.
  double const* fullColumns() const { return full_ ? columns_.values : nullptr; }

 private:
  struct Lines {
    DeviceArray<std::int64_t> starts;
    DeviceArray<int> indices;
    DeviceArray<double> own;
    double const* values = nullptr;  ///< `own`, or an array of the caller's

    void reserve(std::size_t lines, std::size_t entries) {
      starts.reserve(lines + 1);
      indices.reserve(entries);
    }
    /// Room of its own for the values.
    double* reserveValues(std::size_t entries) {
      own.reserve(entries);
      values = own.data();
      return own.data();
    }
  };
  static SparseView view(Lines const& lines, int count) {
    return {count, lines.starts.data(), lines.indices.data(), lines.values};
  }
  void loadFull(SparseMatrix const& matrix, double const* numbers, double* dense,
                Uploader& uploader, cudaStream_t stream);

  void reshapeLines(Lines& lines, std::vector<int> const& from, std::vector<int> const& place,
                    SparseMatrix const& fresh, std::size_t entries, Uploader& uploader,
                    cudaStream_t stream);

  int m_ = 0, n_ = 0;
  Lines columns_, rows_, spare_, fresh_;
  DeviceArray<int> places_;
  bool full_ = false;  ///< every column lists all rows in order
};

}  // namespace osi_cuda::cuda
