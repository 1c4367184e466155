// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <utility>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/verifier.hpp"

namespace osi_cuda {

/// Of the points that were taken for optimal, the nearest to it: one of doubles that stands up to
/// the verifier goes before one in two parts; else the one that was nearer to being optimal before
/// it was rounded.
class BestPoint {
 public:
  /// `residual`: the point's largest, before it was rounded; `plain`: its doubles stand up.
  void offer(Solution&& solution, double residual, bool plain) {
    if (point_ && plain == plain_ && residual_ <= residual) return;
    if (point_ && plain_ && !plain) return;
    point_ = std::move(solution);
    residual_ = residual;
    plain_ = plain;
  }

  bool found() const { return point_.has_value(); }
  /// Whether it may be claimed to be optimal.
  bool good() const { return point_ && (plain_ || residual_ <= Verifier::target); }
  bool plain() const { return plain_; }
  double residual() const { return residual_; }
  Solution& point() { return *point_; }

 private:
  std::optional<Solution> point_;
  bool plain_ = false;
  double residual_ = infinity;
};

}  // namespace osi_cuda
