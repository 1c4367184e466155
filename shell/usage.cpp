// SPDX-License-Identifier: EPL-2.0
#include "shell/usage.hpp"

#include <algorithm>

#include "osi_cuda/spelling.hpp"

namespace osi_cuda::shell {
namespace {

std::vector<std::string> optionNames(CLI::App const& app) {
  std::vector<std::string> names;
  for (CLI::Option const* option : app.get_options()) {
    for (std::string const& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

void rejectExtras(CLI::App const& app) {
  std::vector<std::string> const extras = app.remaining();
  if (extras.empty()) return;
  auto const option = std::ranges::find_if(
      extras, [](std::string const& word) { return word.size() > 1 && word.front() == '-'; });
  if (option == extras.end()) {
    throw Failure(ExitStatus::usage, "unexpected argument '" + extras.front() + "'");
  }
  std::string const name = option->substr(0, option->find('='));
  throw Failure(ExitStatus::usage,
                "unknown option '" + name + "'" + suggestion(name, optionNames(app)));
}

Failure usageFailure(CLI::ParseError const& error, std::vector<Command> const& all, int count,
                     char const* const* words) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (Command const& command : all) names.push_back(command.name);
  if (count < 2 && !all.empty()) return {ExitStatus::usage, "a command is missing"};
  std::string const first = count < 2 ? "" : words[1];
  bool const isCommand = all.empty() || std::ranges::find(names, first) != names.end();
  if (!isCommand && first.starts_with('-')) {
    return {ExitStatus::usage, "unknown option '" + first + "'"};
  }
  if (!isCommand) {
    return {ExitStatus::usage, "unknown command '" + first + "'" + suggestion(first, names)};
  }
  std::string const text = error.what();
  if (error.get_name() == "ArgumentMismatch") {
    return {ExitStatus::usage, text.substr(0, text.find(':')) + ": a value is missing"};
  }
  return {ExitStatus::usage, text};
}

}  // namespace osi_cuda::shell
