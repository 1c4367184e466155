// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/random.hpp"

namespace osi_cuda::stress {

using Dice = testing::Random;

/// Of all problems of the set.
constexpr std::uint64_t stressStream = 0x2545f4914f6cdd1du;

/// The numbers of that seed for a kind of problem, by its name: FNV-1a, so that each has its own.
inline Dice diceFor(std::string const& name, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char const c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return {hash + seed, stressStream};
}

}  // namespace osi_cuda::stress
