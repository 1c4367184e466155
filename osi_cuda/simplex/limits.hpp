// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// The clock of a solve, and the limits that end it: the caller's wish, time, iterations.
class Limits {
 public:
  explicit Limits(Task const& task) : task_(task) {}

  /// Since the object was made.
  double seconds() const;

  /// Whether the caller wants to stop or the time is over; asked several times a second.
  bool outOfTime();
  /// The same, or that no iterations are left.
  bool reached(std::int64_t iterations);

  /// A solve ends as if it had this limit reached.
  void declare(Status limit) { which_ = limit; }
  /// The limit that was looked at last: the one that was reached, where one was.
  Status which() const { return which_; }

 private:
  Task const& task_;
  std::chrono::steady_clock::time_point const begin_ = std::chrono::steady_clock::now();
  Status which_ = Status::interrupted;
};

}  // namespace osi_cuda
