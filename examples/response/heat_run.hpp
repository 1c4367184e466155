// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "examples/response/csr.hpp"
#include "examples/response/loop.hpp"
#include "examples/response/space.hpp"

namespace osi_cuda::response {

struct HeatSettings {
  double step = 1e-3;        ///< in time
  double period = 0.05;      ///< of the sources' strengths
  double tolerance = 1e-10;  ///< of the linear systems, relative
};

/// du/dt - div(k grad u) = sum over j of (1 + sin(2 pi t / period + j)) load_j, u = 0 on the
/// boundary and at first, by implicit Euler; each step's system by conjugate gradients with
/// Jacobi's preconditioner. Written as a Loop, down to the iterations, and the same to the bit for
/// any number of threads. Stages write into members: it must not be moved.
class HeatRun {
 public:
  /// `space` and `loads` are needed in the constructor only.
  HeatRun(Space const& space, std::vector<Functional> const& loads, HeatSettings const& settings);
  HeatRun(HeatRun const&) = delete;
  HeatRun& operator=(HeatRun const&) = delete;

  Loop const& loop() const { return loop_; }
  void setLastStep(std::int64_t step) { lastStep_ = step; }
  std::int64_t stepsDone() const { return step_; }
  std::int64_t iterations() const { return iterations_; }  ///< since the very beginning
  std::vector<double> const& field() const { return u_; }
  std::vector<double> const& peak() const { return peak_; }  ///< the largest u so far, by place
  /// Of all that the fields depend on, but not of the last step.
  std::uint64_t identity() const;

 private:
  void addStages();
  int load();
  int turn();
  int multiply();
  int advance();
  int update();

  HeatSettings settings_;
  Csr stiffness_, matrix_;       ///< K, and M / step + K
  std::vector<double> inverse_;  ///< of the matrix's diagonal
  std::vector<Functional> loads_;
  std::int64_t lastStep_ = 0;

  std::vector<double> u_, peak_, change_, r_, z_, p_, q_;
  std::int64_t step_ = 0, iterations_ = 0;
  double rho_ = 0.0, curvature_ = 0.0, residual_ = 0.0, enough_ = 0.0;
  Loop loop_;
};

}  // namespace osi_cuda::response
