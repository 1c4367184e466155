// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/kinds.hpp"

#include <stdexcept>

namespace osi_cuda::stress {
namespace {

std::vector<Kind> allKinds() {
  std::vector<Kind> all;
  for (auto* group : {changedKinds, movedBoundKinds, constructedKinds, nearlyParallelKinds,
                      wideNumberKinds, edgeKinds})
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
  Dice dice = diceFor(kind.name + "/" + baseName, seed);
  LinearProgram lp = kind.make(dice, base);
  lp.name = kind.name + (baseName.empty() ? "" : "_" + baseName) + "_" + std::to_string(seed);
  if (std::string const fault = findFault(lp); !fault.empty())
    throw std::logic_error(lp.name + " is not a sound problem: " + fault);
  return lp;
}

}  // namespace osi_cuda::stress
