// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/verdict.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// Refines the tableau's point to double-double arithmetic and verifies it, both on the device: the
/// host waits once, and gets the point in the problem's own numbers with its verdict.
///
/// The tableau is the approximate inverse of one round of refinement (Wilkinson 1963), with
/// residuals of the original data in pairs of doubles.
class PointVerifier {
 public:
  PointVerifier(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix)
      : queue_(queue), tableau_(tableau), matrix_(matrix) {}

  void allocate(StandardForm const& form);
  void giveBack();
  /// `lp`: the problem that the form is of; `cost` by variable, scaled, on the device. Nothing
  /// where numbers are too far from 1 for scaling to be exact.
  std::optional<VerifiedPoint> verify(LinearProgram const& lp, double const* cost);

 private:
  void takeProblem(LinearProgram const& lp);
  void putIfOther(std::vector<double>& before, std::span<double const> numbers,
                  double const* there);
  void refine(double const* cost);

  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  StandardForm const* form_ = nullptr;
  bool exact_ = false;  ///< the scale factors are near enough to 1
  DeviceArray<double> memory_;
  Pairs x_, y_;
  GivenView given_;
  double *residual_ = nullptr, *basicCost_ = nullptr;  ///< length m
  VerdictResults results_;
  /// What the device has of the problem.
  std::vector<double> columnLower_, columnUpper_, rowLower_, rowUpper_, objective_;
};

}  // namespace osi_cuda::cuda
