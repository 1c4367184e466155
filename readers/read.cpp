// SPDX-License-Identifier: EPL-2.0
#include "readers/read.hpp"

#include <algorithm>
#include <memory>
#include <thread>

#include "readers/format_detection.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/lp_reader.hpp"
#include "readers/mps_reader.hpp"
#include "readers/nl_reader.hpp"
#include "readers/npz_reader.hpp"

namespace osi_cuda::readers {
namespace {

MpsLayout layoutOf(Format format) {
  switch (format) {
    case Format::fixedMps:
      return MpsLayout::fixed;
    case Format::freeMps:
      return MpsLayout::free;
    case Format::automatic:
    case Format::mps:
    case Format::cplexLp:
    case Format::lpSolveLp:
    case Format::npz:
    case Format::nl:
      break;
  }
  return MpsLayout::detect;
}

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
  if (options.pieces.lineByLine) ahead.threads = 0;
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
  bool const isArchive = source.peek(zipStart.size()) == zipStart;
  if (options.format == Format::npz || (options.format == Format::automatic && isArchive)) {
    auto const file = randomAccessTo(source.takeBytes());
    return readNpz(*file, name, options, std::max(1, source.readAhead().threads),
                   [stop] { return (*stop)(); });
  }
  Format const format = options.format == Format::automatic ? detectFormat(source) : options.format;
  if (format == Format::nl) {
    std::string const bytes = source.takeBytes();
    NlOptions nl;
    nl.expansionLimit = options.decompressedLimit;
    nl.interrupted = [stop] { return (*stop)(); };
    NlFile file = readNl(bytes, name, nl);
    return {std::move(file.lp), std::move(file.notices)};
  }
  if (format == Format::cplexLp) return readCplexLp(source);
  if (format == Format::lpSolveLp) return readLpSolveLp(source);
  return readMps(source, layoutOf(format), options.freeRows, options.orderedSets);
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
