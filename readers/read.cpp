// SPDX-License-Identifier: EPL-2.0
#include "readers/read.hpp"

#include <algorithm>
#include <memory>
#include <thread>

#include "readers/formats.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/number.hpp"

namespace osi_cuda::readers {
namespace {

/// The caller's function, asked on behalf of all threads that read.
std::shared_ptr<Interruption> interruptionOf(ReadOptions const& options) {
  return std::make_shared<Interruption>(options.interrupted);
}

ReadAhead readAheadOf(ReadOptions const& options, std::shared_ptr<Interruption> const& stop) {
  ReadAhead ahead;
  // More would wait for the two that read the file and put pieces together, and each holds pieces.
  constexpr int mostThreads = 32;
  int const cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  ahead.threads = std::min(options.threads > 0 ? options.threads : cores, mostThreads);
  if (options.pieces.lineByLine || fractionsAreKept()) ahead.threads = 0;
  ahead.pieceBytes = options.pieces.bytes;
  ahead.stop = [stop] { stop->stop(); };
  return ahead;
}

ReadResult readInput(std::unique_ptr<Input> input, std::string const& name,
                     ReadOptions const& options, std::shared_ptr<Interruption> const& stop) {
  ReadAhead const ahead = readAheadOf(options, stop);
  LineSource source(
      decompress(std::move(input), options.decompressedLimit, ahead.threads), name,
      [stop] { return (*stop)(); }, ahead);
  return readerOf(options.format, source)(source, options, [stop] { return (*stop)(); });
}

}  // namespace

ReadResult read(std::string const& path, ReadOptions const& options) {
  auto const stop = interruptionOf(options);
  // An archive that lies in a file is read from there, by all threads.
  if (options.format == Format::automatic || options.format == Format::npz) {
    if (auto const file = openRandomAccess(path, zipStart))
      return readNpz(*file, path, options, std::max(1, readAheadOf(options, stop).threads),
                     [stop] { return (*stop)(); });
  }
  return readInput(openFile(path, [stop] { return (*stop)(); }),
                   path == "-" ? "standard input" : path, options, stop);
}

ReadResult readText(std::string_view text, std::string const& name, ReadOptions const& options) {
  return readInput(openText(text), name, options, interruptionOf(options));
}

}  // namespace osi_cuda::readers
