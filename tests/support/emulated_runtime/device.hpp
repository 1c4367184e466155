// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/emulated_runtime/emulated_runtime.hpp"

/// The state of the device that emulated_runtime.hpp describes, for those who define its functions.
namespace emulated_runtime {

struct Stream {
  std::deque<std::function<void()>> queue;
  std::uint64_t queued = 0, done = 0;  ///< how many ever
  int device = 0;                      ///< that was the current one when it was made
  bool waits = true;                   ///< false: a default stream, which does its work at once
  std::vector<std::function<void()>>* captured = nullptr;  ///< work goes there meanwhile

  void put(std::function<void()> work) {
    if (captured) return captured->push_back(std::move(work));
    queue.push_back(std::move(work));
    ++queued;
    if (!waits) doAll();
  }
  void doOne() {
    std::function<void()> const work = std::move(queue.front());
    queue.pop_front();
    ++done;
    work();
  }
  void doAll() {
    while (!queue.empty()) doOne();
  }
  void doUntil(std::uint64_t count) {
    while (done < count) doOne();
  }
};
struct Event {
  Stream* stream = nullptr;  ///< where it was recorded; null: nowhere yet
  std::uint64_t place = 0;
};

/// What a call may meet.
enum class Trouble { none, noMemory, lost };

class Device {
 public:
  int devices = 2, driver = 1 << 20;  ///< the driver: the newest CUDA that it serves
  int capability = 0;
  static inline thread_local int current = 0;
  bool cooperative = true;
  bool peers = true;                     ///< devices can read each other's memory
  std::set<std::pair<int, int>> access;  ///< reader and owner where that was asked for
  std::size_t memory = std::size_t{1} << 30;
  std::size_t shared = std::size_t{228} << 10;  ///< of a block, at most
  unsigned long long seed = 1;
  long calls = 0, failing = 0, waits = 0, sliced = 0;
  Failure failure = Failure::once;
  bool lost = false;
  int gone = -1;  ///< the one device that is lost
  std::size_t allocated = 0, mostAllocated = 0, uploaded = 0, downloaded = 0;
  std::map<char*, std::size_t> onDevice, pinned;  ///< by where they begin
  std::vector<std::unique_ptr<Stream>> streams;
  std::map<int, Stream> defaults;  ///< by device
  std::vector<std::unique_ptr<Event>> events;
  std::map<std::string, int> handles;  ///< of the libraries, by kind
  std::vector<std::string> faults;

  /// To be asked by every call that may fail; -1: of no device.
  Trouble trouble(int number);
  Trouble trouble() { return trouble(current); }
  void fault(std::string sentence) { faults.push_back(std::move(sentence)); }
  /// Whether [from, from + bytes) lies in one allocation; a fault otherwise.
  bool inside(std::map<char*, std::size_t> const& where, void const* from, std::size_t bytes,
              char const* who);
  bool isPinned(void const* from) const;
  bool isOnDevice(void const* from) const;
  /// `bytes` of memory that begins as numbers that are none; null: there is no room.
  char* take(std::map<char*, std::size_t>& where, std::size_t bytes);
  void giveBack(std::map<char*, std::size_t>& where, void* begin, char const* who);
  /// Of a handle; null: the current device's default stream.
  Stream& streamOf(void* handle);
  void doEverything() {
    for (auto const& stream : streams) stream->doAll();
  }
};

Device& device();

/// Threads may call functions of the runtime and of the libraries side by side, each for its
/// current device.
std::recursive_mutex& oneAtATime();

}  // namespace emulated_runtime
