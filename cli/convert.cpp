// SPDX-License-Identifier: EPL-2.0
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/log.hpp"
#include "osi_cuda/model/options.hpp"
#include "readers/formats.hpp"
#include "readers/number.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

using readers::FileFormat;
using readers::Format;

std::vector<std::pair<std::string_view, Format>> inputFormats() {
  std::vector<std::pair<std::string_view, Format>> words;
  for (auto const& record : readers::formatTable()) words.emplace_back(record.word, record.format);
  return words;
}

constexpr std::pair<std::string_view, FileFormat> outputFormats[] = {
    {"free-mps", FileFormat::freeMps},
    {"fixed-mps", FileFormat::fixedMps},
    {"cplex-lp", FileFormat::cplexLp},
    {"lp-solve", FileFormat::lpSolveLp},
    {"npz", FileFormat::npz}};

std::string listed(auto const& words) {
  std::string text;
  for (std::size_t left = std::size(words); auto const& [word, value] : words)
    text += concat(word, --left > 1 ? ", " : left == 1 ? " or " : "");
  return text;
}

auto valueOf(auto const& words, std::string const& option, std::string const& word) {
  for (auto const& [name, value] : words)
    if (name == word) return value;
  throw Failure(ExitStatus::usage, option, ": expected ", listed(words), ", found '", word, "'");
}

/// The arguments of convert, as parsed.
struct Arguments {
  std::string in;
  std::string out;
  std::string from = "auto";
  std::string to;
  std::string namesMap;
  std::string time;
  std::string stoch;
  std::string infinity = findOption("infinity")->defaultText;
  bool keepFreeRows = false;
  bool keepNames = false;
  bool roundNumbers = false;
  bool quiet = false;
};

FileFormat outputFormat(Arguments const& arguments) {
  if (!arguments.to.empty()) return valueOf(outputFormats, "--to", arguments.to);
  for (char const* ending : {".gz", ".bz2", ".xz", ".zst"}) {
    if (arguments.out.ends_with(ending))
      throw Failure(ExitStatus::usage, "'", arguments.out,
                    "': output is not compressed; write to - and pipe it through a compressor");
  }
  if (auto const format = readers::formatForName(arguments.out)) return *format;
  throw Failure(ExitStatus::usage, "the format of '", arguments.out,
                "' is not known: it doesn't end in .mps, .lp, .lps or .npz, and there is no --to");
}

/// One line per name that is another one in the file, separated by tabs, which no name holds.
std::string mapText(std::vector<readers::Renamed> const& renamed) {
  std::ostringstream text;
  text << "kind\tmodel\tfile\n";
  for (readers::Renamed const& name : renamed)
    text << name.kind << '\t' << name.from << '\t' << name.to << '\n';
  return text.str();
}

ExitStatus convert(Arguments const& arguments) {
  Log log(arguments.quiet ? Verbosity::quiet : Verbosity::normal);
  FileFormat const format = outputFormat(arguments);
  Format from = valueOf(inputFormats(), "--from", arguments.from);
  bool const isStochastic = !arguments.time.empty() || !arguments.stoch.empty();
  if (isStochastic && from != Format::automatic && from != Format::smps)
    throw Failure(ExitStatus::usage, "--time and --stoch belong to --from smps");
  if (isStochastic) from = Format::smps;
  Options options;
  if (std::string const fault = setOption(options, "infinity", arguments.infinity); !fault.empty())
    throw Failure(ExitStatus::usage, fault);
  readers::ReadOptions const readOptions{
      .format = from,
      .freeRows = arguments.keepFreeRows ? readers::FreeRows::keep : readers::FreeRows::drop,
      .infiniteFrom = options.infiniteFrom,
      .denseArrays = true,
      .time = arguments.time,
      .stoch = arguments.stoch,
      .interrupted = interrupted};
  if (arguments.namesMap == arguments.out)  // also standard output
    throw Failure(ExitStatus::usage, "OUT and --names-map are the same file");
  checkOutputs({{"IN", arguments.in}, {"--time", arguments.time}, {"--stoch", arguments.stoch}},
               {{"OUT", arguments.out}, {"--names-map", arguments.namesMap}});
  catchInterrupts();
  readers::ReadResult model;
  rational::Meanings fractions(true);  // what is written has all digits that were read
  std::optional<readers::KeepsFractions> keeps;
  if (format != FileFormat::npz) keeps.emplace(fractions);
  try {
    model = readers::read(arguments.in, readOptions);
  } catch (readers::ReadInterrupted const&) {
    log.notice("The end came while the file was read: nothing is written.");
    return ExitStatus::stopped;
  }
  for (std::string const& sentence : model.notices) log.notice(sentence);
  readers::WriteOptions const writeOptions{.roundNumbers = arguments.roundNumbers,
                                           .renameNames = !arguments.keepNames};
  readers::WriteResult written;
  writeFile(arguments.out,
            [&] { written = readers::write(arguments.out, model.lp, format, writeOptions); });
  for (std::string const& sentence : written.notices) log.notice(sentence);
  if (!arguments.namesMap.empty()) writeTextFile(arguments.namesMap, mapText(written.renamed));
  return ExitStatus::optimal;
}

}  // namespace

Run setUpConvert(CLI::App& app) {
  auto const arguments = std::make_shared<Arguments>();
  addArgument(app, "IN", arguments->in, "the linear program; - is standard input");
  addArgument(app, "OUT", arguments->out, "the file to write; - is standard output");
  addValue(
      app, "--from", arguments->from, listed(inputFormats()) + " [auto]",
      "format of IN; auto: found out from its content; smps: the core of a stochastic program, "
      "whose deterministic equivalent is written");
  addValue(app, "--to", arguments->to, listed(outputFormats),
           "format of OUT; without it by the ending: .mps free-mps, .lp cplex-lp, .lps "
           "lp-solve, .npz");
  addValue(app, "--time", arguments->time, "FILE",
           "smps: where periods begin; without it IN with ending .tim or .time");
  addValue(app, "--stoch", arguments->stoch, "FILE",
           "smps: the scenarios; without it IN with ending .sto or .stoch");
  addValue(app, "--names-map", arguments->namesMap, "FILE",
           "write the names that OUT can't hold and what they are called there");
  OptionRecord const& infinity = *findOption("infinity");
  addValue(app, "--infinity", arguments->infinity,
           infinity.values + " [" + infinity.defaultText + "]",
           "size from which bounds and sides of rows of IN are infinite");
  app.add_flag("--keep-names", arguments->keepNames,
               "refuse names that OUT can't hold instead of replacing them");
  app.add_flag("--keep-free-rows", arguments->keepFreeRows,
               "keep rows of type N besides the objective");
  app.add_flag("--round-numbers", arguments->roundNumbers,
               "round numbers to the 12 characters of fixed-mps instead of refusing them");
  app.add_flag("--quiet", arguments->quiet, "no notices on standard error");
  return [arguments] { return convert(*arguments); };
}

}  // namespace osi_cuda::cli
