// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <utility>

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/edits.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"
#include "osi_cuda/engine/cuda/views.hpp"

namespace osi_cuda::cuda {

/// What becomes of a tableau's lines when rows and columns come or go.
struct LineMoves {
  std::vector<int> row, column;  ///< of the lines that stay: by new position, the one before
  std::vector<int> number;       ///< by variable before: its number from now on, -1 if it is lost
  std::vector<int> before;       ///< by variable from now on: its number before, -1 if it is new
  int rows = 0, columns = 0;     ///< m and n from now on: new lines follow those that stay
};

/// The delayed tableau T = D - U'V in device memory, with the state by position and the working
/// costs: it owns what TableauView points to, and does what is done with all of T by cuBLAS.
class DeviceTableau {
 public:
  explicit DeviceTableau(DeviceQueue& queue) : queue_(queue) {}

  /// Takes over sizes; nothing is allocated yet.
  void resize(TableauView const& sizes) { t_ = sizes; }
  /// Memory for them, kept from problem to problem; `costs` is by variable.
  void allocate(double* costs) {
    base_.reserve(at(t_.m) * at(t_.n));
    poison(queue_.stream(), base_);
    allocateState(costs);
  }
  void giveBack() {
    for (auto* array : {&base_, &u_, &v_, &numbers_, &folded_, &lines_}) *array = {};
    for (auto* array : {&columnSketch_, &rowSketch_}) *array = {};
    for (auto* array : {&variables_, &moves_}) *array = {};
    shifts_ = {};
  }
  /// Entries that there is memory for.
  std::size_t room() const { return base_.size(); }

  TableauView const& view() const { return t_; }
  int m() const { return t_.m; }
  int n() const { return t_.n; }
  int used() const { return used_; }  ///< k
  void setUsed(int used) { used_ = used; }
  /// Counts up whenever D changes: what is made of it is then out of date.
  std::uint64_t age() const { return age_; }
  void renew() { ++age_; }

  /// T = A, as the matrix left it in D, with the slacks basic.
  void placeSlackBasis() {
    count(queue_.stream(), t_.m, t_.n, t_.rows.variable);
    count(queue_.stream(), t_.n, 0, t_.columns.variable);
    used_ = 0;
    renew();
  }
  /// D <- D - U'V, k <- 0
  void fold() {
    if (used_ == 0) return;
    renew();
    subtractFactors(t_.base);
    used_ = 0;
  }
  /// Brings the variables of `columns` into the basis in place of those of some `rows`, by pivots
  /// of at least `smallestEntry` beside their column; all but reduced costs and bounds by position
  /// follows. Where a column finds none, T is that of the basis reached until then.
  void exchange(std::vector<int> const& columns, std::vector<int> const& rows,
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
  /// Drops lines and makes room for new ones: rows in place, where columns come or go by a copy of
  /// D. The state by position keeps variables and values; new variables have the value 0. The new
  /// lines are to be formed next.
  void reshape(LineMoves const& moves, double* costs) {
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
    takeMoved(stream, t_, rows, columns, rowFrom, columnFrom, numbersMoved_, lines_.data(),
              variable);
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
  /// On the device, from reshape() on: LineMoves::number, and LineMoves::before behind it.
  int const* numbers() const { return numbersMoved_; }
  /// The new columns B^-1 a in the first `rows` rows, whose slacks B^-1 is given by; then the new
  /// rows a_N - a_B T. One product with D each; `matrix` is the new one.
  // B^-1 a: T's columns of nonbasic slacks are columns of B^-1, the others are unit columns.
  void formColumns(DeviceMatrix const& matrix, int first, int rows) {
    cudaStream_t const stream = queue_.stream();
    for (int begin = first; begin < t_.n; begin += linesAtOnce) {
      int const lines = std::min(linesAtOnce, t_.n - begin);
      double* const slacks = denseLines(matrix.columns(), begin, lines, t_.m, first);
      double* const target = t_.base + begin;
      placeLines(stream, lines, lines_.data(), t_.m, t_.n,
                 {slacks, 1, lines, first, t_.columns.variable});
      placeLines(stream, lines, lines_.data(), t_.m, t_.n,
                 {target, 1, t_.n, rows, t_.rows.variable});
      if (first > 0 && rows > 0)
        check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, lines, rows, first, &one, slacks,
                          lines, t_.base, t_.n, &one, target, t_.n));
    }
  }
  void formRows(DeviceMatrix const& matrix, int first) {
    cudaStream_t const stream = queue_.stream();
    for (int begin = first; begin < t_.m && t_.n > 0; begin += linesAtOnce) {
      int const lines = std::min(linesAtOnce, t_.m - begin);
      double* const basic = denseLines(matrix.rows(), begin, lines, t_.n, first);
      double* const target = t_.base + at(begin) * at(t_.n);
      placeLines(stream, lines, lines_.data(), t_.n, 0, {basic, first, 1, first, t_.rows.variable});
      placeLines(stream, lines, lines_.data(), t_.n, 0,
                 {target, t_.n, 1, t_.n, t_.columns.variable});
      if (first > 0 && isQuick(lines, first, t_.n))
        subtractCombinations(stream, lines, first, t_.n, basic, t_.base, target);
      else if (first > 0)
        check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, t_.n, lines, first, &minus,
                          t_.base, t_.n, basic, first, &one, target, t_.n));
    }
  }
  /// out = T'g = D'g - V'(U g), length n
  void combineRows(double const* g, double* out) const {
    if (t_.n == 0) return;
    if (t_.m == 0) return fill(queue_.stream(), t_.n, 0.0, out);
    check(cublasDgemv(queue_.blas(), CUBLAS_OP_N, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out,
                      1));
    if (used_ == 0) return;
    combineLines(queue_.stream(), t_.m, used_, t_.u, t_.stride, g, folded_.data());
    subtractProducts(queue_.stream(), t_.n, used_, t_.v, t_.stride, folded_.data(), out);
  }
  /// out = T g = D g - U'(V g), length m
  void combineColumns(double const* g, double* out) const {
    if (t_.m == 0) return;
    if (t_.n == 0) return fill(queue_.stream(), t_.m, 0.0, out);
    check(cublasDgemv(queue_.blas(), CUBLAS_OP_T, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out,
                      1));
    if (used_ == 0) return;
    combineLines(queue_.stream(), t_.n, used_, t_.v, t_.stride, g, folded_.data());
    subtractProducts(queue_.stream(), t_.m, used_, t_.u, t_.stride, folded_.data(), out);
  }
  /// out = T, m x n by rows, each variable in units of factor[variable] in place of its own
  void copyScaled(double const* factor, double* out) const {
    check(cudaMemcpyAsync(out, t_.base, at(t_.m) * at(t_.n) * sizeof(double),
                          cudaMemcpyDeviceToDevice, queue_.stream()));
    subtractFactors(out);
    scaleByVariable(queue_.stream(), t_, factor, out);
  }
  /// out = T[i,:], out = T[:,j]
  void copyRow(int i, double* out) const {
    check(cublasDcopy(queue_.blas(), t_.n, t_.base + at(i) * at(t_.n), 1, out, 1));
    if (used_ > 0)
      subtractProducts(queue_.stream(), t_.n, used_, t_.v, t_.stride, t_.u + at(i) * at(t_.stride),
                       out);
  }
  void copyColumn(int j, double* out) const {
    check(cublasDcopy(queue_.blas(), t_.m, t_.base + j, t_.n, out, 1));
    if (used_ > 0)
      subtractProducts(queue_.stream(), t_.m, used_, t_.u, t_.stride, t_.v + at(j) * at(t_.stride),
                       out);
  }

 private:
  static constexpr double one = 1.0, zero = 0.0, minus = -1.0;
  /// New lines that are formed at a time: their entries are held dense.
  static constexpr int linesAtOnce = 256;

  /// So many entries of candidate rows are eliminated at a time: one block reads them at each step.
  static constexpr int entriesAtOnce = 100000, fewestTogether = 8;
  template <class... T>
  static void poison([[maybe_unused]] cudaStream_t stream,
                     [[maybe_unused]] DeviceArray<T> const&... array) {
#ifdef OSI_CUDA_DISTURB  // what nobody writes before it is read would show
    (...,
     check(array.size() > 0 ? cudaMemsetAsync(array.data(), 0xff, array.size() * sizeof(T), stream)
                            : cudaSuccess));
#endif
  }

  // All but D.
  void allocateState(double* costs) {
    std::size_t const m = at(t_.m), n = at(t_.n), stride = at(t_.stride);
    cudaStream_t const stream = queue_.stream();
    makeRoom(stream, u_, m * stride);
    makeRoom(stream, v_, n * stride);
    zeros(stream, numbers_, stateNumbers(t_));
    makeRoom(stream, variables_, stateVariables(t_));
    shifts_.reserve(at(t_.capacity));
    columnSketch_.reserve(n * at(t_.sketchSize));
    rowSketch_.reserve(m * at(t_.sketchSize));
    folded_.reserve(stride);
    poison(stream, u_, v_, folded_, columnSketch_, rowSketch_, variables_, shifts_);
    t_.base = base_.data();
    t_.u = u_.data();
    t_.v = v_.data();
    t_.columnSketch = columnSketch_.data();
    t_.rowSketch = rowSketch_.data();
    t_.shifts = shifts_.data();
    t_.cost = costs;
    placeState(t_, numbers_.data());
    placeVariables(t_, variables_.data());
  }
  // base <- base - U'V
  void subtractFactors(double* base) const {
    if (used_ == 0 || t_.m == 0 || t_.n == 0) return;
    if (isQuick(used_, t_.m, t_.n))
      subtractFew(queue_.stream(), t_, used_, base);
    else
      check(cublasDgemm(queue_.blas(), CUBLAS_OP_T, CUBLAS_OP_N, t_.n, t_.m, used_, &minus, t_.v,
                        t_.stride, t_.u, t_.stride, &one, base, t_.n));
  }
  // Holes are filled with the last rows, and new rows follow: D stays where it is, as long as there
  // is room; where there is none it moves to where there is some to spare.
  void moveRows(LineMoves const& moves, int const* from) {
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
  void repack(LineMoves const& moves, int const* rowFrom, int const* columnFrom) {
    DeviceArray<double> other(std::max(base_.size(), at(moves.rows) * at(moves.columns)));
    cuda::repack(queue_.stream(), t_, static_cast<int>(moves.row.size()),
                 static_cast<int>(moves.column.size()), rowFrom, columnFrom, other.data(),
                 moves.columns);
    base_ = std::move(other);
  }
  // `lines` lines of A from `begin` on, dense, of `length` entries each; as much behind them as
  // each has for `positions`.
  double* denseLines(LinesView const& a, int begin, int lines, int length, int positions) {
    std::size_t const dense = at(lines) * at(length);
    lines_.reserve(dense + at(lines) * at(positions));
    clear(queue_.stream(), lines_, dense);
    placeRows(queue_.stream(), a.part(begin, lines), nullptr, nullptr, lines_.data(), length);
    return lines_.data() + dense;
  }

  DeviceQueue& queue_;
  TableauView t_;
  int used_ = 0;
  std::uint64_t age_ = 0;
  DeviceArray<double> base_, u_, v_, numbers_, folded_, lines_;
  DeviceArray<int> variables_, moves_;
  int const* numbersMoved_ = nullptr;
  DeviceArray<float> columnSketch_, rowSketch_;
  DeviceArray<CostShift> shifts_;
};

}  // namespace osi_cuda::cuda
