// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/base/host_device.hpp"

namespace osi_cuda::shortest_path {

/// Four random words.
struct PhiloxWords {
  std::uint32_t word[4];
};

/// The upper 32 bits of a product.
OSI_CUDA_HD inline std::uint32_t productHigh(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC
/// 2011): a function from a counter of 128 bits and a key of 64 bits to four random words. It has
/// no state, so that whoever knows counter and key, on host or device, in any order, gets the same
/// words.
OSI_CUDA_HD inline PhiloxWords philox(PhiloxWords counter, std::uint64_t key) {
  constexpr std::uint32_t multiplier0 = 0xD2511F53u, multiplier1 = 0xCD9E8D57u;
  constexpr std::uint32_t weyl0 = 0x9E3779B9u, weyl1 = 0xBB67AE85u;
  constexpr int rounds = 10;
  std::uint32_t key0 = static_cast<std::uint32_t>(key);
  std::uint32_t key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < rounds; ++round) {
    std::uint32_t const high0 = productHigh(multiplier0, counter.word[0]);
    std::uint32_t const high1 = productHigh(multiplier1, counter.word[2]);
    std::uint32_t const low0 = multiplier0 * counter.word[0];
    std::uint32_t const low1 = multiplier1 * counter.word[2];
    counter = {{high1 ^ counter.word[1] ^ key0, low1, high0 ^ counter.word[3] ^ key1, low0}};
    key0 += weyl0;
    key1 += weyl1;
  }
  return counter;
}

}  // namespace osi_cuda::shortest_path
