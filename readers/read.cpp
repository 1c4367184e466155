// SPDX-License-Identifier: EPL-2.0
#include "readers/read.hpp"

#include <algorithm>
#include <memory>
#include <thread>

#include "readers/formats.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/nl_header.hpp"
#include "readers/nl_reader.hpp"
#include "readers/number.hpp"
#include "readers/smps.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::size_t lookAhead = std::size_t{1} << 16;

std::string_view firstWord(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t\r\n:"));
}

/// What follows blanks, line ends and the comments of all formats; sets `format` if a comment
/// tells it.
std::string_view firstContent(std::string_view text, Format& format) {
  bool atLineStart = true;
  for (;;) {
    while (!text.empty() && (isBlank(text[0]) || text[0] == '\n' || text[0] == '\r')) {
      atLineStart = text[0] == '\n';
      text.remove_prefix(1);
    }
    bool toLineEnd = false;
    if (text.starts_with('\\')) {
      format = Format::cplexLp;
      toLineEnd = true;
    } else if (text.starts_with("//")) {
      format = Format::lpSolveLp;
      toLineEnd = true;
    } else if (text.starts_with("/*")) {
      format = Format::lpSolveLp;
      std::size_t const end = text.find("*/");
      text.remove_prefix(end == text.npos ? text.size() : end + 2);
    } else if (atLineStart && text.starts_with('*')) {
      toLineEnd = true;
    } else {
      return text;
    }
    if (toLineEnd) text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

template <MpsLayout layout>
ReadResult readMpsAs(LineSource& source, ReadOptions const& options, std::function<bool()> const&) {
  return readMps(source, layout, options);
}

template <ReadResult (*read)(LineSource&, ReadOptions const&)>
ReadResult readLp(LineSource& source, ReadOptions const& options, std::function<bool()> const&) {
  return read(source, options);
}

ReadResult readArchive(LineSource& source, ReadOptions const& options,
                       std::function<bool()> const& interrupted) {
  auto const file = randomAccessTo(source.takeBytes());
  ReadResult result =
      readNpz(*file, source.name(), options, std::max(1, source.readAhead().threads), interrupted);
  result.decimals = false;
  return result;
}

ReadResult readAmpl(LineSource& source, ReadOptions const& options,
                    std::function<bool()> const& interrupted) {
  std::string const bytes = source.takeBytes();
  NlFile file = readNl(bytes, source.name(),
                       {.expansionLimit = options.decompressedLimit,
                        .infiniteFrom = options.infiniteFrom,
                        .interrupted = interrupted});
  return {std::move(file.lp), std::move(file.notices), bytes.starts_with('g')};
}

ReadResult readStochastic(LineSource& source, ReadOptions const& options,
                          std::function<bool()> const& interrupted) {
  ReadOptions rest = options;
  rest.interrupted = interrupted;
  ReadResult result = readMps(source, MpsLayout::detect, options);
  ScenarioTree const tree = readTree(result, source.name(), rest);
  result.lp = deterministicEquivalent(result.lp, tree);
  result.decimals = false;
  result.notices.push_back(concat("The deterministic equivalent has ", tree.scenarios.size(),
                                  " scenario(s), ", tree.periods.size(), " period(s) and ",
                                  tree.nodes, " node(s)."));
  return result;
}

constexpr FormatRecord formats[] = {{Format::automatic, "auto", nullptr},
                                    {Format::mps, "mps", readMpsAs<MpsLayout::detect>},
                                    {Format::freeMps, "free-mps", readMpsAs<MpsLayout::free>},
                                    {Format::fixedMps, "fixed-mps", readMpsAs<MpsLayout::fixed>},
                                    {Format::cplexLp, "cplex-lp", readLp<readCplexLp>},
                                    {Format::lpSolveLp, "lp-solve", readLp<readLpSolveLp>},
                                    {Format::npz, "npz", readArchive},
                                    {Format::nl, "nl", readAmpl},
                                    {Format::smps, "smps", readStochastic}};

/// Finds out by the beginning of the content what a file is. A file that is none of the formats is
/// called mps, whose reader says what it misses.
Format detectFormat(LineSource& source) {
  if (source.peek(zipStart.size()) == zipStart) return Format::npz;
  if (isNl(source.peek(lookAhead))) return Format::nl;
  Format format = Format::mps;
  std::string_view const text = firstContent(source.peek(lookAhead), format);
  if (format != Format::mps) return format;
  std::string_view const first = firstWord(text);
  if (isOneOf(first, "maximize maximise maximum max minimize minimise minimum min")) {
    std::size_t const behind = text.find_first_not_of(" \t", first.size());
    if (behind != text.npos && text[behind] == ':') return Format::lpSolveLp;
    // MPS files may begin with the line MAX or MIN, which ROWS follows.
    std::size_t const next = std::min(text.find_first_not_of(" \t\r\n", first.size()), text.size());
    return isOneOf(firstWord(text.substr(next)), "ROWS NAME") ? Format::mps : Format::cplexLp;
  }
  if (isOneOf(first, "NAME ROWS OBJSENSE OBJSENSEMAX OBJSENSEMIN OBJNAME COLUMNS RHS ENDATA"))
    return Format::mps;
  return text.find(';') == text.npos ? Format::mps : Format::lpSolveLp;
}

/// The reader of a format, or of the one that the content is.
Reader readerOf(Format format, LineSource& source) {
  Format const wanted = format == Format::automatic ? detectFormat(source) : format;
  auto const found = std::find_if(std::begin(formats), std::end(formats),
                                  [&](auto const& record) { return record.format == wanted; });
  return found->read;
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

std::span<FormatRecord const> formatTable() {
  return formats;
}

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
