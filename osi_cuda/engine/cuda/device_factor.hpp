// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <span>
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
            std::span<double> scratch, cusolverDnHandle_t solver, cudaStream_t stream);
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
             double const* b, double* zv);
  /// y <- B^-T c, by constraint; cv by variable.
  void solveTransposed(cusolverDnHandle_t solver, cudaStream_t stream, DeviceMatrix const& matrix,
                       double const* cv, double* y);

  /// Sets to zero what is not a basic slack of the factored basis.
  void keepBasicSlacks(cudaStream_t stream, double* byConstraint) const;

 private:
  void partition(StandardForm const& form, std::vector<char> const& basic);
  void factor(DeviceMatrix const& matrix, std::span<double> scratch, cusolverDnHandle_t solver,
              cudaStream_t stream);
  std::vector<int> findDependent(cudaStream_t stream);

  int m_ = 0, n_ = 0;
  std::vector<int> structurals_, tightRows_, slackRows_, rowOrder_, dropped_, added_;
  void eliminate(std::span<double> scratch, cusolverDnHandle_t solver, cudaStream_t stream);
  void solveFactors(cusolverDnHandle_t solver, cublasOperation_t operation);

  SolverParameters usual_, frugal_;  ///< of the LU: quick, or with little memory
  DeviceArray<double> lu_, small_, rest_;
  DeviceArray<char> workspace_;
  std::vector<char> hostWorkspace_;
  DeviceArray<std::int64_t> pivots_;  ///< row exchanges, counted from 1
  DeviceArray<int> info_, place_, structuralsOnDevice_, tightRowsOnDevice_;
  DeviceArray<char> slackMarks_;
};

}  // namespace osi_cuda::cuda
