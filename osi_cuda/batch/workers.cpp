// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace osi_cuda::batch {

int allThreads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void runWorkers(int threads, std::size_t count,
                std::function<void(std::size_t item, int worker)> const& work,
                std::function<bool(std::size_t done)> const& watch) {
  if (count == 0) return;
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable ended;
  std::exception_ptr fault;
  std::size_t running = 0;
  auto const fail = [&] {
    std::lock_guard const lock(mutex);
    if (!fault) fault = std::current_exception();
    stop = true;
  };
  auto const body = [&](int worker) {
    try {
      while (!stop.load(std::memory_order_relaxed)) {
        std::size_t const item = next.fetch_add(1, std::memory_order_relaxed);
        if (item >= count) break;
        work(item, worker);
        done.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (...) {
      fail();
    }
    std::lock_guard const lock(mutex);
    --running;
    ended.notify_all();
  };
  bool watching = static_cast<bool>(watch);
  auto const look = [&] {
    try {
      if (watching && watch(done)) stop = true;
    } catch (...) {
      watching = false;
      fail();
    }
  };
  look();  // a stop that is due already costs no work
  std::size_t const wanted = std::min(count, static_cast<std::size_t>(std::max(1, threads)));
  std::vector<std::thread> team;
  team.reserve(wanted);
  for (std::size_t worker = 0; worker < wanted; ++worker) {
    std::unique_lock lock(mutex);
    ++running;
    lock.unlock();
    try {
      team.emplace_back(body, static_cast<int>(worker));
    } catch (...) {  // the system gives no more: those that there are do it
      lock.lock();
      --running;
      break;
    }
  }
  if (team.empty()) {
    ++running;
    body(0);
  }
  {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
      lock.unlock();
      look();
      lock.lock();
    }
  }
  for (std::thread& thread : team) thread.join();
  if (fault) std::rethrow_exception(fault);
  if (watch) watch(done);
}

}  // namespace osi_cuda::batch
