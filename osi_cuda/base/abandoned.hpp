// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <utility>

namespace osi_cuda {

/// Says on its thread, as long as it lives and `flag` is set, that nobody wants the result of the
/// work there any more: another contestant has won the race. Loops that poll a wish to stop only
/// after some time, so that their result is worth something, ask this in every step and throw
/// Interrupted.
class Abandoned {
 public:
  explicit Abandoned(std::atomic<bool> const& flag) : outer_(std::exchange(present_, &flag)) {}
  ~Abandoned() { present_ = outer_; }
  Abandoned(Abandoned const&) = delete;
  Abandoned& operator=(Abandoned const&) = delete;

  static bool now() { return present_ && present_->load(std::memory_order_relaxed); }

 private:
  static inline thread_local std::atomic<bool> const* present_ = nullptr;
  std::atomic<bool> const* const outer_;
};

}  // namespace osi_cuda
