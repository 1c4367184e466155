// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace osi_cuda::readers {

/// Bytes of which any part can be read at any time, by several threads.
class RandomAccess {
 public:
  virtual ~RandomAccess() = default;
  virtual std::uint64_t size() const = 0;
  /// Fills `space` with the bytes from `offset` on, all of which have to be there. Throws
  /// InputFault.
  virtual void readAt(std::uint64_t offset, std::span<char> space) const = 0;
};

/// The bytes of a regular file that begins with `mark`; null for anything else, so that it can be
/// opened as a stream and say what is wrong.
std::unique_ptr<RandomAccess> openRandomAccess(std::string const& path, std::string_view mark);

/// Bytes in memory.
std::unique_ptr<RandomAccess> randomAccessTo(std::string bytes);

}  // namespace osi_cuda::readers
