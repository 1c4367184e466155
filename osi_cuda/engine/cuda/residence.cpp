// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/residence.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "osi_cuda/engine/cuda/check.hpp"

namespace osi_cuda::cuda {
namespace {

struct Entry {
  std::size_t key;
  int device;
  double const* host;
  std::size_t count;
  double const* there;
  Residence::As as;
};

/// Of all engines of the process. Never destroyed: an engine may go after main() is over.
struct Register {
  std::mutex mutex;
  std::vector<Entry> entries;
  std::size_t lastKey = 0;
};

Register& allEntries() {
  static auto* const entries = new Register;
  return *entries;
}

int presentDevice() {
  int device = 0;
  check(cudaGetDevice(&device));
  return device;
}

}  // namespace

Residence::Residence(double const* host, std::size_t count, double const* there, As as) {
  int const device = presentDevice();
  Register& all = allEntries();
  std::lock_guard const lock(all.mutex);
  key_ = ++all.lastKey;
  all.entries.push_back({key_, device, host, count, there, as});
}

Residence::~Residence() {
  if (key_ == 0) return;
  Register& all = allEntries();
  std::lock_guard const lock(all.mutex);
  std::erase_if(all.entries, [this](Entry const& entry) { return entry.key == key_; });
}

// The last one first: an older engine may hold what was at the same place before.
double const* Residence::find(double const* host, std::size_t count, As as) {
  int const device = presentDevice();
  Register& all = allEntries();
  std::lock_guard const lock(all.mutex);
  auto const found =
      std::find_if(all.entries.rbegin(), all.entries.rend(), [&](Entry const& entry) {
        return entry.device == device && entry.host == host && entry.count == count &&
               entry.as == as;
      });
  return found == all.entries.rend() ? nullptr : found->there;
}

}  // namespace osi_cuda::cuda
