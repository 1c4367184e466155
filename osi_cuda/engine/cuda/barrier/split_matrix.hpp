// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/engine/cuda/barrier/byte_product.hpp"
#include "osi_cuda/engine/cuda/barrier/dense_cholesky.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {

/// Makes it the thread's device.
inline void enterDevice(int device) {
  check(cudaSetDevice(device));
}

/// `columns` columns of `rows` numbers, from one device or another: addresses tell which. From
/// column to column there are `fromLead` and `toLead`.
inline void copyColumns(cudaStream_t stream, double const* from, int fromLead, double* to,
                        int toLead, int rows, int columns) {
  check(cudaMemcpy2DAsync(to, at(toLead) * sizeof(double), from, at(fromLead) * sizeof(double),
                          at(rows) * sizeof(double), at(columns), cudaMemcpyDefault, stream));
}

/// Products with a dense matrix A (m x n by columns), shared by devices of one host. Normal
/// matrices are sums over rows of A (A'A) or over columns (A A'): those lines are dealt out in
/// blocks, a block each. A device sends its part of a result to others, by peer copies (CUDA stages
/// them through the host where there is no peer access), and these add in a fixed order: the
/// same number of shares gives the same bits. The normal matrix is factored by all. The first
/// device has the whole A, in which its block lies; with one share nothing is copied. All is queued
/// in the order of the first one's stream. Its devices serve others as well (FreshTableau).
class SplitMatrix {
 public:
  struct Member {
    int device = 0;
    Stream stream;
    BlasHandle blas;
    Event done;
  };

  /// `width`: BarrierOptions::panelWidth. Throws EngineUnavailable.
  explicit SplitMatrix(std::vector<int> const& devices, int width = 0);
  ~SplitMatrix();
  SplitMatrix(SplitMatrix const&) = delete;
  SplitMatrix& operator=(SplitMatrix const&) = delete;

  /// Of the first device, which is the thread's whenever a call begins and ends.
  cudaStream_t stream() const { return parts_.front().stream; }
  cublasHandle_t blas() const { return parts_.front().blas; }

  Member const& member(int k) const { return parts_[at(k)]; }
  /// work(device, k) on each but the first of `shares` devices, after all that is in the first
  /// one's `stream`, which await() makes wait for them.
  void onOthers(cudaStream_t stream, int shares, auto const& work) {
    if (shares == 1) return;
    check(cudaEventRecord(ready_, stream));
    for (int k = 1; k < shares; ++k) {
      Part& part = parts_[at(k)];
      enterDevice(part.device);
      check(cudaStreamWaitEvent(part.stream, ready_, 0));
      work(part, k);
      check(cudaEventRecord(part.done, part.stream));
    }
    enterDevice(parts_.front().device);
  }
  void await(cudaStream_t stream, int shares) const {
    for (int k = 1; k < shares; ++k) check(cudaStreamWaitEvent(stream, parts_[at(k)].done, 0));
  }
  /// How many take a share of that many lines, and the line that each of so many begins with.
  int sharesOf(int lines) const;
  static int boundary(int share, int shares, int lines);
  int askedWidth() const { return askedWidth_; }
  /// Whether all shares have room for the bytes of a ByteProduct.
  bool fitsBytes(int m, int n, bool byColumns) const;

  /// `byColumns`: of A'A, order n; else A A', order m. On the first device lie `a`, `scratch` (m x
  /// n numbers) and `normal`, whose columns are normalStride(order) apart. Throws NotEnoughMemory.
  void load(int m, int n, bool byColumns, double const* a, double* scratch, double* normal);
  void giveBack();

  /// The lower triangle of `normal` <- that of S'S for S = diag(root) A, or S S' for
  /// S = A diag(root), or the first share's term. `rough`: to six digits.
  void form(double const* root, bool rough);
  /// After form(): the diagonal becomes `times` as large, and `normal` gets the other terms, where
  /// it is not factored by all: then only factor() can follow.
  void sum(double times);
  /// How many columns of a matrix of that order all factor at a time, and whether so many shares
  /// do: a panel of all columns is the first one's.
  int widthOf(int shares, int order) const;
  bool factors(int shares, int order) const;
  /// `normal` becomes the Cholesky factor. `info` on the first device, a number for each panel:
  /// other than 0 where there is no factor; then the result is not to be used.
  void factor(int* info);
  /// out = A in, or A'in
  void multiply(bool transposed, double const* in, double* out);

 private:
  struct Part : Member {
    int first = 0, count = 0;  ///< of the lines that are dealt out
    int rows = 0, columns = 0, lead = 0;
    double const* a = nullptr;  ///< `lead` numbers from column to column
    double* scratch = nullptr;  ///< as many numbers: S or its bytes, then what arrives
    double* normal = nullptr;
    double *across = nullptr, *along = nullptr;  ///< vectors of lengths order and count
    ByteProduct rough;
    DeviceArray<double> memory;  ///< of all that, but for the first device
    // Of several shares: where panels are factored and arrive.
    Stream panels;
    BlasHandle panelBlas;
    SolverHandle panelSolver;
    Event arrived;
    DenseCholesky panel;
    DeviceArray<double> corner;
    DeviceArray<int> info;

    double* place(int row, int column, int stride) const {
      return normal + at(column) * at(stride) + at(row);
    }
  };

  double* place(Part& part);
  void product(Part const& part, bool transposed, double const* in, double* out) const;
  void formPart(Part& part, double const* root, bool rough);
  /// Of the block of columns from `first` on; `later`: of the block that comes so much later.
  Part& owner(int first, int later = 0) { return parts_[at((first / width_ + later) % shares_)]; }
  void addTerm(int first, Part const& from, Part const& to) const;
  void factorPanel(int first, int* info);
  void copyPanel(int first, Part const& from, Part const& to) const;
  void subtractPanel(int first, Part const& part);

  int const askedWidth_;
  std::vector<Part> parts_;
  Event ready_;
  bool byColumns_ = false;
  int order_ = 0, stride_ = 0;
  int shares_ = 1;             ///< parts that have lines of the present matrix
  DeviceArray<double> terms_;  ///< of sums, as others send them to the first device
  int width_ = 1;              ///< columns of a panel
};

}  // namespace osi_cuda::cuda
