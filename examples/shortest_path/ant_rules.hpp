// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "examples/shortest_path/philox.hpp"
#include "osi_cuda/base/host_device.hpp"

/// What one ant and one arc do, compiled for host and device. Both get the same bits: floats are
/// only multiplied, divided and added one operation at a time (no library function, no fused
/// multiply-add: see the compiler's options), sums over many terms are sums of integers, for which
/// the order does not matter, and deposits are added in the order of the ants.
namespace osi_cuda::shortest_path::ants {

inline constexpr int bySize = -1;  ///< of lengthPower: 1 for small graphs, 2 for larger ones

/// Exponents and rates; whole exponents, so that powers are plain products.
struct Parameters {
  int ants = 1024;
  int pheromonePower = 1;    ///< a
  int lengthPower = bySize;  ///< b
  int depositPower = 128;    ///< c
  float initial = 10000.0f;  ///< pheromone on every arc at first, > 1
  float evaporation = 0.9f;  ///< what is left of it after an iteration, in (0, 1)
};

OSI_CUDA_HD inline float power(float base, int exponent) {
  float result = 1.0f;
  for (int k = 0; k < exponent; ++k) result *= base;
  return result;
}

/// pheromone^a / length^b, how much an arc attracts; 0 where there is no arc (length 0).
OSI_CUDA_HD inline float attraction(float pheromone, std::int32_t length,
                                    Parameters const& parameters) {
  if (length == 0) return 0.0f;
  return power(pheromone, parameters.pheromonePower) /
         power(static_cast<float>(length), parameters.lengthPower);
}

/// The largest weight of a choice among n, a power of two such that n of them fit 32 bits.
OSI_CUDA_HD inline std::uint32_t topWeight(std::int32_t vertices) {
  std::uint32_t top = std::uint32_t{1} << 31;
  for (std::int32_t k = 1; k < vertices; k *= 2) top /= 2;
  return top;
}

/// An attraction as a whole number: its share of the largest in its row, in units of 1 / top. An
/// arc that exists keeps at least one unit.
OSI_CUDA_HD inline std::uint32_t choiceWeight(float attraction, float rowMaximum,
                                              std::uint32_t top) {
  if (attraction == 0.0f) return 0;
  auto const weight = static_cast<std::uint32_t>(attraction / rowMaximum * static_cast<float>(top));
  return weight > 0 ? weight : 1;
}

/// The random word of an ant's step: each has a counter of its own.
OSI_CUDA_HD inline std::uint32_t randomWord(std::uint64_t seed, std::uint32_t iteration,
                                            std::uint32_t ant, std::uint32_t step) {
  PhiloxWords const words = philox({{step / 4, ant, iteration, 0}}, seed);
  return words.word[step % 4];
}

/// What an ant adds to its arcs: 1 / length^c, with the shortest length so far as unit, so that the
/// unit of the weights does not matter.
OSI_CUDA_HD inline float deposit(std::int32_t shortest, std::int32_t length,
                                 Parameters const& parameters) {
  return power(static_cast<float>(shortest) / static_cast<float>(length), parameters.depositPower);
}

/// The arc of a row (length n) with the most pheromone, the first of equals; -1 without arcs.
OSI_CUDA_HD inline std::int32_t strongest(float const* pheromone, std::int32_t const* length,
                                          std::int32_t vertices) {
  std::int32_t best = -1;
  for (std::int32_t j = 0; j < vertices; ++j)
    if (length[j] > 0 && (best < 0 || pheromone[j] > pheromone[best])) best = j;
  return best;
}

/// A hash of the bits of a row (FNV-1a over words): tells whether host and device agree.
OSI_CUDA_HD inline std::uint64_t fingerprint(float const* pheromone, std::int32_t vertices) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (std::int32_t j = 0; j < vertices; ++j) {
    std::uint32_t bits = 0;
    memcpy(&bits, pheromone + j, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3ull;
  }
  return hash;
}

}  // namespace osi_cuda::shortest_path::ants
