// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace osi_cuda::rational {

/// What a computation may use. Its numbers can grow as long as the problem makes them.
struct Limits {
  std::function<bool()> stop;  ///< asked several times a second; true: give up. May be empty.
  /// Bytes that factors, and the digits of a solution, may take, each estimated before it is made.
  std::size_t memory = std::size_t{4} << 30;
};

/// Thrown inside the module when Limits::stop says so; no caller outside sees it.
struct Stopped {};

/// Thrown inside the module when the next step would exceed Limits::memory.
struct TooLarge {
  double bytes = 0.0;  ///< what it would have needed
};

/// Asks Limits::stop at intervals and keeps account of memory.
class Watch {
 public:
  explicit Watch(Limits limits) : limits_(std::move(limits)) {}

  /// To be called after about `operations` multiplications of machine words.
  void spend(std::int64_t operations) {
    spent_ += operations;
    if (spent_ < operationsBetween) return;
    spent_ = 0;
    look();
  }

  /// Throws TooLarge where `bytes` exceed the limit.
  void allow(double bytes) const {
    if (bytes > static_cast<double>(limits_.memory)) throw TooLarge{bytes};
  }

 private:
  /// About half a millisecond of work.
  static constexpr std::int64_t operationsBetween = 200'000;
  static constexpr std::chrono::milliseconds pause{20};

  void look() {
    if (!limits_.stop) return;
    auto const now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + pause;
    if (limits_.stop()) throw Stopped{};
  }

  Limits limits_;
  std::int64_t spent_ = 0;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace osi_cuda::rational
