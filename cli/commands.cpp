// SPDX-License-Identifier: EPL-2.0
#include "cli/command.hpp"

#include <algorithm>
#include <filesystem>

namespace osi_cuda::cli {

std::vector<Command> commands() {
  return {solveCommand(), batchCommand(),  compareCommand(),  regressCommand(),
          mergeCommand(), reportCommand(), convertCommand(),  doctorCommand(),
          amplCommand(),  infoCommand(),   calibrateCommand()};
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
