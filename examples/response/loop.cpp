// SPDX-License-Identifier: EPL-2.0
#include "examples/response/loop.hpp"

#include <algorithm>
#include <stdexcept>

namespace osi_cuda::response {

int Loop::add(std::string name, std::span<std::byte> memory) {
  datasets_.push_back({std::move(name), memory});
  return int(datasets_.size()) - 1;
}

std::vector<int> Loop::liveBefore(int stage) const {
  using Flags = std::vector<char>;
  std::vector<Flags> live(stages_.size(), Flags(datasets_.size(), 0));
  // live before = read here, or live before one of the next stages and not overwritten here. From
  // nothing upwards, until nothing is added.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = stages_.size(); s-- > 0;) {
      Flags now(datasets_.size(), 0);
      for (int const next : stages_[s].next)
        if (next == end)
          for (int const k : results_) now[k] = 1;
        else
          for (std::size_t k = 0; k < now.size(); ++k) now[k] |= live[next][k];
      for (int const k : stages_[s].writes) now[k] = 0;
      for (int const k : stages_[s].reads) now[k] = 1;
      changed = changed || now != live[s];
      live[s] = now;
    }
  }
  std::vector<int> result;
  for (int k = 0; k < int(datasets_.size()); ++k)
    if (live.at(stage)[k]) result.push_back(k);
  return result;
}

std::size_t Loop::bytesBefore(int stage) const {
  std::size_t bytes = 0;
  for (int const k : liveBefore(stage)) bytes += datasets_[k].memory.size();
  return bytes;
}

int Loop::leastPoint() const {
  int best = 0;
  for (int s = 1; s < int(stages_.size()); ++s)
    if (bytesBefore(s) < bytesBefore(best)) best = s;
  return best;
}

int Loop::run(int stage, std::function<bool(int stage)> const& goOn) const {
  while (stage != end && goOn(stage)) {
    Stage const& here = stages_[stage];
    stage = here.run();
    if (std::find(here.next.begin(), here.next.end(), stage) == here.next.end())
      throw std::logic_error("stage '" + here.name + "' is followed by what it did not announce");
  }
  return stage;
}

}  // namespace osi_cuda::response
