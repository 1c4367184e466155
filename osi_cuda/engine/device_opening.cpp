// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/device_opening.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace osi_cuda {
namespace {

struct Opening {
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false, wanted = true;
  std::string said;  ///< to be told
  std::unique_ptr<Engine> engine;
  std::exception_ptr error;
};

/// Threads that outlive those who began them. At the end of the process it waits for the last.
class Openings {
 public:
  void add(std::shared_ptr<Opening> const& opening, std::function<void()> work) {
    std::lock_guard const lock(mutex_);
    all_.remove_if([](auto& one) {
      std::lock_guard const own(one.first->mutex);
      if (one.first->ended) one.second.join();
      return one.first->ended;
    });
    all_.emplace_back(opening, std::thread(std::move(work)));
  }

  bool any() {
    std::lock_guard const lock(mutex_);
    for (auto& [opening, thread] : all_) {
      std::lock_guard const own(opening->mutex);
      if (!opening->ended) return true;
    }
    return false;
  }

  ~Openings() {
    for (auto& [opening, thread] : all_) thread.join();
  }

 private:
  std::mutex mutex_;
  std::list<std::pair<std::shared_ptr<Opening>, std::thread>> all_;
};

Openings& openings() {
  static Openings all;
  return all;
}

}  // namespace

std::unique_ptr<Engine> openUnless(
    std::function<std::string(int device)> ask,
    std::function<std::unique_ptr<Engine>(EngineOptions const&)> make, EngineOptions options,
    std::function<bool()> const& stop, std::function<void(std::string const&)> const& tell) {
  auto const opening = std::make_shared<Opening>();
  openings().add(opening, [opening, ask = std::move(ask), make = std::move(make),
                           options = std::move(options)] {
    std::unique_ptr<Engine> engine;
    std::exception_ptr error;
    try {
      std::string said = ask(options.device);
      std::unique_lock lock(opening->mutex);
      opening->said = std::move(said);
      bool const wanted = opening->wanted;
      lock.unlock();
      if (wanted) engine = make(options);
    } catch (...) {
      error = std::current_exception();
    }
    std::unique_lock lock(opening->mutex);
    opening->error = error;
    if (opening->wanted) opening->engine = std::move(engine);
    lock.unlock();
    engine.reset();  // of a race that is over; it may take a while
    lock.lock();
    opening->ended = true;
    opening->changed.notify_all();
  });
  std::unique_lock lock(opening->mutex);
  auto const listen = [&] {
    if (std::string const said = std::exchange(opening->said, {}); !said.empty()) tell(said);
  };
  for (; !opening->ended && !stop(); listen())
    opening->changed.wait_for(lock, std::chrono::milliseconds(2));
  listen();
  opening->wanted = opening->ended;
  if (opening->error) std::rethrow_exception(opening->error);
  return std::move(opening->engine);
}

bool opensInBackground() {
  return openings().any();
}

}  // namespace osi_cuda
