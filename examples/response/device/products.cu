// SPDX-License-Identifier: EPL-2.0
// Sparse products: CSR in the shapes of products.hpp, beside cuSPARSE.
#include "examples/response/products.hpp"

#include <cusparse.h>

#include <limits>
#include <type_traits>

#include "examples/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::DeviceArray;
using examples::device::launch;
using examples::device::medianSeconds;

template <class Real>
struct View {
  int rows;
  int const *start, *column;
  Real const* value;
};

/// y = A x: T threads a row, `rows` neighbouring rows one after the other. Owner: a group of T
/// threads owns its rows of y.
template <int T, class Real>
__global__ void multiplyCsr(View<Real> a, int rows, Real const* x, Real* y) {
  int const lane = int(threadIdx.x) % T;
  int const group = int((blockIdx.x * blockDim.x + threadIdx.x) / T);
  int const groups = int(blockDim.x) / T;
  for (int k = 0; k < rows; ++k) {
    // Groups of a block take neighbouring rows at a time.
    int const i = (group / groups * rows + k) * groups + group % groups;
    Real sum = 0;
    if (i < a.rows)
      for (int at = a.start[i] + lane; at < a.start[i + 1]; at += T)
        sum += a.value[at] * x[a.column[at]];
    for (int d = T / 2; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (lane == 0 && i < a.rows) y[i] = sum;
  }
}

/// The same with a block a row, for matrices of few and long rows.
template <class Real>
__global__ void multiplyLongCsr(View<Real> a, Real const* x, Real* y) {
  __shared__ Real part[32];
  int const i = int(blockIdx.x), lane = int(threadIdx.x) % 32;
  Real sum = 0;
  for (int at = a.start[i] + int(threadIdx.x); at < a.start[i + 1]; at += int(blockDim.x))
    sum += a.value[at] * x[a.column[at]];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = lane < int(blockDim.x) / 32 ? part[lane] : Real(0);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[i] = sum;
}

/// Y = A X: neighbouring threads own neighbouring columns of a row.
template <class Real>
__global__ void multiplyManyCsr(View<Real> a, Real const* x, Real* y) {
  int const c = int(threadIdx.x), i = int(blockIdx.x * blockDim.y + threadIdx.y);
  if (i >= a.rows) return;
  Real sum = 0;
  for (int at = a.start[i]; at < a.start[i + 1]; ++at)
    sum += a.value[at] * x[std::size_t(a.column[at]) * manyColumns + c];
  y[std::size_t(i) * manyColumns + c] = sum;
}

void checkSparse(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("device: cuSPARSE: ") + cusparseGetErrorString(status));
}

/// Handles and descriptors of cuSPARSE, destroyed together.
template <class Real>
class Library {
 public:
  Library(View<Real> const& a, int columns, int nonzeros, DeviceArray<Real> const& x,
          DeviceArray<Real> const& y, cudaStream_t stream) {
    checkSparse(cusparseCreate(&handle_));
    checkSparse(cusparseSetStream(handle_, stream));
    checkSparse(cusparseCreateCsr(&matrix_, a.rows, columns, nonzeros, const_cast<int*>(a.start),
                                  const_cast<int*>(a.column), const_cast<Real*>(a.value),
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                  type));
    checkSparse(cusparseCreateDnVec(&in_, columns, x.data(), type));
    checkSparse(cusparseCreateDnVec(&out_, a.rows, y.data(), type));
    constexpr int width = manyColumns;
    checkSparse(
        cusparseCreateDnMat(&manyIn_, columns, width, width, x.data(), type, CUSPARSE_ORDER_ROW));
    checkSparse(
        cusparseCreateDnMat(&manyOut_, a.rows, width, width, y.data(), type, CUSPARSE_ORDER_ROW));
  }
  ~Library() {
    cusparseDestroyDnMat(manyOut_);
    cusparseDestroyDnMat(manyIn_);
    cusparseDestroyDnVec(out_);
    cusparseDestroyDnVec(in_);
    cusparseDestroySpMat(matrix_);
    cusparseDestroy(handle_);
  }
  Library(Library const&) = delete;
  Library& operator=(Library const&) = delete;

  /// The least of time(product) over the algorithms.
  template <class Time>
  double multiply(Time const& time) {
    double least = std::numeric_limits<double>::infinity();
    for (auto const algorithm : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
      std::size_t bytes = 0;
      checkSparse(cusparseSpMV_bufferSize(handle_, n, &one, matrix_, in_, &zero, out_, type,
                                          algorithm, &bytes));
      DeviceArray<char> const buffer(bytes);
      checkSparse(cusparseSpMV_preprocess(handle_, n, &one, matrix_, in_, &zero, out_, type,
                                          algorithm, buffer.data()));
      least = std::min(least, time([&] {
                         cusparseSpMV(handle_, n, &one, matrix_, in_, &zero, out_, type, algorithm,
                                      buffer.data());
                       }));
    }
    return least;
  }
  template <class Time>
  double multiplyMany(Time const& time) {
    double least = std::numeric_limits<double>::infinity();
    for (auto const algorithm : {CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3}) {
      std::size_t bytes = 0;
      if (cusparseSpMM_bufferSize(handle_, n, n, &one, matrix_, manyIn_, &zero, manyOut_, type,
                                  algorithm, &bytes) != CUSPARSE_STATUS_SUCCESS)
        continue;  // not every algorithm takes every layout
      DeviceArray<char> const buffer(bytes);
      cusparseSpMM_preprocess(handle_, n, n, &one, matrix_, manyIn_, &zero, manyOut_, type,
                              algorithm, buffer.data());
      least = std::min(least, time([&] {
                         cusparseSpMM(handle_, n, n, &one, matrix_, manyIn_, &zero, manyOut_, type,
                                      algorithm, buffer.data());
                       }));
    }
    return least;
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<Real, double> ? CUDA_R_64F : CUDA_R_32F;
  static constexpr auto n = CUSPARSE_OPERATION_NON_TRANSPOSE;
  Real const one = 1, zero = 0;
  cusparseHandle_t handle_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t in_ = nullptr, out_ = nullptr;
  cusparseDnMatDescr_t manyIn_ = nullptr, manyOut_ = nullptr;
};

template <class Real>
class Products : public DeviceProducts {
 public:
  Products(Csr const& m, std::vector<double> const& x)
      : rows_(m.rows),
        columns_(m.columns),
        start_(m.start),
        column_(m.column),
        value_(std::vector<Real>(m.value.begin(), m.value.end())),
        x_(std::vector<Real>(x.begin(), x.end())),
        y_(std::size_t(m.rows) * manyColumns) {
    y_.fillBytes(0xff);
  }

  double multiply(ProductShape const& s, int repeats, int inner) override {
    many_ = false;
    return time(repeats, inner, [&] {
      if (s.perRow > 32) {
        launch(stream_, unsigned(rows_), unsigned(s.perRow), &multiplyLongCsr<Real>, view(),
               x_.data(), y_.data());
        return;
      }
      auto const queue = [&](auto kernel) {
        launch(stream_, blocksFor(std::size_t(rows_) * s.perRow, unsigned(s.block * s.rows)),
               unsigned(s.block), kernel, view(), s.rows, x_.data(), y_.data());
      };
      switch (s.perRow) {
        case 1:
          return queue(&multiplyCsr<1, Real>);
        case 2:
          return queue(&multiplyCsr<2, Real>);
        case 4:
          return queue(&multiplyCsr<4, Real>);
        case 8:
          return queue(&multiplyCsr<8, Real>);
        case 16:
          return queue(&multiplyCsr<16, Real>);
        default:
          return queue(&multiplyCsr<32, Real>);
      }
    });
  }
  double multiplyMany(int repeats, int inner) override {
    many_ = true;
    constexpr unsigned rowsOfBlock = 8;
    return time(repeats, inner, [&] {
      launch(stream_, blocksFor(rows_, rowsOfBlock), dim3(manyColumns, rowsOfBlock),
             &multiplyManyCsr<Real>, view(), x_.data(), y_.data());
    });
  }
  double library(int repeats, int inner) override {
    many_ = false;
    return ofLibrary().multiply([&](auto const& work) { return time(repeats, inner, work); });
  }
  double libraryMany(int repeats, int inner) override {
    many_ = true;
    return ofLibrary().multiplyMany([&](auto const& work) { return time(repeats, inner, work); });
  }
  std::vector<double> result() override {
    std::vector<Real> const all = y_.download();
    y_.fillBytes(0xff);
    return {all.begin(), all.begin() + std::ptrdiff_t(rows_) * (many_ ? manyColumns : 1)};
  }

 private:
  View<Real> view() const { return {rows_, start_.data(), column_.data(), value_.data()}; }
  Library<Real>& ofLibrary() {
    if (!library_)
      library_ =
          std::make_unique<Library<Real>>(view(), columns_, int(column_.size()), x_, y_, stream_);
    return *library_;
  }
  template <class Work>
  double time(int repeats, int inner, Work const& work) const {
    return medianSeconds(stream_, repeats,
                         [&] {
                           for (int k = 0; k < inner; ++k) work();
                         }) /
           inner;
  }

  int rows_, columns_;
  bool many_ = false;
  DeviceArray<int> start_, column_;
  DeviceArray<Real> value_, x_, y_;
  examples::device::Stream stream_;
  std::unique_ptr<Library<Real>> library_;
};

}  // namespace

std::unique_ptr<DeviceProducts> makeProducts(Csr const& matrix, std::vector<double> const& x,
                                             bool isDouble) {
  if (isDouble) return std::make_unique<Products<double>>(matrix, x);
  return std::make_unique<Products<float>>(matrix, x);
}

}  // namespace osi_cuda::response::device
