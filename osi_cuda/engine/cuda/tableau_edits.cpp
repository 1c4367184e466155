// SPDX-License-Identifier: EPL-2.0
// What changes the device's tableau beside pivots: exchanges, rows and columns that come and go.
#include <algorithm>
#include <utility>

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/edits.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"

namespace osi_cuda::cuda {
namespace {

constexpr double added = 1.0, subtracted = -1.0;

/// New lines that are formed at a time: their entries are held dense.
constexpr int linesAtOnce = 256;

/// So many entries of candidate rows are eliminated at a time: one block reads them at each step.
constexpr int entriesAtOnce = 100000, fewestTogether = 8;

}  // namespace

void DeviceTableau::exchange(std::vector<int> const& columns, std::vector<int> const& rows,
                             double smallestEntry) {
  cudaStream_t const stream = queue_.stream();
  auto const candidates = static_cast<int>(rows.size()), all = static_cast<int>(columns.size());
  int const together =
      std::min(std::clamp(entriesAtOnce / std::max(1, candidates), fewestTogether, mostTogether),
               t_.capacity);
  auto const lists = joined<int>({columns, rows, std::vector<int>{0}});
  moves_.reserve(lists.size() + at(together));
  queue_.uploader().upload(stream, moves_.data(), lists.data(), lists.size());
  lines_.reserve(at(together) * at(1 + candidates));
  BlockExchange x;
  x.candidates = candidates;
  x.row = moves_.data() + all;
  x.failed = x.row + candidates;
  x.pivot = x.failed + 1;
  x.largest = lines_.data();
  x.work = x.largest + together;
  x.smallestEntry = smallestEntry;
  for (int done = 0; done < all; done += x.count) {
    x.count = std::min(together, all - done);
    x.column = moves_.data() + done;
    if (used_ + x.count > t_.capacity) fold();
    x.used = used_;
    clear(stream, lines_, at(together));
    exchangeTogether(stream, t_, x);
    used_ += x.count;
  }
}

void DeviceTableau::reshape(LineMoves const& moves, double* costs) {
  cudaStream_t const stream = queue_.stream();
  auto const rows = static_cast<int>(moves.row.size());
  auto const columns = static_cast<int>(moves.column.size());
  auto const all = joined<int>({moves.row, moves.column, moves.number, moves.before});
  std::size_t const kept = moves.row.size() + moves.column.size();
  moves_.reserve(all.size() + kept);
  int* const rowFrom = moves_.data();
  int* const columnFrom = rowFrom + rows;
  int* const variable = rowFrom + all.size();
  numbersMoved_ = rowFrom + kept;
  queue_.uploader().upload(stream, rowFrom, all.data(), all.size());
  lines_.reserve(kept);
  takeMoved(stream, t_, rows, columns, rowFrom, columnFrom, numbersMoved_, lines_.data(), variable);
  fold();
  renew();
  if (columns == t_.n && columns == moves.columns)
    moveRows(moves, rowFrom);
  else
    repack(moves, rowFrom, columnFrom);
  t_.m = moves.rows;
  t_.n = moves.columns;
  allocateState(costs);
  putMoved(stream, t_, rows, columns, lines_.data(), variable);
}

// Holes are filled with the last rows, and new rows follow: D stays where it is, as long as there
// is room; where there is none it moves to where there is some to spare.
void DeviceTableau::moveRows(LineMoves const& moves, int const* from) {
  cudaStream_t const stream = queue_.stream();
  std::size_t const n = at(t_.n), rows = at(moves.rows);
  if (rows * n > base_.size()) {
    DeviceArray<double> larger((rows + std::max<std::size_t>(64, rows / 8)) * n);
    if (t_.m > 0)
      check(cudaMemcpyAsync(larger.data(), base_.data(), at(t_.m) * n * sizeof(double),
                            cudaMemcpyDeviceToDevice, stream));
    base_ = std::move(larger);
    t_.base = base_.data();
  }
  cuda::moveRows(stream, static_cast<int>(moves.row.size()), t_.n, from, t_.base);
}

void DeviceTableau::repack(LineMoves const& moves, int const* rowFrom, int const* columnFrom) {
  DeviceArray<double> other(std::max(base_.size(), at(moves.rows) * at(moves.columns)));
  cuda::repack(queue_.stream(), t_, static_cast<int>(moves.row.size()),
               static_cast<int>(moves.column.size()), rowFrom, columnFrom, other.data(),
               moves.columns);
  base_ = std::move(other);
}

// `lines` lines of A from `begin` on, dense, of `length` entries each; as much behind them as each
// has for `positions`.
double* DeviceTableau::denseLines(LinesView const& a, int begin, int lines, int length,
                                  int positions) {
  std::size_t const dense = at(lines) * at(length);
  lines_.reserve(dense + at(lines) * at(positions));
  clear(queue_.stream(), lines_, dense);
  placeRows(queue_.stream(), a.part(begin, lines), nullptr, nullptr, lines_.data(), length);
  return lines_.data() + dense;
}

// B^-1 a: T's columns of nonbasic slacks are columns of B^-1, the others are unit columns.
void DeviceTableau::formColumns(DeviceMatrix const& matrix, int first, int rows) {
  cudaStream_t const stream = queue_.stream();
  for (int begin = first; begin < t_.n; begin += linesAtOnce) {
    int const lines = std::min(linesAtOnce, t_.n - begin);
    double* const slacks = denseLines(matrix.columns(), begin, lines, t_.m, first);
    double* const target = t_.base + begin;
    placeLines(stream, lines, lines_.data(), t_.m, t_.n,
               {slacks, 1, lines, first, t_.columns.variable});
    placeLines(stream, lines, lines_.data(), t_.m, t_.n, {target, 1, t_.n, rows, t_.rows.variable});
    if (first > 0 && rows > 0)
      check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, lines, rows, first, &added, slacks,
                        lines, t_.base, t_.n, &added, target, t_.n));
  }
}

void DeviceTableau::formRows(DeviceMatrix const& matrix, int first) {
  cudaStream_t const stream = queue_.stream();
  for (int begin = first; begin < t_.m && t_.n > 0; begin += linesAtOnce) {
    int const lines = std::min(linesAtOnce, t_.m - begin);
    double* const basic = denseLines(matrix.rows(), begin, lines, t_.n, first);
    double* const target = t_.base + at(begin) * at(t_.n);
    placeLines(stream, lines, lines_.data(), t_.n, 0, {basic, first, 1, first, t_.rows.variable});
    placeLines(stream, lines, lines_.data(), t_.n, 0, {target, t_.n, 1, t_.n, t_.columns.variable});
    if (first > 0 && isQuick(lines, first, t_.n))
      subtractCombinations(stream, lines, first, t_.n, basic, t_.base, target);
    else if (first > 0)
      check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, t_.n, lines, first, &subtracted,
                        t_.base, t_.n, basic, first, &added, target, t_.n));
  }
}

}  // namespace osi_cuda::cuda
