// SPDX-License-Identifier: EPL-2.0
// Sparse products: CSR with three parameters against cuSPARSE.
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <type_traits>

#include "examples/common/device_array.cuh"
#include "studies/response/device/cusparse.cuh"
#include "studies/response/device/entries.hpp"
#include "studies/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;

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
  for (int k = 0; k < rows; ++k) {
    // Groups of a block take neighbouring rows at a time.
    int const groups = int(blockDim.x) / T;
    int const i = (group / groups * rows + k) * groups + group % groups;
    Real sum = 0;
    if (i < a.rows)
      for (int at = a.start[i] + lane; at < a.start[i + 1]; at += T)
        sum += a.value[at] * x[a.column[at]];
    for (int d = T / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d, T);
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
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = lane < int(blockDim.x) / 32 ? part[lane] : Real(0);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[i] = sum;
}

/// Y = A X: neighbouring threads own neighbouring columns of a row.
template <class Real>
__global__ void multiplyManyCsr(View<Real> a, Real const* x, int width, Real* y) {
  int const c = int(threadIdx.x);
  for (int i = int(blockIdx.x * blockDim.y + threadIdx.y); i < a.rows;
       i += int(gridDim.x * blockDim.y)) {
    Real sum = 0;
    for (int at = a.start[i]; at < a.start[i + 1]; ++at)
      sum += a.value[at] * x[std::size_t(a.column[at]) * width + c];
    y[std::size_t(i) * width + c] = sum;
  }
}

template <class Real>
void queueProduct(View<Real> const& a, ProductShape const& s, Real const* x, Real* y) {
  if (s.perRow > 32) {
    multiplyLongCsr<Real><<<unsigned(a.rows), unsigned(s.perRow)>>>(a, x, y);
    return;
  }
  unsigned const blocks = blocksFor(std::size_t(a.rows) * s.perRow, unsigned(s.block * s.rows));
  auto const queue = [&](auto kernel) { kernel<<<blocks, unsigned(s.block)>>>(a, s.rows, x, y); };
  switch (s.perRow) {
    case 1:
      return queue(multiplyCsr<1, Real>);
    case 2:
      return queue(multiplyCsr<2, Real>);
    case 4:
      return queue(multiplyCsr<4, Real>);
    case 8:
      return queue(multiplyCsr<8, Real>);
    case 16:
      return queue(multiplyCsr<16, Real>);
    default:
      return queue(multiplyCsr<32, Real>);
  }
}

constexpr int mostPerRow = 512;  // above 32 a row has a block of its own

/// About two entries a thread, in blocks of 128, a row at a time.
ProductShape fixedRule(double meanLength) {
  ProductShape shape;
  while (shape.perRow < mostPerRow && shape.perRow * 2 < meanLength) shape.perRow *= 2;
  return shape;
}

/// The neighbour with one parameter doubled (direction 1) or halved (-1), if there is one.
bool moved(ProductShape& s, int parameter, int direction) {
  int* const value = parameter == 0 ? &s.perRow : parameter == 1 ? &s.block : &s.rows;
  int const low[] = {1, 64, 1}, high[] = {mostPerRow, 512, 8};
  if (parameter > 0 && s.perRow > 32) return false;  // the row's block is all there is
  int const next = direction > 0 ? *value * 2 : *value / 2;
  if (next < low[parameter] || next > high[parameter]) return false;
  *value = next;
  return true;
}

/// Searches along one parameter after the other, as long as it helps, while a solver's products go
/// on: each shape gets four products, of which three are timed. Returns the number of products.
template <class Measure>
int tune(ProductShape& best, Measure const& measure) {
  constexpr int products = 4;
  int trials = products;
  double least = measure(best);
  for (int parameter = 0; parameter < 3; ++parameter)
    for (int const direction : {1, -1}) {
      for (ProductShape next = best; moved(next, parameter, direction);) {
        double const seconds = measure(next);
        trials += products;
        if (seconds >= least) break;
        least = seconds;
        best = next;
      }
    }
  return trials;
}

/// Handle and descriptors, destroyed together.
template <class Real>
class Library {
 public:
  Library(View<Real> const& a, int columns, int nonzeros) {
    checkSparse(cusparseCreate(&handle_));
    checkSparse(cusparseCreateCsr(&matrix_, a.rows, columns, nonzeros, const_cast<int*>(a.start),
                                  const_cast<int*>(a.column), const_cast<Real*>(a.value),
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                  type));
  }
  ~Library() {
    cusparseDestroySpMat(matrix_);
    cusparseDestroy(handle_);
  }
  Library(Library const&) = delete;
  Library& operator=(Library const&) = delete;

  /// The least over the algorithms; y holds the last one's product.
  template <class Time>
  double multiply(DeviceArray<Real> const& x, DeviceArray<Real> const& y, Time const& time) {
    cusparseDnVecDescr_t in = nullptr, out = nullptr;
    checkSparse(cusparseCreateDnVec(&in, std::int64_t(x.size()), x.data(), type));
    checkSparse(cusparseCreateDnVec(&out, std::int64_t(y.size()), y.data(), type));
    double least = std::numeric_limits<double>::infinity();
    for (auto const algorithm : {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2}) {
      std::size_t bytes = 0;
      checkSparse(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                          in, &zero, out, type, algorithm, &bytes));
      DeviceArray<char> const buffer(bytes);
      checkSparse(cusparseSpMV_preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_,
                                          in, &zero, out, type, algorithm, buffer.data()));
      least = std::min(least, time([&] {
                         cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix_, in,
                                      &zero, out, type, algorithm, buffer.data());
                       }));
    }
    cusparseDestroyDnVec(in);
    cusparseDestroyDnVec(out);
    return least;
  }

  template <class Time>
  double multiplyMany(int rows, int columns, int width, DeviceArray<Real> const& x,
                      DeviceArray<Real> const& y, Time const& time) {
    cusparseDnMatDescr_t in = nullptr, out = nullptr;
    checkSparse(
        cusparseCreateDnMat(&in, columns, width, width, x.data(), type, CUSPARSE_ORDER_ROW));
    checkSparse(cusparseCreateDnMat(&out, rows, width, width, y.data(), type, CUSPARSE_ORDER_ROW));
    double least = std::numeric_limits<double>::infinity();
    auto const n = CUSPARSE_OPERATION_NON_TRANSPOSE;
    for (auto const algorithm : {CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3}) {
      std::size_t bytes = 0;
      if (cusparseSpMM_bufferSize(handle_, n, n, &one, matrix_, in, &zero, out, type, algorithm,
                                  &bytes) != CUSPARSE_STATUS_SUCCESS)
        continue;  // not every algorithm takes every layout
      DeviceArray<char> const buffer(bytes);
      cusparseSpMM_preprocess(handle_, n, n, &one, matrix_, in, &zero, out, type, algorithm,
                              buffer.data());
      least = std::min(least, time([&] {
                         cusparseSpMM(handle_, n, n, &one, matrix_, in, &zero, out, type, algorithm,
                                      buffer.data());
                       }));
    }
    cusparseDestroyDnMat(in);
    cusparseDestroyDnMat(out);
    return least;
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<Real, double> ? CUDA_R_64F : CUDA_R_32F;
  Real const one = 1, zero = 0;
  cusparseHandle_t handle_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
};

template <class Real>
double largestError(std::vector<Real> const& y, std::vector<double> const& right) {
  double size = 1e-300, error = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    size = std::max(size, std::abs(right[k]));
    double const difference = std::abs(double(y[k]) - right[k]);
    error = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                   : std::max(error, difference);
  }
  return error / size;
}

/// Numbers between -1 and 1 that any platform makes alike.
template <class Real>
std::vector<Real> someNumbers(std::size_t count) {
  std::vector<Real> values(count);
  unsigned state = 12345;
  for (Real& value : values) {
    state = state * 1664525u + 1013904223u;
    value = Real(double(state >> 8) / double(1 << 23) - 1.0);
  }
  return values;
}

template <class Real>
std::vector<double> hostProduct(Csr const& a, std::vector<Real> const& x, int width) {
  std::vector<double> y(std::size_t(a.rows) * width, 0.0);
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      for (int c = 0; c < width; ++c)
        y[std::size_t(i) * width + c] +=
            a.value[k] * double(x[std::size_t(a.column[k]) * width + c]);
  return y;
}

template <class Real>
struct Uploaded {
  explicit Uploaded(Csr const& m)
      : start(m.start),
        column(m.column),
        value(std::vector<Real>(m.value.begin(), m.value.end())) {}
  View<Real> view() const {
    return {int(start.size()) - 1, start.data(), column.data(), value.data()};
  }
  DeviceArray<int> start, column;
  DeviceArray<Real> value;
};

template <class Real>
ProductTimes timeProducts(Csr const& m, int repeats) {
  Uploaded<Real> const a(m);
  std::vector<Real> const numbers = someNumbers<Real>(m.columns);
  std::vector<double> const right = hostProduct(m, numbers, 1);
  DeviceArray<Real> const x(numbers), y{std::size_t(m.rows)};
  ProductTimes times;
  auto const judge = [&] {
    times.error = std::max(times.error, largestError(y.download(), right));
    y.fillBytes(0xff);
  };
  auto const product = [&](ProductShape const& s) {
    return [&, s] { queueProduct<Real>(a.view(), s, x.data(), y.data()); };
  };
  constexpr int inner = 10;
  auto const time = [&](ProductShape const& s) {
    return medianSeconds(repeats, inner, product(s));
  };
  times.fixedShape = times.tunedShape = fixedRule(double(m.nonzeros()) / std::max(m.rows, 1));
  product(times.fixedShape)();  // the first launch loads the kernel
  check(cudaDeviceSynchronize());
  times.trials = tune(times.tunedShape,
                      [&](ProductShape const& s) { return medianSeconds(3, 1, product(s)); });
  std::map<std::tuple<int, int, int>, double> all;
  for (int perRow = 1; perRow <= mostPerRow; perRow *= 2)
    for (int block = 64; block <= 512; block *= 2)
      for (int rows = 1; rows <= 8; rows *= 2) {
        if (perRow > 32 && (block > 64 || rows > 1)) continue;
        all[{perRow, block, rows}] = time({perRow, block, rows});
        judge();
      }
  auto const of = [&](ProductShape const& s) {
    return s.perRow > 32 ? all.at({s.perRow, 64, 1}) : all.at({s.perRow, s.block, s.rows});
  };
  times.fixed = of(times.fixedShape);
  times.tuned = of(times.tunedShape);
  times.exhaustive = times.fixed;
  for (auto const& [shape, seconds] : all) times.exhaustive = std::min(times.exhaustive, seconds);
  Library<Real> library(a.view(), m.columns, m.nonzeros());
  times.library =
      library.multiply(x, y, [&](auto const& work) { return medianSeconds(repeats, inner, work); });
  judge();
  return times;
}

}  // namespace

ProductTimes timeProductsInDouble(Csr const& matrix, int repeats) {
  return timeProducts<double>(matrix, repeats);
}
ProductTimes timeProductsInSingle(Csr const& matrix, int repeats) {
  return timeProducts<float>(matrix, repeats);
}

ManyTimes timeManyProducts(Csr const& m, int width, int repeats) {
  Uploaded<double> const a(m);
  std::vector<double> const numbers = someNumbers<double>(std::size_t(m.columns) * width);
  std::vector<double> const right = hostProduct(m, numbers, width);
  DeviceArray<double> const x(numbers), y(right.size());
  ManyTimes times;
  constexpr int inner = 5, perBlock = 256;
  y.fillBytes(0xff);
  times.ours = medianSeconds(repeats, inner, [&] {
    dim3 const block(unsigned(width), unsigned(std::max(1, perBlock / width)));
    multiplyManyCsr<<<blocksFor(m.rows, block.y), block>>>(a.view(), x.data(), width, y.data());
  });
  times.error = largestError(y.download(), right);
  y.fillBytes(0xff);
  Library<double> library(a.view(), m.columns, m.nonzeros());
  times.library = library.multiplyMany(m.rows, m.columns, width, x, y, [&](auto const& work) {
    return medianSeconds(repeats, inner, work);
  });
  times.error = std::max(times.error, largestError(y.download(), right));
  return times;
}

}  // namespace osi_cuda::response::device
