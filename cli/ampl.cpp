// SPDX-License-Identifier: EPL-2.0
// The solver of an AMPL session: STUB.nl in, STUB.sol out.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/nl_reader.hpp"
#include "readers/number.hpp"
#include "shell/output_file.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

/// What NAME=VALUE can say besides the solver's options.
struct Keywords {
  Options options;
  int objective = 1;
  bool relax = false;
  bool quiet = true;
};

constexpr char nameOfUs[] = "osi-cuda " OSI_CUDA_VERSION;

/// The words of an environment variable: NAME=VALUE, also with blanks around the sign, or NAME
/// VALUE.
std::vector<std::string> wordsOf(std::string const& text) {
  std::istringstream stream(std::regex_replace(text, std::regex("\\s*=\\s*"), "="));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

struct KeywordReader {
  /// Takes words from `source`, which messages name.
  void take(std::vector<std::string> const& words, std::string const& source) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      std::string const& word = words[k];
      std::size_t const sign = word.find('=');
      if (sign != word.npos) {
        set(word.substr(0, sign), word.substr(sign + 1), source);
      } else if (k + 1 < words.size()) {
        set(word, words[++k], source);
      } else {
        throw Failure(ExitStatus::usage, source + ": " + word + ": a value is missing");
      }
    }
  }

  static int number(std::string const& text, std::string const& name, int most,
                    std::string const& source) {
    int const value = readers::wholeNumber<int>(text).value_or(-1);
    if (value < 0 || value > most)
      throw Failure(ExitStatus::usage, source, ": ", name, ": expected an integer from 0 to ", most,
                    ", found '", text, "'");
    return value;
  }

  void set(std::string name, std::string value, std::string const& source) {
    constexpr int mostObjectives = 99'999'999;
    if (value.size() > 1 && (value.front() == '"' || value.front() == '\'') &&
        value.front() == value.back())
      value = value.substr(1, value.size() - 2);
    if (name == "objno") {
      found_.objective = number(value, name, mostObjectives, source);
    } else if (name == "relax") {
      found_.relax = number(value, name, 1, source) == 1;
    } else if (name == "outlev") {
      found_.quiet = number(value, name, 1, source) == 0;
    } else {
      std::ranges::replace(name, '_', '-');
      std::string const fault = setOption(found_.options, name, value);
      if (!fault.empty()) throw Failure(ExitStatus::usage, source + ": " + fault);
    }
  }

  Keywords found_;
};

/// STUB or STUB.nl: the first that is there.
std::string fileOf(std::string const& stub) {
  if (stub.ends_with(".nl")) return stub;
  std::error_code ignored;
  return std::filesystem::is_regular_file(stub + ".nl", ignored) ? stub + ".nl" : stub;
}

char const* sentenceOf(Status status) {
  constexpr char const* words[] = {"optimal solution",
                                   "infeasible problem",
                                   "unbounded problem",
                                   "the objective limit was reached",
                                   "the iteration limit was reached",
                                   "the time limit was reached",
                                   "interrupted",
                                   "numerical trouble, no status could be proved",
                                   "optimal within tolerances, no vertex"};
  static_assert(std::size(words) == static_cast<std::size_t>(Status::interior) + 1);
  return words[static_cast<std::size_t>(status)];
}

/// `relaxed`: integer variables that were taken as continuous.
std::string messageOf(Solution const& solution, Keywords const& keywords, std::int64_t relaxed,
                      IntegerSolution const* search) {
  std::string text = concat(nameOfUs, ": ", sentenceOf(solution.status));
  bool const hasPoint =
      solution.status != Status::infeasible && solution.status != Status::unbounded;
  bool const hasObjective = hasPoint && !solution.columnValues.empty() && keywords.objective > 0;
  if (hasObjective)
    // To the digits that the tolerances leave certain, and some more; the values have them all.
    text += "; objective " + shortNumber(solution.objective, 12);
  text += concat("\n", solution.iterations, " iterations, ", toString(solution.engine),
                 " engine, proof: ", toString(solution.proof));
  if (hasObjective && search)
    text += concat("\nbound ", shortNumber(search->search.bound, 12), ", gap ",
                   shortNumber(search->search.gap(), 3), ", ", search->search.nodes, " nodes");
  if (!solution.message.empty()) text += "\n" + solution.message;
  if (relaxed > 0) text += concat("\nThe integrality of ", relaxed, " variable(s) was relaxed.");
  return text;
}

ExitStatus solveStub(std::string const& stub, std::vector<std::string> const& words) {
  Stopwatch const watch;
  KeywordReader reader;
  // A shell can't name a variable with a dash; modelling layers that take the program's name do.
  for (char const* const variable : {"osi_cuda_options", "osi-cuda_options"})
    if (char const* const text = std::getenv(variable)) reader.take(wordsOf(text), variable);
  reader.take(words, "ampl");
  Keywords const& keywords = reader.found_;
  catchInterrupts();

  std::string const path = fileOf(stub);
  std::string const stem = path.ends_with(".nl") ? path.substr(0, path.size() - 3) : path;
  checkOutputs({{"STUB.nl", path}}, {{"STUB.sol", stem + ".sol"}});
  // The answer needs the whole file, also of a limit that is over before.
  auto const stop = [] { return interrupted(); };
  std::string const bytes =
      readers::LineSource(readers::openFile(path, stop), path, stop).takeBytes();
  readers::NlFile file = readers::readNl(bytes, path,
                                         {.objective = keywords.objective,
                                          .infiniteFrom = keywords.options.infiniteFrom,
                                          .interrupted = stop});
  auto const integers = std::ranges::count(file.lp.integer, char{1});
  bool const searches = relaxedIn(file.lp) != RelaxedColumns() && !keywords.relax;
  readers::NlHeader const header = file.header;
  Solver solver;
  solver.load(std::move(file.lp));
  if (!file.start.empty()) solver.setBasis(file.start);
  Options options = keywords.options;
  options.timeLimit = std::max(0.0, options.timeLimit - watch.seconds());
  IntegerCallbacks callbacks;
  callbacks.interrupted = [] { return interrupted(); };
  if (!keywords.quiet)
    callbacks.notice = [](std::string const& sentence) { std::cerr << sentence << '\n'; };
  for (std::string const& sentence : file.notices)
    if (callbacks.notice) callbacks.notice(sentence);
  IntegerSolution found;
  Solution& solution = found.solution;
  if (searches) {
    found = solveIntegers(solver.problem(), options, callbacks, file.guess, solver.basis());
    // Unbounded or infeasible, as the message says: AMPL has no number for it.
    if (solution.status == Status::unbounded) solution.status = Status::numerical;
  } else {
    solution = solver.solve(options, callbacks);
  }

  std::string const message =
      messageOf(solution, keywords, searches ? 0 : integers, searches ? &found : nullptr);
  writeTextFile(stem + ".sol", readers::amplSolutionText(header, solver.problem(), solution,
                                                         message, keywords.objective));
  if (!keywords.quiet) std::cout << message << '\n';
  // AMPL looks at the .sol file; any other status says that there is none.
  return ExitStatus::optimal;
}

struct Arguments {
  std::string stub;
  std::vector<std::string> words;
};

}  // namespace

Run setUpAmpl(CLI::App& app) {
  auto const arguments = std::make_shared<Arguments>();
  addArgument(app, "STUB", arguments->stub, "STUB.nl is read, STUB.sol written");
  addValue(app, "KEYWORDS", arguments->words, "",
           "NAME=VALUE: the solver's options, objno (which objective, 0: none), relax (1: "
           "integers as continuous), outlev (1: say more)");
  return [arguments] { return solveStub(arguments->stub, arguments->words); };
}

}  // namespace osi_cuda::cli
