// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/engine/cuda/device_matrix.hpp"

namespace osi_cuda::cuda {

/// LU factors of a basis by its p x p block P = A[R1, S]: S the basic structurals, R1 the
/// constraints whose slack is nonbasic, R2 the others. See host/basis_factor.hpp for the algebra.
/// The memory is kept from one factorisation to the next.
class DeviceFactor {
 public:
  /// Factors P on the device (cuSOLVER getrf). Where a column of S depends on the others it is
  /// dropped for the slack of the row left without a pivot, and the factors are formed again;
  /// `basic` (by variable) is changed accordingly. What `scratch` holds is lost.
  void form(StandardForm const& form, DeviceMatrix const& matrix, std::vector<char>& basic,
            std::span<double> scratch, cusolverDnHandle_t solver, cudaStream_t stream) {
    m_ = form.rows();
    n_ = form.columns();
    dropped_.clear();
    added_.clear();
    for (;;) {
      partition(form, basic);
      factor(matrix, scratch, solver, stream);
      std::vector<int> const dependent = findDependent(stream);
      if (dependent.empty()) break;
      for (int k : dependent) {
        int const column = structurals_[at(k)];
        int const slack = n_ + tightRows_[at(rowOrder_[at(k)])];
        basic[at(column)] = 0;
        basic[at(slack)] = 1;
        dropped_.push_back(column);
        added_.push_back(slack);
      }
    }
    std::vector<char> marks(at(m_), 0);
    for (int i : slackRows_) marks[at(i)] = 1;
    uploadAll(stream, slackMarks_, marks);
  }
  /// Its memory, made that large, until the next factors are formed.
  double* lend(std::size_t numbers) {
    lu_.reserve(numbers);
    return lu_.data();
  }
  std::size_t room() const { return lu_.size(); }

  int size() const { return static_cast<int>(structurals_.size()); }
  std::vector<int> const& structurals() const { return structurals_; }  ///< S, ascending
  std::vector<int> const& tightRows() const { return tightRows_; }      ///< R1, ascending
  std::vector<int> const& slackRows() const { return slackRows_; }      ///< R2, ascending
  std::vector<int> const& rowOrder() const { return rowOrder_; }  ///< index in R1 by pivot position
  std::vector<int> const& dropped() const { return dropped_; }
  std::vector<int> const& added() const { return added_; }
  double const* lu() const { return lu_.data(); }  ///< p x p by columns

  /// zv <- B^-1 b, by variable (zeros for variables outside the basis); b by constraint.
  void solve(cusolverDnHandle_t solver, cudaStream_t stream, DeviceMatrix const& matrix,
             double const* b, double* zv) {
    int const p = size();
    check(cudaMemsetAsync(zv, 0, (at(n_) + at(m_)) * sizeof(double), stream));
    if (p > 0) {  // x_S = P^-1 b_R1
      gatherByVariable(stream, p, tightRowsOnDevice_.data(), b, small_.data());
      solveFactors(solver, CUBLAS_OP_N);
      scatterByVariable(stream, p, structuralsOnDevice_.data(), small_.data(), zv);
    }
    // slacks of R2: b - A x
    lineProducts(stream, matrix.rows(), zv, -1.0, b, nullptr, zv + n_);
    keepBasicSlacks(stream, zv + n_);
  }
  /// y <- B^-T c, by constraint; cv by variable.
  void solveTransposed(cusolverDnHandle_t solver, cudaStream_t stream, DeviceMatrix const& matrix,
                       double const* cv, double* y) {
    int const p = size();
    check(cudaMemcpyAsync(y, cv + n_, at(m_) * sizeof(double), cudaMemcpyDeviceToDevice, stream));
    keepBasicSlacks(stream, y);
    if (p == 0) return;
    // P' y_R1 = c_S - A[R2,S]' y_R2
    lineProducts(stream, matrix.columns(), y, -1.0, cv, nullptr, rest_.data());
    gatherByVariable(stream, p, structuralsOnDevice_.data(), rest_.data(), small_.data());
    solveFactors(solver, CUBLAS_OP_T);
    scatterByVariable(stream, p, tightRowsOnDevice_.data(), small_.data(), y);
  }

  /// Sets to zero what is not a basic slack of the factored basis.
  void keepBasicSlacks(cudaStream_t stream, double* byConstraint) const {
    keepMarked(stream, m_, slackMarks_.data(), byConstraint);
  }

 private:
  void partition(StandardForm const& form, std::vector<char> const& basic) {
    structurals_.clear();
    tightRows_.clear();
    slackRows_.clear();
    for (int j = 0; j < form.columns(); ++j)
      if (basic[at(j)]) structurals_.push_back(j);
    for (int i = 0; i < form.rows(); ++i)
      (basic[at(form.columns() + i)] ? slackRows_ : tightRows_).push_back(i);
  }
  void factor(DeviceMatrix const& matrix, std::span<double> scratch, cusolverDnHandle_t solver,
              cudaStream_t stream) {
    int const p = size();
    uploadAll(stream, structuralsOnDevice_, structurals_);
    uploadAll(stream, tightRowsOnDevice_, tightRows_);
    small_.reserve(at(std::max(p, 1)));
    rest_.reserve(at(std::max(m_, n_)));
    rowOrder_.resize(at(p));
    std::iota(rowOrder_.begin(), rowOrder_.end(), 0);
    if (p == 0) return;

    // P by columns: column S[b] of A into line b, entry of constraint R1[a] at place a.
    std::vector<int> places(at(n_) + at(m_), -1);
    for (int b = 0; b < p; ++b) places[at(structurals_[at(b)])] = b;
    for (int a = 0; a < p; ++a) places[at(n_ + tightRows_[at(a)])] = a;
    uploadAll(stream, place_, places);
    zeros(stream, lu_, at(p) * at(p));
    placeRows(stream, matrix.columns(), place_.data(), place_.data() + n_, lu_.data(), p);

    eliminate(scratch, solver, stream);
    std::vector<std::int64_t> exchanges(at(p));
    download(stream, exchanges.data(), pivots_.data(), exchanges.size());
    for (int k = 0; k < p; ++k) {
      std::int64_t const other = exchanges[at(k)] - 1;
      if (other >= 0 && other < p)
        std::swap(rowOrder_[at(k)], rowOrder_[static_cast<std::size_t>(other)]);
    }
  }
  // The scaled matrix has entries near 1, so an absolute threshold is meaningful. What follows a
  // pivot of exactly zero may not be a number: then the columns before tell enough, and the next
  // round more.
  std::vector<int> findDependent(cudaStream_t stream) {
    constexpr double smallest = 1e-10;
    int const p = size();
    std::vector<int> dependent;
    if (p == 0) return dependent;
    std::vector<double> diagonal(at(p));
    takeDiagonal(stream, p, lu_.data(), small_.data());
    download(stream, diagonal.data(), small_.data(), diagonal.size());
    for (int k = 0; k < p; ++k) {
      bool const number = std::isfinite(diagonal[at(k)]);
      if (!number && !dependent.empty()) break;
      if (!number || !(std::fabs(diagonal[at(k)]) > smallest)) dependent.push_back(k);
      if (!number) break;
    }
    return dependent;
  }

  int m_ = 0, n_ = 0;
  std::vector<int> structurals_, tightRows_, slackRows_, rowOrder_, dropped_, added_;
  // The quickest algorithm wants a workspace as large as P: the scratch mostly does. Where there is
  // no room for it the other one, which wants little, does the work.
  void eliminate(std::span<double> scratch, cusolverDnHandle_t solver, cudaStream_t stream) {
    std::int64_t const p = size();
    if (!usual_) {
      usual_ = makeSolverParameters(CUSOLVER_ALG_0);
      frugal_ = makeSolverParameters(CUSOLVER_ALG_1);
    }
    std::size_t onDevice = 0, onHost = 0;
    auto const ask = [&](cusolverDnParams_t parameters) {
      check(cusolverDnXgetrf_bufferSize(solver, parameters, p, p, CUDA_R_64F, lu_.data(), p,
                                        CUDA_R_64F, &onDevice, &onHost));
    };
    SolverParameters const* parameters = &usual_;
    ask(usual_);
    bool const lent = onDevice <= scratch.size_bytes();
    if (!lent && onDevice > workspace_.size() && onDevice > availableBytes() + workspace_.size()) {
      parameters = &frugal_;
      ask(frugal_);
    }
    if (!lent) workspace_.reserve(onDevice);
    if (onHost > hostWorkspace_.size()) hostWorkspace_.resize(onHost);
    pivots_.reserve(at(size()));
    info_.reserve(1);
    check(cusolverDnXgetrf(solver, *parameters, p, p, CUDA_R_64F, lu_.data(), p, pivots_.data(),
                           CUDA_R_64F,
                           lent ? static_cast<void*>(scratch.data()) : workspace_.data(), onDevice,
                           hostWorkspace_.data(), onHost, info_.data()));
    int code = 0;  // a positive one is the place of a pivot of exactly zero: findDependent sees it
    download(stream, &code, info_.data(), 1);
    if (code < 0)
      throw std::logic_error("cuSOLVER's getrf refused its argument " + std::to_string(-code));
  }
  // small_ <- P^-1 small_ or P^-T small_. Its code says only whether its arguments are right, and
  // they are those of getrf.
  void solveFactors(cusolverDnHandle_t solver, cublasOperation_t operation) {
    std::int64_t const p = size();
    check(cusolverDnXgetrs(solver, usual_, operation, p, 1, CUDA_R_64F, lu_.data(), p,
                           pivots_.data(), CUDA_R_64F, small_.data(), p, info_.data()));
  }

  SolverParameters usual_, frugal_;  ///< of the LU: quick, or with little memory
  DeviceArray<double> lu_, small_, rest_;
  DeviceArray<char> workspace_;
  std::vector<char> hostWorkspace_;
  DeviceArray<std::int64_t> pivots_;  ///< row exchanges, counted from 1
  DeviceArray<int> info_, place_, structuralsOnDevice_, tightRowsOnDevice_;
  DeviceArray<char> slackMarks_;
};

}  // namespace osi_cuda::cuda
