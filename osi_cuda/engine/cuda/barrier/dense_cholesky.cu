// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/barrier/dense_cholesky.hpp"

#include <algorithm>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/cuda/launch.cuh"

namespace osi_cuda::cuda {
namespace {

constexpr int warpsPerBlock = 4;

/// The inverses of the diagonal blocks of order 32 of a lower triangular matrix (order x order), a
/// warp each; lane j keeps column j of the inverse. Upper triangles of these blocks become zero.
/// `to` has `blockColumns` columns, as far apart as those of the matrix.
__global__ void invertSmallBlocks(int order, int stride, double const* matrix, int blockColumns,
                                  double* to) {
  constexpr int side = 32;
  __shared__ double entries[warpsPerBlock][side][side + 1];
  int const lane = static_cast<int>(threadIdx.x) % side;
  int const warp = static_cast<int>(threadIdx.x) / side;
  int const first = (static_cast<int>(blockIdx.x) * warpsPerBlock + warp) * side;
  if (first >= order) return;
  int const count = min(side, order - first);
  double(*const l)[side + 1] = entries[warp];
  for (int j = 0; j < side; ++j) {
    bool const inside = lane < count && j < count && lane >= j;
    l[lane][j] = inside ? matrix[static_cast<std::int64_t>(first + j) * stride + first + lane]
                        : (lane == j ? 1.0 : 0.0);
  }
  __syncwarp();
  double x[side];
#pragma unroll
  for (int i = 0; i < side; ++i) x[i] = i == lane ? 1.0 : 0.0;
#pragma unroll
  for (int k = 0; k < side; ++k) {
    x[k] /= l[k][k];
#pragma unroll
    for (int i = k + 1; i < side; ++i) x[i] -= l[i][k] * x[k];
  }
  __syncwarp();
  if (lane >= count) return;
  double* const target = to + static_cast<std::int64_t>((first + lane) % blockColumns) * stride;
#pragma unroll
  for (int i = 0; i < side; ++i)
    if (i < count) target[first + i] = x[i];
}

}  // namespace

void DenseCholesky::prepare(int order, cudaStream_t stream, cublasHandle_t blas,
                            cusolverDnHandle_t solver) {
  order_ = order;
  stride_ = normalStride(order);
  inverseOrder_ = inverseOrder(order);
  stream_ = stream;
  blas_ = blas;
  solver_ = solver;
  int length = 0;
  check(cusolverDnDpotrf_bufferSize(solver_, CUBLAS_FILL_MODE_LOWER, order_, nullptr,
                                    std::max(1, stride_), &length));
  work_.reserve(at(std::max(1, length)));
  std::size_t const inverses = at(stride_) * at(inverseOrder_);
  zeros(stream_, inverse_, inverses);
  product_.reserve(inverses / 2 + 1);
  half_.reserve(at(order));
  levels_.clear();
  int places = 0;
  for (int size = base; size < inverseOrder_; size *= 2) {
    Level level;
    level.size = size;
    level.first = places;
    level.pairs = (order + size - 1) / (2 * size);  // those whose second block has a column
    places += 5 * level.pairs;
    levels_.push_back(level);
  }
  places_.reserve(at(std::max(1, places)));
  placedFor_ = nullptr;
}

double* DenseCholesky::inverseAt(int row, int column) const {
  return inverse_.data() + at(column % inverseOrder_) * at(stride_) + at(row);
}

// Five lists of pointers a level: B, A^-1 and their product; C^-1, and where the result belongs.
// Blocks reach beyond the matrix at its end, where all is zero.
void DenseCholesky::placePairs(double const* matrix) {
  if (placedFor_ == matrix) return;
  std::vector<double*> places;
  for (Level const& level : levels_) {
    int const size = level.size;
    auto const list = [&](auto const& place) {
      for (int p = 0; p < level.pairs; ++p) places.push_back(place(p, 2 * size * p));
    };
    list([&](int, int b) {
      return const_cast<double*>(matrix) + at(b) * at(stride_) + at(b + size);
    });
    list([&](int, int b) { return inverseAt(b, b); });
    list([&](int p, int) { return product_.data() + at(p) * at(size) * at(size); });
    list([&](int, int b) { return inverseAt(b + size, b + size); });
    list([&](int, int b) { return inverseAt(b + size, b); });
  }
  upload(stream_, places_.data(), places.data(), places.size());  // waits: the list may go
  placedFor_ = matrix;
}

void DenseCholesky::factor(double* matrix, int* info) {
  if (order_ == 0) return;
  check(cusolverDnDpotrf(solver_, CUBLAS_FILL_MODE_LOWER, order_, matrix, stride_, work_.data(),
                         static_cast<int>(work_.size()), info));
  invertDiagonal(matrix);
}

void DenseCholesky::invertDiagonal(double const* matrix) {
  placePairs(matrix);
  int const blocks = (order_ + base - 1) / base;
  launch({stream_, static_cast<unsigned>((blocks + warpsPerBlock - 1) / warpsPerBlock),
          warpsPerBlock * base},
         &invertSmallBlocks, order_, stride_, matrix, inverseOrder_, inverse_.data());
  double const one = 1.0, minus = -1.0, zero = 0.0;
  for (Level const& level : levels_) {
    if (level.pairs == 0) continue;
    int const size = level.size;
    double** const lists = places_.data() + level.first;
    auto const list = [&](int i) { return lists + at(i) * at(level.pairs); };
    check(cublasDgemmBatched(blas_, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, list(0),
                             stride_, list(1), stride_, &zero, list(2), size, level.pairs));
    check(cublasDgemmBatched(blas_, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &minus, list(3),
                             stride_, list(2), size, &zero, list(4), stride_, level.pairs));
  }
}

void DenseCholesky::solve(double const* matrix, double* x) {
  double const one = 1.0, minus = -1.0, zero = 0.0;
  int const block = inverseOrder_;
  double* const y = half_.data();
  auto const byInverse = [&](int first, int count, cublasOperation_t operation, double const* from,
                             double* to) {
    check(cublasDgemv(blas_, operation, count, count, &one, inverseAt(first, first), stride_,
                      from + first, 1, &zero, to + first, 1));
  };
  for (int first = 0; first < order_; first += block) {  // y = L^-1 x
    int const count = std::min(block, order_ - first), below = first + count, rest = order_ - below;
    byInverse(first, count, CUBLAS_OP_N, x, y);
    if (rest > 0)
      check(cublasDgemv(blas_, CUBLAS_OP_N, rest, count, &minus,
                        matrix + at(first) * at(stride_) + at(below), stride_, y + first, 1, &one,
                        x + below, 1));
  }
  int const blocks = (order_ + block - 1) / block;
  for (int first = (blocks - 1) * block; first >= 0; first -= block) {  // x = L^-T y
    int const count = std::min(block, order_ - first), below = first + count, rest = order_ - below;
    if (rest > 0)
      check(cublasDgemv(blas_, CUBLAS_OP_T, rest, count, &minus,
                        matrix + at(first) * at(stride_) + at(below), stride_, x + below, 1, &one,
                        y + first, 1));
    byInverse(first, count, CUBLAS_OP_T, y, x);
  }
}

}  // namespace osi_cuda::cuda
