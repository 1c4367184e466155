// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's refactorisation: LU of the basis, a fresh tableau.
#include <algorithm>

#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/memory.hpp"

namespace osi_cuda::cuda {
/// value_ <- the present point by variable
void CudaEngine::collectValues() {
  scatterByVariable(stream_, t_.m, t_.rows.variable, t_.rows.value, value_);
  scatterByVariable(stream_, t_.n, t_.columns.variable, t_.columns.value, value_);
}

Refactorisation CudaEngine::refactor(std::vector<char> const& basic) {
  DeviceScope const scope = useDevice();
  if (!solver_) solver_ = makeSolver(stream_);
  collectValues();
  std::vector<char> repaired = basic;
  factor_.form(*form_, matrix_, repaired, solver_, stream_);
  factorFits_ = true;
  weightsFor_.reset();
  waitWatching();
  placeTableau();
  placeBounds();
  gatherByVariable(stream_, t_.n, t_.columns.variable, value_, t_.columns.value);
  computeBasicValues();
  computeReducedCosts();
  return {factor_.dropped(), factor_.added()};
}

// With P = A[R1,S], N = [A[:,NS] | slacks of R1]:  rows of S: X = P^-1 N[R1];  rows of the basic
// slacks: N[R2] - A[R2,S] X. The rows N[R1] are placed in the order of the LU's pivots.
void CudaEngine::placeTableau() {
  int const p = factor_.size(), n = t_.n, m = t_.m, others = n - p;
  std::vector<int> rowPlace(at(m)), columnPlace(at(n), 0), variables(at(m + n));
  for (int k = 0; k < p; ++k) rowPlace[at(factor_.tightRows()[at(factor_.rowOrder()[at(k)])])] = k;
  for (int b = 0; b < m - p; ++b) {
    rowPlace[at(factor_.slackRows()[at(b)])] = p + b;
    variables[at(p + b)] = n + factor_.slackRows()[at(b)];
  }
  for (int a = 0; a < p; ++a) {
    columnPlace[at(factor_.structurals()[at(a)])] = -1;
    variables[at(a)] = factor_.structurals()[at(a)];
    variables[at(m + others + a)] = n + factor_.tightRows()[at(a)];
  }
  for (int j = 0, place = 0; j < n; ++j) {
    if (columnPlace[at(j)] < 0) continue;
    variables[at(m + place)] = j;
    columnPlace[at(j)] = place++;
  }
  upload(stream_, variables_.data(), variables.data(), variables.size());
  std::vector<int> tightPlace(at(p));
  for (int a = 0; a < p; ++a) tightPlace[at(a)] = rowPlace[at(factor_.tightRows()[at(a)])];
  places_.reserve(at(m + n) + at(p));
  upload(stream_, places_.data(), rowPlace.data(), rowPlace.size());
  upload(stream_, places_.data() + m, columnPlace.data(), columnPlace.size());
  upload(stream_, places_.data() + m + n, tightPlace.data(), tightPlace.size());

  clear(stream_, base_, at(m) * at(n));
  used_ = 0;
  shadowFits_ = false;
  placeRows(stream_, matrix_.rows(), places_.data(), places_.data() + m, t_.base, n);
  if (p == 0) return;
  placeUnits(stream_, p, places_.data() + m + n, others, t_.base, n);
  double const one = 1.0;
  check(cublasDtrsm(blas_, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT,
                    n, p, &one, factor_.lu(), p, t_.base, n));
  check(cublasDtrsm(blas_, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
                    CUBLAS_DIAG_NON_UNIT, n, p, &one, factor_.lu(), p, t_.base, n));
  waitWatching();
  if (p < m) subtractSlackRows();
}

void CudaEngine::subtractSlackRows() {
  constexpr double densest = 0.05;  // beyond it the dense product is the faster one
  int const p = factor_.size(), rows = t_.m - p;
  if (form_->matrix().density() > densest)
    subtractDense(p, rows);
  else
    subtractSparse(p, rows);
}

void CudaEngine::subtractDense(int p, int rows) {
  int const step = static_cast<int>(std::clamp<std::size_t>(densestBlock / at(p), 1, at(rows)));
  block_.reserve(at(step) * at(p));
  std::vector<int> places(at(t_.m + t_.n), -1);
  for (int a = 0; a < p; ++a) places[at(t_.m + factor_.structurals()[at(a)])] = a;
  double const one = 1.0, minus = -1.0;
  for (int begin = 0; begin < rows; begin += step) {
    int const length = std::min(step, rows - begin);
    std::fill(places.begin(), places.begin() + t_.m, -1);
    for (int b = 0; b < length; ++b) places[at(factor_.slackRows()[at(begin + b)])] = b;
    waitWatching();
    upload(stream_, places_.data(), places.data(), places.size());
    clear(stream_, block_, at(step) * at(p));
    placeRows(stream_, matrix_.rows(), places_.data(), places_.data() + t_.m, block_.data(), p);
    check(cublasDgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_N, t_.n, length, p, &minus, t_.base, t_.n,
                      block_.data(), p, &one, t_.base + at(p + begin) * at(t_.n), t_.n));
  }
}

void CudaEngine::subtractSparse(int p, int rows) {
  std::vector<int> place(at(t_.n), -1), starts{0}, indices;
  std::vector<double> values;
  for (int a = 0; a < p; ++a) place[at(factor_.structurals()[at(a)])] = a;
  for (int i : factor_.slackRows()) {
    auto const columns = form_->transposed().columnIndices(i);
    auto const entries = form_->transposed().columnValues(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      if (place[at(columns[e])] < 0) continue;
      indices.push_back(place[at(columns[e])]);
      values.push_back(entries[e]);
    }
    starts.push_back(static_cast<int>(indices.size()));
  }
  if (indices.empty()) return;
  if (!sparse_) sparse_ = makeSparse(stream_);
  DeviceArray<int> startsThere(starts.size()), indicesThere(indices.size());
  DeviceArray<double> valuesThere(values.size());
  upload(stream_, startsThere.data(), starts.data(), starts.size());
  upload(stream_, indicesThere.data(), indices.data(), indices.size());
  upload(stream_, valuesThere.data(), values.data(), values.size());
  cusparseSpMatDescr_t sparse = nullptr;
  check(cusparseCreateCsr(&sparse, rows, p, static_cast<std::int64_t>(indices.size()),
                          startsThere.data(), indicesThere.data(), valuesThere.data(),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_64F));
  SparseMatrixHandle const a(sparse);
  cusparseDnMatDescr_t dense = nullptr;
  check(cusparseCreateDnMat(&dense, p, t_.n, t_.n, t_.base, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  DenseMatrixHandle const x(dense);
  check(cusparseCreateDnMat(&dense, rows, t_.n, t_.n, t_.base + at(p) * at(t_.n), CUDA_R_64F,
                            CUSPARSE_ORDER_ROW));
  DenseMatrixHandle const target(dense);
  double const one = 1.0, minus = -1.0;
  auto const none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  auto const algorithm = CUSPARSE_SPMM_CSR_ALG3;  // the same bits every time
  std::size_t bytes = 0;
  check(cusparseSpMM_bufferSize(sparse_, none, none, &minus, a, x, &one, target, CUDA_R_64F,
                                algorithm, &bytes));
  DeviceArray<char> const buffer(bytes);
  check(cusparseSpMM(sparse_, none, none, &minus, a, x, &one, target, CUDA_R_64F, algorithm,
                     buffer.data()));
  wait();  // the copies go out of scope
}

}  // namespace osi_cuda::cuda
