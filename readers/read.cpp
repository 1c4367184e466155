// SPDX-License-Identifier: EPL-2.0
#include "readers/read.hpp"

#include "readers/format_detection.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/lp_reader.hpp"
#include "readers/mps_reader.hpp"

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
      break;
  }
  return MpsLayout::detect;
}

ReadResult readInput(std::unique_ptr<Input> input, std::string const& name,
                     ReadOptions const& options) {
  LineSource source(decompress(std::move(input), options.decompressedLimit), name,
                    options.interrupted);
  Format const format = options.format == Format::automatic ? detectFormat(source) : options.format;
  if (format == Format::cplexLp) return readCplexLp(source);
  if (format == Format::lpSolveLp) return readLpSolveLp(source);
  return readMps(source, layoutOf(format), options.freeRows, options.orderedSets);
}

}  // namespace

ReadResult read(std::string const& path, ReadOptions const& options) {
  return readInput(openFile(path, options.interrupted), path == "-" ? "standard input" : path,
                   options);
}

ReadResult readText(std::string_view text, std::string const& name, ReadOptions const& options) {
  return readInput(openText(text), name, options);
}

}  // namespace osi_cuda::readers
