// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/engine/cuda/device_factor.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// Solves with the basis, refined by residuals of the original data in extended precision. The
/// tableau holds B^-1 in the columns of its nonbasic slacks: refined, it solves as exactly as an LU
/// does, without forming one. Where it has drifted too far for that, there is the LU.
class BasisSolves {
 public:
  BasisSolves(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix,
              VariableVectors const& vectors)
      : queue_(queue), tableau_(tableau), matrix_(matrix), vectors_(vectors) {}

  void allocate(StandardForm const& form);
  void giveBack() {
    factor_ = {};
    factorFits_ = false;
    memory_ = {};
  }

  /// Factors the basis that `basic` marks, by variable; changed where its columns are dependent.
  /// What `scratch` holds is lost.
  DeviceFactor const& factor(std::vector<char>& basic, std::span<double> scratch);
  /// The memory of the factors, made that large, until the next ones are formed; and its size.
  double* lend(std::size_t numbers) {
    factorFits_ = false;
    return factor_.lend(numbers);
  }
  std::size_t room() const { return factor_.room(); }
  /// The LU is of another basis.
  void outdateFactor() { factorFits_ = false; }

  std::vector<double> ftran(std::span<double const> b);
  std::vector<double> btran(std::span<double const> c);
  /// Corrects the basic variables of a point by variable by what it leaves of A x + s = 0.
  void correct(double* point);

 private:
  void factorPresentBasis();
  void applyInverse(double const* b, bool addTo, double* x);
  void applyInverseTransposed(double const* c, bool addTo, double* y);
  void solve(double const* b, double* x, int rounds, ResidualSize* size);
  void solveTransposed(double const* c, double* y, int rounds, ResidualSize* size);
  template <class Queue>
  std::vector<double> solveAndFetch(std::span<double const> right, Queue queue);

  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  VariableVectors const& vectors_;
  StandardForm const* form_ = nullptr;
  DeviceFactor factor_;
  bool factorFits_ = false;  ///< factor_ is of the present basis
  DeviceArray<double> memory_;
  double* right_ = nullptr;       ///< right-hand side, length m
  double* residual_ = nullptr;    ///< length m
  double* result_ = nullptr;      ///< what the host gets, length m
  ResidualSize* size_ = nullptr;  ///< of the last residual
};

}  // namespace osi_cuda::cuda
