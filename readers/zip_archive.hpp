// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "readers/decoders.hpp"
#include "readers/input.hpp"

namespace osi_cuda::readers {

/// How a file of an archive is kept.
enum class ZipMethod : std::uint16_t { stored = 0, deflated = 8 };

struct ZipMember {
  std::string name;
  ZipMethod method = ZipMethod::stored;
  std::uint32_t checkSum = 0;  ///< CRC-32 of the content
  std::uint64_t packedSize = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  ///< of its first packed byte
};

/// The files of a zip archive, by its central directory, also with 64-bit sizes (zip64). Throws
/// InputFault for what is no archive, is cut off, contradicts itself, is encrypted, split, or
/// packed by other methods than the two above. Members do not overlap: `packedSize` bytes of each
/// are there, and a file can't expand to more than its packed bytes allow. Source of the format:
/// PKWARE, "APPNOTE.TXT", version 6.3.10.
std::vector<ZipMember> zipDirectory(RandomAccess const& file);

/// The content of a member from its beginning, in order. Throws InputFault where it is corrupt.
class ZipContent {
 public:
  /// Both must outlive the object.
  ZipContent(RandomAccess const& file, ZipMember const& member);
  ZipContent(ZipContent const&) = delete;
  ZipContent& operator=(ZipContent const&) = delete;

  /// Fills `space`. Throws InputFault also where the content ends before.
  void read(std::span<char> space);
  /// To be called behind the last byte: nothing may follow, and the check sum has to agree.
  void finish();

 private:
  void refill();

  RandomAccess const& file_;
  ZipMember const& member_;
  std::unique_ptr<Decoder> decoder_;  // null: stored
  std::vector<char> block_;           // packed bytes, of which `packed_` are left
  std::span<char const> packed_;
  bool ended_ = false;
  std::uint64_t taken_ = 0;  // packed bytes
  std::uint64_t given_ = 0;
  std::uint32_t checkSum_ = 0;
};

/// CRC-32 as zip archives have it, of bytes that follow those with the sum `before`.
std::uint32_t zipCheckSum(std::uint32_t before, std::span<char const> bytes);
/// That of two texts, the second `size` bytes long.
std::uint32_t joinedCheckSum(std::uint32_t first, std::uint32_t second, std::uint64_t size);

/// Writes an archive of stored files, piece by piece, with 64-bit sizes throughout.
class ZipWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  explicit ZipWriter(Sink sink) : sink_(std::move(sink)) {}

  /// Adds a file. `content` gives its bytes to the sink that it is called with; it is called twice,
  /// and says the same both times: sizes and sums come first.
  void add(std::string const& name, std::function<void(Sink const&)> const& content);
  /// The directory; last.
  void finish();

 private:
  void put(std::string_view bytes);

  Sink sink_;
  std::uint64_t written_ = 0;
  std::vector<ZipMember> members_;  // offset: of the local header
};

}  // namespace osi_cuda::readers
