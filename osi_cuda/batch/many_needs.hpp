// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// What many problems take of a device's memory, and how they are divided into parts so that this
/// is bounded, however many they are.
namespace osi_cuda::batch {

/// Problems of a batch that travel together: so many bytes of numbers and problems at most, large
/// beside what a launch takes, small beside the memory of a device and of the processor.
inline constexpr std::size_t partBytes = std::size_t{96} << 20,
                             partProblems = std::size_t{1} << 17;
/// Variants that do, with answers of so many rows and columns; a part ends where they have so many
/// changed numbers, 16 bytes each.
std::size_t variantPart(std::size_t lines);
inline constexpr std::size_t partNumbers = std::size_t{1} << 24;

/// K of VariantOptions, and what those begin again with on a device that outgrow it.
inline constexpr int usualFactors = 128, moreFactors = 512;

/// Bytes of a device's memory beside its context, as in DeviceNeeds, of `count` problems of rows x
/// columns with all their bounds, and of as many variants of such a dense problem with points, each
/// with `changes` changed numbers, where some want so many factors. Of a device with so many
/// multiprocessors: 132 are an H100's, and an H200's.
struct ManyNeeds {
  std::uint64_t batch = 0, variants = 0;
};
ManyNeeds manyNeeds(int rows, int columns, std::uint64_t count, std::uint64_t changes = 0,
                    int factors = moreFactors, int multiprocessors = 132);

}  // namespace osi_cuda::batch
