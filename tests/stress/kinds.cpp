// SPDX-License-Identifier: EPL-2.0
#include "tests/stress/kinds.hpp"

#include <stdexcept>

namespace osi_cuda::stress {
namespace {

/// FNV-1a, so that each kind and base has random numbers of its own.
std::uint64_t hashOf(std::string const& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::vector<Kind> allKinds() {
  std::vector<Kind> all;
  for (auto* group :
       {changedKinds, movedBoundKinds, constructedKinds, nearlyParallelKinds, wideNumberKinds})
    for (Kind& kind : group()) all.push_back(std::move(kind));
  return all;
}

}  // namespace

std::vector<Kind> const& kinds() {
  static std::vector<Kind> const all = allKinds();
  return all;
}

Kind const* findKind(std::string const& name) {
  for (Kind const& kind : kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

LinearProgram makeProblem(Kind const& kind, std::string const& baseName, BaseModel const& base,
                          std::uint64_t seed) {
  Dice dice(hashOf(kind.name + "/" + baseName) + seed);
  LinearProgram lp = kind.make(dice, base);
  lp.name = kind.name + (baseName.empty() ? "" : "_" + baseName) + "_" + std::to_string(seed);
  if (std::string const fault = findFault(lp); !fault.empty())
    throw std::logic_error(lp.name + " is not a sound problem: " + fault);
  return lp;
}

}  // namespace osi_cuda::stress
