// SPDX-License-Identifier: EPL-2.0
#include "cli/command.hpp"

#include <algorithm>
#include <filesystem>

namespace osi_cuda::cli {

std::vector<Command> commands() {
  return {
      {"solve", "solve one linear or integer program", setUpSolve},
      {"batch", "solve many problems: a list of files, or variants of one model", setUpBatch},
      {"compare", "solve the same problem with this solver and others, and verify the answers",
       setUpCompare},
      {"regress", "run a list of problems and say what changed since the last runs", setUpRegress},
      {"merge", "put the databases of several regress commands together", setUpMerge},
      {"report", "write an HTML page about the runs in a database", setUpReport},
      {"convert", "write a linear program in another format", setUpConvert},
      {"doctor", "what makes a model hard to solve, or its answer hard to use", setUpDoctor},
      {"ampl", "solve STUB.nl for AMPL, Pyomo or JuMP, the same as STUB -AMPL", setUpAmpl},
      {"info", "version, build, engines, devices and libraries found", setUpInfo},
      {"calibrate", "measure the numbers of this machine that choices rest on", setUpCalibrate}};
}

std::vector<std::string> ownWords(int count, char const* const* given) {
  std::vector<std::string> words(given, given + count);
  if (count >= 3 && words[2] == "-AMPL") {
    words.erase(words.begin() + 2);
    words.insert(words.begin() + 1, "ampl");
  }
  if (count < 2) return words;
  std::string& first = words[1];
  if (count == 2 && (first == "-v" || first == "-V")) first = "--version";
  auto const all = commands();
  auto const isCommand = [&all](std::string const& word) {
    return std::ranges::find(all, word, &Command::name) != all.end();
  };
  if (first == "help") {
    if (count == 2 || isCommand(words[2]))
      words.insert(words.begin() + (count > 2 ? 3 : 2), "--help");
    words.erase(words.begin() + 1);
    return words;
  }
  std::error_code unknown;
  bool const isFile = first == "-" || (!first.starts_with('-') &&
                                       (first.find_first_of("./") != first.npos ||
                                        std::filesystem::is_regular_file(first, unknown)));
  if (!isCommand(first) && isFile) words.insert(words.begin() + 1, "solve");
  return words;
}

}  // namespace osi_cuda::cli
