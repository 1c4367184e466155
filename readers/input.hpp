// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/base/index.hpp"

namespace osi_cuda::readers {

/// Bytes from somewhere: a file, memory, or what another input holds in compressed form.
class Input {
 public:
  virtual ~Input() = default;
  /// Fills the front of `space` and returns how many bytes that were; 0 only at the end. Throws
  /// InputFault.
  virtual std::size_t read(std::span<char> space) = 0;
  /// Bytes of the whole input where that is known, else 0: a size to reserve memory by.
  virtual std::uint64_t bytesExpected() const { return 0; }
};

/// Bytes that can't be had: a disk error, a truncated or corrupt compressed file, a limit. It
/// knows no position; the LineSource adds the one it has reached.
struct InputFault : std::runtime_error {
  InputFault(std::string expectedText, std::string foundText)
      : std::runtime_error("expected " + expectedText + ", found " + foundText),
        expected(std::move(expectedText)),
        found(std::move(foundText)) {}
  std::string expected;
  std::string found;
};

/// Whether reading is to stop, asked by several threads: the caller's function is called by the
/// thread that made the object only, since it need not be made for others.
class Interruption {
 public:
  explicit Interruption(std::function<bool()> asked) : asked_(std::move(asked)) {}
  bool operator()() const {
    if (stopped_) return true;
    return asked_ && std::this_thread::get_id() == owner_ && asked_();
  }
  /// From now on every thread is told to stop.
  void stop() { stopped_ = true; }

 private:
  std::function<bool()> asked_;
  std::thread::id owner_ = std::this_thread::get_id();
  std::atomic<bool> stopped_ = false;
};

/// The bytes of a file; `-` is standard input. `interrupted`, if not null, is asked at every
/// read, and twenty times a second while a pipe or a terminal has nothing to say, also while a
/// named pipe has no writer. Throws OpenError, on reading ReadInterrupted.
std::unique_ptr<Input> openFile(std::string const& path, std::function<bool()> interrupted = {});

/// The bytes of `text`, which must outlive the input.
std::unique_ptr<Input> openText(std::string_view text);

/// Bytes that a compressed file of that size may expand to; see decompress.
std::uint64_t expansionLimit(std::uint64_t limit, std::uint64_t compressedBytes);

/// Reads `source` and decompresses it if its first bytes are those of a gzip, bzip2, xz or
/// Zstandard file; concatenated compressed files are read as one. `limit` bounds the
/// decompressed bytes; 0 stands for 256 MiB plus 200 times the compressed bytes, far beyond what
/// linear programs reach and far below what a file made to exhaust memory expands to. With several
/// `threads` so many expand a file whose frames tell their length.
std::unique_ptr<Input> decompress(std::unique_ptr<Input> source, std::uint64_t limit,
                                  int threads = 1);

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
