// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/thread_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace osi_cuda {
namespace {

/// A call, on the caller's stack: others touch it under the pool's lock, or while they are in it.
struct Pieces {
  std::function<void(std::size_t piece, int thread)> const& work;
  std::size_t const count;
  std::size_t const most;  ///< threads
  std::size_t next = 0, come = 0, atWork = 0;
  std::exception_ptr fault;
  std::condition_variable ended;

  bool isOpen() const { return next < count && come < most; }
};

class ThreadPool {
 public:
  void run(Pieces& call) {
    std::unique_lock lock(mutex_);
    calls_.push_back(&call);
    std::size_t const wanted = std::min(call.most, call.count) - 1;
    while (sleeping_ < wanted && threads_ < most_ && start()) {
    }
    for (std::size_t k = 0; k < wanted; ++k) wake_.notify_one();
    join(call, lock);
    call.ended.wait(lock, [&] { return call.atWork == 0; });
    std::erase(calls_, &call);
    if (call.fault) std::rethrow_exception(call.fault);
  }

 private:
  /// Whether the system gives one more thread; without, those that there are do the work.
  bool start() {
    try {
      std::thread([this] { serve(); }).detach();
    } catch (...) {  // of memory, too
      return false;
    }
    ++threads_;
    ++sleeping_;
    return true;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      auto const call = std::ranges::find_if(calls_, &Pieces::isOpen);
      if (call == calls_.end()) {
        wake_.wait(lock);
        continue;
      }
      --sleeping_;
      join(**call, lock);
      ++sleeping_;
    }
  }

  /// Does pieces as long as there are some.
  static void join(Pieces& call, std::unique_lock<std::mutex>& lock) {
    int const thread = static_cast<int>(call.come++);
    ++call.atWork;
    while (call.next < call.count) {
      std::size_t const piece = call.next++;
      std::exception_ptr fault;
      lock.unlock();
      try {
        call.work(piece, thread);
      } catch (...) {
        fault = std::current_exception();
      }
      lock.lock();
      if (!fault) continue;
      call.next = call.count;
      if (!call.fault) call.fault = fault;
    }
    if (--call.atWork == 0) call.ended.notify_all();
  }

  /// Callers ask for few, several of them perhaps.
  std::size_t const most_ = std::max(8u, std::thread::hardware_concurrency()) - 1;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Pieces*> calls_;
  std::size_t threads_ = 0, sleeping_ = 0;
};

}  // namespace

void runPieces(int threads, std::size_t count,
               std::function<void(std::size_t piece, int thread)> const& work) {
  static ThreadPool& pool = *new ThreadPool;  // to the end of the process, as its threads
  static pid_t const process = getpid();      // a fork leaves them behind
  if (threads > 1 && count > 1 && getpid() == process) {
    Pieces call{work, count, static_cast<std::size_t>(threads), 0, 0, 0, {}, {}};
    return pool.run(call);
  }
  for (std::size_t piece = 0; piece < count; ++piece) work(piece, 0);
}

}  // namespace osi_cuda
