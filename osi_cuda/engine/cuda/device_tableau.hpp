// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/views.hpp"

namespace osi_cuda::cuda {

/// The delayed tableau T = D - U'V in device memory, with the state by position and the working
/// costs: it owns what TableauView points to, and does what is done with all of T by cuBLAS.
class DeviceTableau {
 public:
  explicit DeviceTableau(DeviceQueue& queue) : queue_(queue) {}

  /// Takes over sizes; nothing is allocated yet.
  void resize(TableauView const& sizes);
  /// Memory for them, kept from problem to problem; `costs` is by variable.
  void allocate(double* costs);
  void giveBack();

  TableauView const& view() const { return t_; }
  int m() const { return t_.m; }
  int n() const { return t_.n; }
  int used() const { return used_; }  ///< k
  void setUsed(int used) { used_ = used; }
  /// Counts up whenever D changes: what is made of it is then out of date.
  std::uint64_t age() const { return age_; }
  void renew() { ++age_; }

  /// T = A, as the matrix left it in D, with the slacks basic.
  void placeSlackBasis();
  /// D <- D - U'V, k <- 0
  void fold();
  /// out = T'g, length n; out = T g, length m
  void combineRows(double const* g, double* out) const;
  void combineColumns(double const* g, double* out) const;
  /// out = T[i,:], out = T[:,j]
  void copyRow(int i, double* out) const;
  void copyColumn(int j, double* out) const;

 private:
  DeviceQueue& queue_;
  TableauView t_;
  int used_ = 0;
  std::uint64_t age_ = 0;
  DeviceArray<double> base_, u_, v_, numbers_, folded_;
  DeviceArray<int> variables_;
  DeviceArray<float> columnSketch_, rowSketch_;
  DeviceArray<CostShift> shifts_;
};

}  // namespace osi_cuda::cuda
