// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/fresh_tableau.hpp"

#include <algorithm>

#include "osi_cuda/memory.hpp"

namespace osi_cuda::cuda {
namespace {

constexpr double one = 1.0, minus = -1.0;

}  // namespace

void FreshTableau::form(StandardForm const& form, DeviceFactor const& factor) {
  constexpr double densest = 0.05;  // beyond it the dense product is the faster one
  placeRowsOf(factor);
  if (factor.size() == 0) return;
  solveWithFactor(factor);
  queue_.waitWatching();
  if (factor.slackRows().empty()) return;
  if (form.density() > densest)
    subtractDense(factor);
  else
    subtractSparse(form, factor);
}

void FreshTableau::giveBack() {
  places_ = {};
  block_ = {};
}

// D <- N, its rows in the order that they will have; variables by position.
void FreshTableau::placeRowsOf(DeviceFactor const& factor) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const p = factor.size(), n = t.n, m = t.m, others = n - p;
  std::vector<int> rowPlace(index(m)), columnPlace(index(n), 0), variables(index(m + n));
  for (int k = 0; k < p; ++k)
    rowPlace[index(factor.tightRows()[index(factor.rowOrder()[index(k)])])] = k;
  for (int b = 0; b < m - p; ++b) {
    rowPlace[index(factor.slackRows()[index(b)])] = p + b;
    variables[index(p + b)] = n + factor.slackRows()[index(b)];
  }
  for (int a = 0; a < p; ++a) {
    columnPlace[index(factor.structurals()[index(a)])] = -1;
    variables[index(a)] = factor.structurals()[index(a)];
    variables[index(m + others + a)] = n + factor.tightRows()[index(a)];
  }
  for (int j = 0, place = 0; j < n; ++j) {
    if (columnPlace[index(j)] < 0) continue;
    variables[index(m + place)] = j;
    columnPlace[index(j)] = place++;
  }
  upload(stream, t.rows.variable, variables.data(), variables.size());
  std::vector<int> tightPlace(index(p));
  for (int a = 0; a < p; ++a) tightPlace[index(a)] = rowPlace[index(factor.tightRows()[index(a)])];
  places_.reserve(index(m + n) + index(p));
  upload(stream, places_.data(), rowPlace.data(), rowPlace.size());
  upload(stream, places_.data() + m, columnPlace.data(), columnPlace.size());
  upload(stream, places_.data() + m + n, tightPlace.data(), tightPlace.size());

  if (m > 0 && n > 0)
    check(cudaMemsetAsync(t.base, 0, index(m) * index(n) * sizeof(double), stream));
  tableau_.setUsed(0);
  tableau_.renew();
  placeRows(stream, matrix_.rows(), places_.data(), places_.data() + m, t.base, n);
  placeUnits(stream, p, places_.data() + m + n, others, t.base, n);
}

// The first p rows <- P^-1 times them
void FreshTableau::solveWithFactor(DeviceFactor const& factor) {
  TableauView const& t = tableau_.view();
  int const p = factor.size();
  check(cublasDtrsm(queue_.blas(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                    CUBLAS_DIAG_UNIT, t.n, p, &one, factor.lu(), p, t.base, t.n));
  check(cublasDtrsm(queue_.blas(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
                    CUBLAS_DIAG_NON_UNIT, t.n, p, &one, factor.lu(), p, t.base, t.n));
}

void FreshTableau::subtractDense(DeviceFactor const& factor) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const p = factor.size(), rows = t.m - p;
  int const step =
      static_cast<int>(std::clamp<std::size_t>(densestBlock / index(p), 1, index(rows)));
  block_.reserve(index(step) * index(p));
  std::vector<int> places(index(t.m + t.n), -1);
  for (int a = 0; a < p; ++a) places[index(t.m + factor.structurals()[index(a)])] = a;
  for (int begin = 0; begin < rows; begin += step) {
    int const length = std::min(step, rows - begin);
    std::fill(places.begin(), places.begin() + t.m, -1);
    for (int b = 0; b < length; ++b) places[index(factor.slackRows()[index(begin + b)])] = b;
    queue_.waitWatching();
    upload(stream, places_.data(), places.data(), places.size());
    clear(stream, block_, index(step) * index(p));
    placeRows(stream, matrix_.rows(), places_.data(), places_.data() + t.m, block_.data(), p);
    check(cublasDgemm(queue_.blas(), CUBLAS_OP_N, CUBLAS_OP_N, t.n, length, p, &minus, t.base, t.n,
                      block_.data(), p, &one, t.base + index(p + begin) * index(t.n), t.n));
  }
}

void FreshTableau::subtractSparse(StandardForm const& form, DeviceFactor const& factor) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const p = factor.size(), rows = t.m - p;
  std::vector<int> place(index(t.n), -1), starts{0}, indices;
  std::vector<double> values;
  for (int a = 0; a < p; ++a) place[index(factor.structurals()[index(a)])] = a;
  for (int i : factor.slackRows()) {
    auto const columns = form.transposed().columnIndices(i);
    auto const entries = form.transposed().columnValues(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      if (place[index(columns[e])] < 0) continue;
      indices.push_back(place[index(columns[e])]);
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
  DenseMatrixHandle const target = makeDenseMatrix(rows, t.n, t.base + index(p) * index(t.n));
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
