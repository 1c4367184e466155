// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device_array.cuh"

namespace osi_cuda::response::device {

/// The vectors of conjugate gradients for one right-hand side, and the scalars between them, which
/// stay in the device's memory.
class CgVectors {
 public:
  explicit CgVectors(std::vector<double> const& b);

  /// z = D^-1 r.
  void queueJacobi(double const* inverse);
  /// rho and beta from r'z; p = z + beta p.
  void queueTurn();
  /// alpha from p'q; x += alpha p, r -= alpha q.
  void queueStep();
  /// |r|^2; waits for the device.
  double residual();

  double const* r() const { return r_.data(); }
  double* z() const { return z_.data(); }
  double const* p() const { return p_.data(); }
  double* q() const { return q_.data(); }
  std::vector<double> x() const { return x_.download(); }

 private:
  void queueDot(double const* a, double const* b, int to, int by, int quotient);

  int n_;
  examples::device::DeviceArray<double> r_, x_, z_, p_, q_, part_, sums_;
};

}  // namespace osi_cuda::response::device
