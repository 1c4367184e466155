// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"
#include "osi_cuda/engine/cuda/device_factor.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"

namespace osi_cuda::cuda {

/// Forms the tableau of a basis from its LU. With P = A[R1, S], N = [A[:, NS] | slacks of R1]: rows
/// of S: X = P^-1 N[R1]; rows of the basic slacks: N[R2] - A[R2, S] X. The rows N[R1] are placed in
/// the order of the LU's pivots. Where the matrix is dense, columns of D are dealt out in blocks to
/// several devices if that pays: each gets the LU and its block, and returns that.
class FreshTableau {
 public:
  FreshTableau(DeviceQueue& queue, DeviceTableau& tableau, DeviceMatrix const& matrix)
      : queue_(queue), tableau_(tableau), matrix_(matrix) {}

  /// Values, bounds and reduced costs by position are not brought up to date.
  void form(StandardForm const& form, DeviceFactor const& factor);
  void giveBack() { places_ = {}, block_ = {}; }
  /// From now on, for as long as they are there, its devices take part; the engine's is the first.
  void shareWith(std::weak_ptr<SplitMatrix> devices) { devices_ = std::move(devices); }
  /// How many devices form D, if that pays and they have room.
  int sharesOf(StandardForm const& form) const;

 private:
  class Shares;
  void placeRowsOf(DeviceFactor const& factor);
  void subtractDense(DeviceFactor const& factor, Shares& shares);
  void subtractSparse(StandardForm const& form, DeviceFactor const& factor);

  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  DeviceMatrix const& matrix_;
  DeviceArray<int> places_;
  DeviceArray<double> block_;  ///< some rows of A[R2, S]
  std::weak_ptr<SplitMatrix> devices_;
};

}  // namespace osi_cuda::cuda
