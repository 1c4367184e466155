// SPDX-License-Identifier: EPL-2.0
#include "tests/support/emulated_runtime/device.hpp"

#include <cstring>

namespace emulated_runtime {
namespace {

std::unique_ptr<Device> present = std::make_unique<Device>();

/// The allocation that `place` lies in.
auto allocationOf(std::map<char*, std::size_t> const& where, void const* place) {
  auto after = where.upper_bound(static_cast<char*>(const_cast<void*>(place)));
  return after == where.begin() ? where.end() : std::prev(after);
}

}  // namespace

Device& device() {
  return *present;
}

std::recursive_mutex& oneAtATime() {
  static std::recursive_mutex mutex;
  return mutex;
}

Trouble Device::trouble(int number) {
  ++calls;
  if (calls == failing) {
    if (failure == Failure::once) return Trouble::noMemory;
    if (failure == Failure::one)
      gone = current;
    else
      lost = true;
  }
  return lost || (gone >= 0 && number == gone) ? Trouble::lost : Trouble::none;
}

bool Device::inside(std::map<char*, std::size_t> const& where, void const* from, std::size_t bytes,
                    char const* who) {
  if (bytes == 0) return true;
  auto const found = allocationOf(where, from);
  auto const* const begin = static_cast<char const*>(from);
  if (found != where.end() && begin + bytes <= found->first + found->second) return true;
  fault(std::string(who) + ": " + std::to_string(bytes) + " bytes that are not all allocated");
  return false;
}

bool Device::isPinned(void const* from) const {
  auto const found = allocationOf(pinned, from);
  return found != pinned.end() && static_cast<char const*>(from) < found->first + found->second;
}

bool Device::isOnDevice(void const* from) const {
  auto const found = allocationOf(onDevice, from);
  return found != onDevice.end() && static_cast<char const*>(from) < found->first + found->second;
}

char* Device::take(std::map<char*, std::size_t>& where, std::size_t bytes) {
  bool const counts = &where == &onDevice;
  if (counts && allocated + bytes > memory) return nullptr;
  char* const begin = static_cast<char*>(::operator new (bytes, std::align_val_t{256}));
  std::memset(begin, 0xff, bytes);
  where[begin] = bytes;
  if (!counts) return begin;
  allocated += bytes;
  mostAllocated = std::max(mostAllocated, allocated);
  return begin;
}

void Device::giveBack(std::map<char*, std::size_t>& where, void* begin, char const* who) {
  auto const found = where.find(static_cast<char*>(begin));
  if (found == where.end()) return fault(std::string(who) + ": there is no such memory");
  if (&where == &onDevice) allocated -= found->second;
  ::operator delete (begin, std::align_val_t{256});
  where.erase(found);
}

Stream& Device::streamOf(void* handle) {
  if (handle) return *static_cast<Stream*>(handle);
  Stream& stream = defaults[current];
  stream.device = current;
  stream.waits = false;
  return stream;
}

void reset() {
  present = std::make_unique<Device>();
  Device::current = 0;
}
void failAt(long number, Failure failure) {
  device().failing = number;
  device().failure = failure;
}
long calls() {
  return device().calls;
}
long waits() {
  return device().waits;
}
long sliced() {
  return device().sliced;
}
void setDevices(int count) {
  device().devices = count;
}
void setPeers(bool canRead) {
  device().peers = canRead;
}
void setDriver(int version) {
  device().driver = version;
}
void setCapability(int capability) {
  device().capability = capability;
}
void setMemory(std::size_t bytes) {
  device().memory = bytes;
}
void setCooperative(bool launches) {
  device().cooperative = launches;
}
std::size_t allocated() {
  return device().allocated;
}
std::size_t mostAllocated() {
  return device().mostAllocated;
}
std::size_t uploaded() {
  return device().uploaded;
}
std::size_t downloaded() {
  return device().downloaded;
}
std::vector<std::string> held() {
  std::vector<std::string> list;
  auto const add = [&](std::string const& what, std::size_t count) {
    if (count > 0) list.push_back(std::to_string(count) + " x " + what);
  };
  Device const& d = device();
  add("device memory", d.onDevice.size());
  add("page-locked memory", d.pinned.size());
  add("stream", d.streams.size());
  add("event", d.events.size());
  for (auto const& [what, count] : d.handles) add(what, static_cast<std::size_t>(count));
  return list;
}
std::vector<std::string> faults() {
  return device().faults;
}
void setSeed(unsigned long long seed) {
  device().seed = seed;
}

}  // namespace emulated_runtime
