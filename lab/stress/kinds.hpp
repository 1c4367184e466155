// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/stress/base_models.hpp"
#include "lab/stress/dice.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::stress {

/// A way to make problems that are hard on numerics.
struct Kind {
  std::string name;      ///< as on the command line: "scale4", "hilbert-free", ...
  bool fromBase = true;  ///< changes a base model; else constructs a problem from nothing
  std::string what;      ///< a phrase
  /// Makes the problem. A kind that constructs gets an empty base.
  std::function<LinearProgram(Dice&, BaseModel const&)> make;
  bool everyRule = false;  ///< to be solved with every pricing rule
};

/// All kinds, in the order of the table in lab/log/stress-set.md.
std::vector<Kind> const& kinds();

/// The kind of that name, or null.
Kind const* findKind(std::string const& name);

/// The problem of this kind, base and seed, the same on every machine with the same Clp.
LinearProgram makeProblem(Kind const& kind, std::string const& baseName, BaseModel const& base,
                          std::uint64_t seed);

// The groups that kinds() is put together from.
std::vector<Kind> changedKinds();
std::vector<Kind> movedBoundKinds();
std::vector<Kind> constructedKinds();
std::vector<Kind> nearlyParallelKinds();
std::vector<Kind> wideNumberKinds();
std::vector<Kind> edgeKinds();

}  // namespace osi_cuda::stress
