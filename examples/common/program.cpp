// SPDX-License-Identifier: EPL-2.0
#include "examples/common/program.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "osi_cuda/spelling.hpp"

namespace osi_cuda::examples {
namespace {

namespace fs = std::filesystem;

std::string guess(std::string const& word, std::vector<std::string> const& candidates) {
  std::optional<std::string> const nearest = nearestWord(word, candidates);
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

/// Throws the Failure for the first argument that `app` has not understood, if there is one.
void rejectExtras(CLI::App const& app) {
  std::vector<std::string> const extras = app.remaining();
  if (extras.empty()) return;
  auto const option = std::find_if(extras.begin(), extras.end(), [](std::string const& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (option == extras.end()) {
    throw Failure(ExitStatus::usage, "unexpected argument '" + extras.front() + "'");
  }
  std::vector<std::string> names;
  for (CLI::Option const* known : app.get_options())
    for (std::string const& name : known->get_lnames()) names.push_back("--" + name);
  std::string const name = option->substr(0, option->find('='));
  throw Failure(ExitStatus::usage, "unknown option '" + name + "'" + guess(name, names));
}

/// The Failure for what CLI11 could not parse, in words that do not depend on its version.
Failure usageFailure(CLI::ParseError const& error, std::vector<Command> const& all, int count,
                     char const* const* words) {
  if (count < 2) return {ExitStatus::usage, "a command is missing"};
  std::vector<std::string> names;
  for (Command const& command : all) names.push_back(command.name);
  std::string const first = words[1];
  if (std::find(names.begin(), names.end(), first) == names.end()) {
    if (first.starts_with('-')) return {ExitStatus::usage, "unknown option '" + first + "'"};
    return {ExitStatus::usage, "unknown command '" + first + "'" + guess(first, names)};
  }
  std::string const text = error.what();
  if (error.get_name() == "ArgumentMismatch") {
    return {ExitStatus::usage, text.substr(0, text.find(':')) + ": a value is missing"};
  }
  return {ExitStatus::usage, text};
}

ExitStatus parseAndRun(std::string const& program, std::string const& help,
                       std::vector<Command> const& commands, int count, char const* const* words) {
  CLI::App app{help, program};
  app.require_subcommand(1);
  app.set_version_flag("--version", OSI_CUDA_VERSION);
  app.set_help_flag("--help,-h", "print this help and exit");
  Run run;
  for (Command const& command : commands) {
    CLI::App* const sub = app.add_subcommand(command.name, command.help);
    sub->set_help_flag("--help,-h", "print this help and exit");
    sub->allow_extras();  // rejected below, with a sentence of ours
    sub->callback([sub, &run, whenParsed = command.setUp(*sub)] {
      rejectExtras(*sub);
      run = whenParsed;
    });
  }
  try {
    app.parse(count, words);
  } catch (CLI::Success const& helpOrVersion) {
    app.exit(helpOrVersion);
    return ExitStatus::optimal;
  } catch (CLI::ParseError const& error) {
    throw usageFailure(error, commands, count, words);
  }
  return run();
}

}  // namespace

int runProgram(std::string const& program, std::string const& help,
               std::vector<Command> const& commands, int count, char const* const* words) {
  try {
    ExitStatus const status = parseAndRun(program, help, commands, count, words);
    std::cout.flush();
    // A full disk behind `> result.json` is a failed write.
    if (!std::cout.good()) throw Failure(ExitStatus::cannotWrite, "can't write standard output");
    return static_cast<int>(status);
  } catch (...) {
    FailureReport const failure = report(std::current_exception(), program);
    std::cerr << failure.line << '\n';
    if (failure.status == ExitStatus::usage)
      std::cerr << "Run " << program << " --help for help.\n";
    auto const isJson = [](std::string_view word) { return word == "--json"; };
    if (std::any_of(words, words + count, isJson)) std::cout << toText(failure.json) << std::endl;
    return static_cast<int>(failure.status);
  }
}

void writeTextFile(std::string const& path, std::string const& text) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  std::string const unfinished = path + ".part";
  {
    std::ofstream file(unfinished, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw Failure(ExitStatus::cannotWrite, "can't write '" + path + "'");
  }
  std::error_code error;
  fs::rename(unfinished, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw Failure(ExitStatus::cannotWrite, "can't write '" + path + "': " + error.message());
  }
}

}  // namespace osi_cuda::examples
