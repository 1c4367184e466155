// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/fresh_tableau.hpp"

#include <algorithm>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/cost/cost_model.hpp"

namespace osi_cuda::cuda {
namespace {

constexpr double one = 1.0, minus = -1.0;
constexpr double densest = 0.05;  ///< of a matrix; beyond it the dense product is the faster one

/// Some columns of X = P^-1 N[R1], in place; from row to row there are `lead` numbers.
void solveLines(cublasHandle_t blas, int p, double const* lu, int columns, double* x, int lead) {
  check(cublasDtrsm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT,
                    columns, p, &one, lu, p, x, lead));
  check(cublasDtrsm(blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
                    CUBLAS_DIAG_NON_UNIT, columns, p, &one, lu, p, x, lead));
}

/// The same columns of other rows, `d`, less `a`, those rows of A[R2, S], times X
void subtractLines(cublasHandle_t blas, int p, double const* a, int rows, int columns,
                   double const* x, double* d, int lead) {
  check(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, p, &minus, x, lead, a, p, &one,
                    d, lead));
}

}  // namespace

/// Blocks of columns of D that other devices form, where that pays and they have room.
class FreshTableau::Shares {
 public:
  Shares(cudaStream_t stream, TableauView const& t, int p, std::shared_ptr<SplitMatrix> devices)
      : stream_(stream), t_(t), p_(p), devices_(std::move(devices)) {
    int const asked = devices_ ? devices_->askedWidth() : 0;
    int const several = devices_ ? devices_->sharesOf(t.n) : 1;
    if (asked > 0 || sharingTableauPays(machine(), t.m, t.n, p, several)) count_ = several;
    std::size_t const order = at(p), least = at(t.n / count_);
    rows_ = densestBlock / order;
    if (count_ > 1)  // no more numbers than X, so that a share is no larger than the barrier's
      rows_ = asked > 0 ? at(asked) : std::min(rows_, order * least / (order + least));
    rows_ = std::clamp<std::size_t>(rows_, 1, at(std::max(t.m - p, 1)));
    for (int k = 1; k < count_; ++k) {
      int const first = boundary(k), columns = boundary(k + 1) - first;
      std::size_t const numbers = (order + rows_) * (order + at(columns)), block = rows_ * order;
      enterDevice(devices_->member(k).device);
      if (sizeof(double) * (numbers + block) <= availableBytes())  // that may be the first's, too
        shares_.push_back({first, columns, DeviceArray<double>(numbers)});
      else
        count_ = 1;
      enterDevice(devices_->member(0).device);
    }
  }
  ~Shares() {  // where something else ended the work, it still uses the memory
    for (int k = 1; k < count_; ++k) cudaStreamSynchronize(devices_->member(k).stream);
  }

  int rows() const { return static_cast<int>(rows_); }  ///< of A[R2, S] at a time
  void solve(cublasHandle_t blas, double const* lu) {
    onOthers([&](SplitMatrix::Member const& on, Share const& s, double* x, double*) {
      copyColumns(on.stream, lu, p_, s.memory.data(), p_, p_, p_);
      copyColumns(on.stream, t_.base + s.first, t_.n, x, s.columns, s.columns, p_);
      solveLines(on.blas, p_, s.memory.data(), s.columns, x, s.columns);
      copyColumns(on.stream, x, s.columns, t_.base + s.first, t_.n, s.columns, p_);
    });
    solveLines(blas, p_, lu, boundary(1), t_.base, t_.n);
  }
  void subtract(cublasHandle_t blas, double const* a, int rows, double* d) {
    onOthers([&](SplitMatrix::Member const& on, Share const& s, double* x, double* piece) {
      double* const part = piece + at(rows) * at(p_);
      copyColumns(on.stream, a, p_, piece, p_, p_, rows);
      copyColumns(on.stream, d + s.first, t_.n, part, s.columns, s.columns, rows);
      subtractLines(on.blas, p_, piece, rows, s.columns, x, part, s.columns);
      copyColumns(on.stream, part, s.columns, d + s.first, t_.n, s.columns, rows);
    });
    subtractLines(blas, p_, a, rows, boundary(1), t_.base, d, t_.n);
    if (count_ > 1) devices_->await(stream_, count_);  // the next rows take the place of `a`
  }
  /// Waits for the others. Throws where one did not do its part.
  void finish() {
    onOthers([](SplitMatrix::Member const& on, auto const&...) {
      check(cudaStreamSynchronize(on.stream));
    });
  }

 private:
  struct Share {
    int first, columns;
    DeviceArray<double> memory;  ///< the LU, X, then some rows of A[R2, S] and D
  };

  int boundary(int k) const { return SplitMatrix::boundary(k, count_, t_.n); }
  void onOthers(auto const& work) {
    if (count_ == 1) return;
    devices_->onOthers(stream_, count_, [&](SplitMatrix::Member const& on, int k) {
      Share const& s = shares_[at(k - 1)];
      double* const x = s.memory.data() + at(p_) * at(p_);
      work(on, s, x, x + at(p_) * at(s.columns));
    });
  }

  cudaStream_t const stream_;
  TableauView const& t_;
  int const p_;
  std::shared_ptr<SplitMatrix> const devices_;
  int count_ = 1;
  std::size_t rows_ = 1;
  std::vector<Share> shares_;
};

int FreshTableau::sharesOf(StandardForm const& form) const {
  auto const devices = form.density() > densest ? devices_.lock() : nullptr;
  return devices ? devices->sharesOf(form.columns()) : 1;
}

void FreshTableau::form(StandardForm const& form, DeviceFactor const& factor) {
  placeRowsOf(factor);
  if (factor.size() == 0) return;
  bool const dense = form.density() > densest;
  Shares shares(queue_.stream(), tableau_.view(), factor.size(), dense ? devices_.lock() : nullptr);
  shares.solve(queue_.blas(), factor.lu());
  queue_.waitWatching();
  if (!factor.slackRows().empty())
    dense ? subtractDense(factor, shares) : subtractSparse(form, factor);
  shares.finish();
}

// D <- N, its rows in the order that they will have; variables by position.
void FreshTableau::placeRowsOf(DeviceFactor const& factor) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const p = factor.size(), n = t.n, m = t.m, others = n - p;
  std::vector<int> places(at(m) + at(n) + at(p), 0), variables(at(m + n));
  int *const rowPlace = places.data(), *const columnPlace = rowPlace + m;
  for (int k = 0; k < p; ++k) rowPlace[factor.tightRows()[at(factor.rowOrder()[at(k)])]] = k;
  for (int b = 0; b < m - p; ++b) {
    rowPlace[factor.slackRows()[at(b)]] = p + b;
    variables[at(p + b)] = n + factor.slackRows()[at(b)];
  }
  for (int a = 0; a < p; ++a) {
    columnPlace[factor.structurals()[at(a)]] = -1;
    variables[at(a)] = factor.structurals()[at(a)];
    variables[at(m + others + a)] = n + factor.tightRows()[at(a)];
  }
  for (int j = 0, place = 0; j < n; ++j) {
    if (columnPlace[j] < 0) continue;
    variables[at(m + place)] = j;
    columnPlace[j] = place++;
  }
  upload(stream, t.rows.variable, variables.data(), variables.size());
  for (int a = 0; a < p; ++a) columnPlace[n + a] = rowPlace[factor.tightRows()[at(a)]];
  uploadAll(stream, places_, places);

  if (m > 0 && n > 0) check(cudaMemsetAsync(t.base, 0, at(m) * at(n) * sizeof(double), stream));
  tableau_.setUsed(0);
  tableau_.renew();
  placeRows(stream, matrix_.rows(), places_.data(), places_.data() + m, t.base, n);
  placeUnits(stream, p, places_.data() + m + n, others, t.base, n);
}

void FreshTableau::subtractDense(DeviceFactor const& factor, Shares& shares) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const p = factor.size(), rows = t.m - p, step = shares.rows();
  block_.reserve(at(step) * at(p));
  std::vector<int> places(at(t.m + t.n), -1);
  for (int a = 0; a < p; ++a) places[at(t.m + factor.structurals()[at(a)])] = a;
  for (int begin = 0; begin < rows; begin += step) {
    int const length = std::min(step, rows - begin);
    std::fill(places.begin(), places.begin() + t.m, -1);
    for (int b = 0; b < length; ++b) places[at(factor.slackRows()[at(begin + b)])] = b;
    queue_.waitWatching();
    upload(stream, places_.data(), places.data(), places.size());
    clear(stream, block_, at(step) * at(p));
    placeRows(stream, matrix_.rows(), places_.data(), places_.data() + t.m, block_.data(), p);
    shares.subtract(queue_.blas(), block_.data(), length, t.base + at(p + begin) * at(t.n));
  }
}

void FreshTableau::subtractSparse(StandardForm const& form, DeviceFactor const& factor) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const p = factor.size(), rows = t.m - p;
  std::vector<int> place(at(t.n), -1), starts{0}, indices;
  std::vector<double> values;
  for (int a = 0; a < p; ++a) place[at(factor.structurals()[at(a)])] = a;
  for (int i : factor.slackRows()) {
    auto const columns = form.transposed().columnIndices(i);
    auto const entries = form.transposed().columnValues(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      if (place[at(columns[e])] < 0) continue;
      indices.push_back(place[at(columns[e])]);
      values.push_back(entries[e]);
    }
    starts.push_back(static_cast<int>(indices.size()));
  }
  if (indices.empty()) return;
  DeviceArray<int> startsThere(starts.size()), indicesThere(indices.size());
  DeviceArray<double> valuesThere(values.size());
  upload(stream, startsThere.data(), starts.data(), starts.size());
  upload(stream, indicesThere.data(), indices.data(), indices.size());
  upload(stream, valuesThere.data(), values.data(), values.size());
  SparseMatrixHandle const a = makeSparseMatrix(rows, p, static_cast<std::int64_t>(indices.size()),
                                                startsThere, indicesThere, valuesThere);
  DenseMatrixHandle const x = makeDenseMatrix(p, t.n, t.base);
  DenseMatrixHandle const target = makeDenseMatrix(rows, t.n, t.base + at(p) * at(t.n));
  auto const none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  auto const algorithm = CUSPARSE_SPMM_CSR_ALG3;  // the same bits every time
  std::size_t bytes = 0;
  check(cusparseSpMM_bufferSize(queue_.sparse(), none, none, &minus, a, x, &one, target, CUDA_R_64F,
                                algorithm, &bytes));
  DeviceArray<char> const buffer(bytes);
  check(cusparseSpMM(queue_.sparse(), none, none, &minus, a, x, &one, target, CUDA_R_64F, algorithm,
                     buffer.data()));
  queue_.wait();  // the copies go out of scope
}

}  // namespace osi_cuda::cuda
