// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>

namespace osi_cuda::bench {

/// Ends the process when this object lives longer than `seconds`: for solvers that do not look at
/// their time limit everywhere. `expired` is called first, on another thread.
class Watchdog {
 public:
  static constexpr int exitStatus = 75;

  Watchdog(double seconds, std::function<void()> expired)
      : thread_([this, seconds, expired = std::move(expired)] {
          std::unique_lock lock(mutex_);
          if (changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                                [this] { return done_; }))
            return;
          expired();
          std::_Exit(exitStatus);
        }) {}
  ~Watchdog() {
    {
      std::lock_guard const lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Watchdog(Watchdog const&) = delete;
  Watchdog& operator=(Watchdog const&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace osi_cuda::bench
