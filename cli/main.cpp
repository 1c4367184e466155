// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/usage.hpp"

namespace {

using namespace osi_cuda::cli;

/// What was not understood must be known before parsing is: --json decides where an error goes.
bool asksForJson(int count, char const* const* words) {
  return std::any_of(words, words + count, [](std::string_view word) { return word == "--json"; });
}

ExitStatus parseAndRun(int count, char const* const* words) {
  CLI::App app{"Solves linear programs with a dense simplex on CUDA devices or the processor.",
               "osi-cuda"};
  app.require_subcommand(1);
  app.set_version_flag("--version", OSI_CUDA_VERSION);
  app.set_help_flag("--help,-h", "print this help and exit");
  Run run;
  for (Command const& command : commands()) {
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
    throw usageFailure(error, commands(), count, words);
  }
  return run();
}

/// What was printed must have arrived: a full disk behind `> result.json` is a failed write.
ExitStatus flushed(ExitStatus status) {
  std::cout.flush();
  if (std::cout.good()) return status;
  std::cerr << "osi-cuda: can't write standard output\n";
  return ExitStatus::cannotWrite;
}

}  // namespace

int main(int count, char** words) {
  try {
    return static_cast<int>(flushed(parseAndRun(count, words)));
  } catch (...) {
    FailureReport const failure = report(std::current_exception());
    std::cerr << failure.line << '\n';
    if (failure.status == ExitStatus::usage) std::cerr << "Run osi-cuda --help for help.\n";
    if (asksForJson(count, words)) std::cout << toText(failure.json) << std::endl;
    return static_cast<int>(failure.status);
  }
}
