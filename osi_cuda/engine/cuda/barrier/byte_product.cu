// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/barrier/byte_product.hpp"

#include <algorithm>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/cuda/barrier/entries.cuh"

namespace osi_cuda::cuda {
namespace {

constexpr int splitThreads = 256;
/// Columns that one thread looks through for the largest entry of its row.
constexpr int stripLength = 128;
constexpr int tile = 32;  ///< side of the squares in which rows become lines
/// The largest whole number: 127 x 256, so that both bytes have a sign.
constexpr double largestNumber = 32512.0;

int roundedUp(int count, int step) {
  return (count + step - 1) / step * step;
}

int stripsOf(int n) {
  return (n + stripLength - 1) / stripLength;
}

__device__ void splitNumber(double x, signed char& high, signed char& low) {
  int const q = __double2int_rn(x);
  int const h = (q + 128) >> 8;
  high = static_cast<signed char>(h);
  low = static_cast<signed char>(q - 256 * h);
}

/// Columns of the matrix times factors of its rows, a block of threads each.
__global__ void splitColumns(int m, int lead, int stride, double const* matrix, double const* root,
                             double* factor, signed char* high, signed char* low) {
  __shared__ double shared[splitThreads];
  int const j = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  double const* const from = matrix + static_cast<std::int64_t>(j) * lead;
  double mine = 0.0;
  for (int i = thread; i < m; i += splitThreads) mine = fmax(mine, fabs(from[i]) * root[i]);
  shared[thread] = mine;
  for (int half = splitThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) shared[thread] = fmax(shared[thread], shared[thread + half]);
  }
  __syncthreads();
  double const largest = shared[0], times = largest > 0.0 ? largestNumber / largest : 0.0;
  if (thread == 0) factor[j] = largest / largestNumber;
  std::int64_t const to = static_cast<std::int64_t>(j) * stride;
  for (int i = thread; i < stride; i += splitThreads)
    splitNumber(i < m ? from[i] * root[i] * times : 0.0, high[to + i], low[to + i]);
}

/// part[strip m + i] = the largest entry of row i within a strip of columns, times their
/// factors.
__global__ void largestOfRows(int m, int n, int lead, double const* matrix, double const* root,
                              double* part) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= m) return;
  int const strip = static_cast<int>(blockIdx.y), first = strip * stripLength,
            last = min(first + stripLength, n);
  double largest = 0.0;
  for (int j = first; j < last; ++j)
    largest = fmax(largest, fabs(matrix[static_cast<std::int64_t>(j) * lead + i]) * root[j]);
  part[static_cast<std::int64_t>(strip) * m + i] = largest;
}

void joinStrips(cudaStream_t stream, int m, int strips, double const* part, double* factor) {
  forEach(stream, m, [=] __device__(int i) {
    double all = 0.0;
    for (int s = 0; s < strips; ++s) all = fmax(all, part[static_cast<std::int64_t>(s) * m + i]);
    factor[i] = all / largestNumber;
  });
}

/// Rows of the matrix times factors of its columns, by squares of 32 x 32 that go
/// through shared memory: rows lie across columns.
__global__ void splitRows(int m, int n, int lead, int stride, double const* matrix,
                          double const* root, double const* factor, signed char* high,
                          signed char* low) {
  __shared__ double square[tile][tile + 1];
  int const lane = static_cast<int>(threadIdx.x), firstRow = static_cast<int>(blockIdx.x) * tile,
            firstColumn = static_cast<int>(blockIdx.y) * tile;
  for (int k = static_cast<int>(threadIdx.y); k < tile; k += static_cast<int>(blockDim.y)) {
    int const i = firstRow + lane, j = firstColumn + k;
    bool const inside = i < m && j < n;
    square[k][lane] = inside ? matrix[static_cast<std::int64_t>(j) * lead + i] * root[j] : 0.0;
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.y); k < tile; k += static_cast<int>(blockDim.y)) {
    int const i = firstRow + k, j = firstColumn + lane;
    if (i >= m || j >= stride) continue;
    double const times = factor[i] > 0.0 ? 1.0 / factor[i] : 0.0;
    std::int64_t const to = static_cast<std::int64_t>(i) * stride + j;
    splitNumber(square[lane][k] * times, high[to], low[to]);
  }
}

/// Columns `first` and on of the lower triangle (+)= their three sums, each `rows` by `count`.
void placeSums(cudaStream_t stream, int order, int first, int count, int rows,
               std::int64_t distance, int const* sums, double const* factor, bool add,
               double* normal, int stride) {
  forEntries(stream, order - first, count, [=] __device__(int i, int k) {
    if (i < k) return;
    int const* const from = sums + static_cast<std::int64_t>(k) * rows + i;
    double const sum = 65536.0 * from[0] + 256.0 * from[distance] + from[2 * distance];
    double* const to = normal + static_cast<std::int64_t>(first + k) * stride + first + i;
    *to = sum * factor[first + k] * factor[first + i] + (add ? *to : 0.0);
  });
}

}  // namespace

ByteProduct::Sizes ByteProduct::sizesOf(int m, int n, bool byColumns) {
  constexpr int step = 16, unit = 128, smallest = 512, largest = 4096, blocks = 4;
  Sizes s{};
  s.lines = byColumns ? n : m;
  s.length = byColumns ? m : n;
  s.paddedLines = roundedUp(s.lines, step);
  s.paddedLength = roundedUp(s.length, step);
  s.block = std::clamp(roundedUp(s.lines / blocks, unit), smallest, largest);
  // Sums take 12 bytes, and 6 of the 8 bytes of a number are free.
  s.block = std::min(s.block, std::max(unit, s.length / 3 / unit * unit));
  return s;
}

std::uint64_t ByteProduct::bytes(int m, int n, bool byColumns) {
  Sizes const s = sizesOf(m, n, byColumns);
  auto const lines = static_cast<std::uint64_t>(s.paddedLines);
  auto const strips = static_cast<std::uint64_t>(byColumns ? 0 : stripsOf(n));
  return 2 * lines * static_cast<std::uint64_t>(s.paddedLength) +
         3 * sizeof(int) * lines * static_cast<std::uint64_t>(s.block) +
         (strips + 1) * lines * sizeof(double);
}

void ByteProduct::prepare(int m, int n, int lead, bool byColumns, void* memory, cudaStream_t stream,
                          cublasHandle_t blas) {
  m_ = m;
  n_ = n;
  lead_ = lead;
  byColumns_ = byColumns;
  sizes_ = sizesOf(m, n, byColumns);
  stream_ = stream;
  blas_ = blas;
  std::size_t const all = at(sizes_.paddedLines) * at(sizes_.paddedLength);
  high_ = static_cast<signed char*>(memory);
  low_ = high_ + all;
  sums_ = reinterpret_cast<int*>(low_ + all);
  factor_ = reinterpret_cast<double*>(sums_ + 3 * at(sizes_.paddedLines) * at(sizes_.block));
}

void ByteProduct::split(double const* matrix, double const* root) {
  int const m = m_, n = n_, stride = sizes_.paddedLength;
  if (byColumns_) {
    launch({stream_, static_cast<unsigned>(n), splitThreads}, &splitColumns, m, lead_, stride,
           matrix, root, factor_, high_, low_);
    return;
  }
  double* const part = factor_ + m;
  dim3 const strips(static_cast<unsigned>((m + blockThreads - 1) / blockThreads),
                    static_cast<unsigned>(stripsOf(n)));
  launch({stream_, strips, blockThreads}, &largestOfRows, m, n, lead_, matrix, root, part);
  joinStrips(stream_, m, stripsOf(n), part, factor_);
  constexpr unsigned rowsOfThreads = 8;
  dim3 const squares(static_cast<unsigned>((m + tile - 1) / tile),
                     static_cast<unsigned>((stride + tile - 1) / tile));
  double const* const factor = factor_;
  launch({stream_, squares, dim3(tile, rowsOfThreads)}, &splitRows, m, n, lead_, stride, matrix,
         root, factor, high_, low_);
}

// sums (+)= (lines `first` and on of a) times (`count` lines of b from `first`) transposed, of each
// line the piece from `begin` on
void ByteProduct::multiply(int first, int count, int begin, signed char const* a,
                           signed char const* b, bool add, int* sums) {
  int const rows = sizes_.paddedLines - first, length = sizes_.paddedLength;
  std::size_t const skipped = at(first) * at(length) + at(begin);
  int const one = 1, before = add ? 1 : 0;
  check(cublasGemmEx(blas_, CUBLAS_OP_T, CUBLAS_OP_N, rows, count,
                     std::min(longest, length - begin), &one, a + skipped, CUDA_R_8I, length,
                     b + skipped, CUDA_R_8I, length, &before, sums, CUDA_R_32I, rows,
                     CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
}

void ByteProduct::form(double const* matrix, double const* root, double* normal, int stride) {
  split(matrix, root);
  std::size_t const filled = at(sizes_.lines) * at(sizes_.paddedLength),
                    rest = at(sizes_.paddedLines) * at(sizes_.paddedLength) - filled;
  for (signed char* const part : {high_, low_})  // lines that only fill up
    if (rest > 0) check(cudaMemsetAsync(part + filled, 0, rest, stream_));
  for (int first = 0; first < sizes_.paddedLines; first += sizes_.block) {
    int const count = std::min(sizes_.block, sizes_.paddedLines - first),
              rows = sizes_.paddedLines - first;
    std::size_t const distance = at(rows) * at(count);
    for (int begin = 0; begin < sizes_.paddedLength; begin += longest) {
      multiply(first, count, begin, high_, high_, false, sums_);
      multiply(first, count, begin, high_, low_, false, sums_ + distance);
      multiply(first, count, begin, low_, high_, true, sums_ + distance);
      multiply(first, count, begin, low_, low_, false, sums_ + 2 * distance);
      placeSums(stream_, sizes_.lines, first, std::min(count, sizes_.lines - first), rows,
                static_cast<std::int64_t>(distance), sums_, factor_, begin > 0, normal, stride);
    }
  }
}

}  // namespace osi_cuda::cuda
