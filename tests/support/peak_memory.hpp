// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace osi_cuda::testing {

/// Bytes that /proc/self/status says this process has in memory ("VmRSS") or had at most ("VmHWM");
/// -1 where it does not say.
inline std::int64_t memoryInUse(std::string const& key) {
  std::ifstream file("/proc/self/status");
  std::string name, rest;
  std::int64_t kibibytes = 0;
  while (file >> name) {
    if (name == key + ":" && file >> kibibytes) return kibibytes * 1024;
    std::getline(file, rest);
  }
  return -1;
}

/// The most memory that this process takes on top of what it has now, from the constructor on.
class PeakMemory {
 public:
  PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // what it had at most is what it has now
    base_ = memoryInUse("VmRSS");
    known_ = base_ > 0 && memoryInUse("VmHWM") <= base_ + slack;
  }

  /// Whether the system counts it.
  bool known() const { return known_; }
  double bytes() const { return static_cast<double>(memoryInUse("VmHWM") - base_); }

 private:
  static constexpr std::int64_t slack = std::int64_t{1} << 20;  ///< the kernel counts by threads
  std::int64_t base_ = 0;
  bool known_ = false;
};

}  // namespace osi_cuda::testing
