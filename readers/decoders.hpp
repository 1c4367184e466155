// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "readers/input.hpp"

namespace osi_cuda::readers {

/// What one call of a decoder did.
struct Step {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool ended = false;  ///< the compressed stream is complete; another one may follow
};

/// Of one compressed stream.
class Decoder {
 public:
  Decoder() = default;
  Decoder(Decoder const&) = delete;
  Decoder& operator=(Decoder const&) = delete;
  virtual ~Decoder() = default;
  virtual char const* name() const = 0;
  /// Throws InputFault when the data is corrupt.
  virtual Step decode(std::span<char const> in, std::span<char> out) = 0;

 protected:
  [[noreturn]] void corrupt() const {
    throw InputFault(std::string("valid ") + name() + " data", "corrupt data");
  }
};

/// Makes a decoder of its kind.
using DecoderMaker = std::unique_ptr<Decoder> (*)();

/// The decoder of what begins with these bytes (ten, unless there are fewer); null: plain text.
DecoderMaker decoderFor(std::string_view start);

/// Is it a frame of Zstandard?
bool isZstd(std::string_view bytes);
/// A frame that Zstandard skips, as pzstd puts before each of its own.
bool isSkippable(std::string_view bytes);
/// Of deflated data without a header, as archives of zip hold it.
std::unique_ptr<Decoder> deflateDecoder();

}  // namespace osi_cuda::readers
