// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/simplex/callbacks.hpp"

namespace osi_cuda {

/// The limits of an analysis that makes many solves: each solve gets what the ones before left of
/// the time and of the iterations. The clock starts with the object.
class Allowance {
 public:
  Allowance(Options const& limits, Callbacks const& callbacks)
      : seconds_(limits.timeLimit),
        iterations_(limits.iterationLimit),
        interrupted_(callbacks.interrupted) {}

  double secondsSpent() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  std::int64_t iterationsSpent() const { return spent_; }

  /// `options` with what is left of the limits.
  Options limited(Options options) const {
    options.timeLimit = std::max(0.0, seconds_ - secondsSpent());
    if (iterations_ != std::numeric_limits<std::int64_t>::max())
      options.iterationLimit = std::max<std::int64_t>(0, iterations_ - spent_);
    else
      options.iterationLimit = iterations_;
    return options;
  }

  void spend(Solution const& solution) { spent_ += solution.iterations; }

  /// The limit that leaves nothing for another solve.
  std::optional<Status> exhausted() const {
    if (interrupted_ && interrupted_()) return Status::interrupted;
    if (secondsSpent() > seconds_) return Status::timeLimit;
    if (spent_ >= iterations_) return Status::iterationLimit;
    return std::nullopt;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point const start_ = Clock::now();
  double const seconds_;
  std::int64_t const iterations_;
  std::int64_t spent_ = 0;
  std::function<bool()> const interrupted_;
};

}  // namespace osi_cuda
