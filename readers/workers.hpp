// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::readers {

/// Threads that do what they are given, in that order as far as they begin. Without threads a task
/// is done by who asks for its result.
class Workers {
 public:
  Workers() = default;
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;
  /// Waits for tasks that have begun; the others are never done.
  ~Workers() {
    {
      std::lock_guard const lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Starts `count` threads, once.
  void start(int count) {
    threads_.reserve(at(count));
    while (static_cast<int>(threads_.size()) < count) threads_.emplace_back([this] { run(); });
  }
  int size() const { return static_cast<int>(threads_.size()); }

  /// The result of `task`, or what it throws, some time.
  template <class Task>
  auto submit(Task task) -> std::future<decltype(task())> {
    if (threads_.empty()) return std::async(std::launch::deferred, std::move(task));
    auto const work = std::make_shared<std::packaged_task<decltype(task())()>>(std::move(task));
    auto result = work->get_future();
    {
      std::lock_guard const lock(mutex_);
      tasks_.emplace_back([work] { (*work)(); });
    }
    changed_.notify_one();
    return result;
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopped_ || !tasks_.empty(); });
      if (stopped_) return;
      std::function<void()> const task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace osi_cuda::readers
