// SPDX-License-Identifier: EPL-2.0
#include "shell/program.hpp"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "shell/usage.hpp"

namespace osi_cuda::shell {
namespace {

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
    // What was not understood must be known before parsing is: --json decides where an error goes.
    auto const isJson = [](std::string_view word) { return word == "--json"; };
    if (std::any_of(words, words + count, isJson)) std::cout << toText(failure.json) << std::endl;
    return static_cast<int>(failure.status);
  }
}

}  // namespace osi_cuda::shell
