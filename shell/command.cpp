// SPDX-License-Identifier: EPL-2.0
#include "shell/command.hpp"

#include <algorithm>
#include <csignal>
#include <iostream>
#include <sstream>
#include <string_view>

#include "osi_cuda/base/spelling.hpp"

namespace osi_cuda::shell {
namespace {

constexpr char absent[] = "\x01";  // what no argument can be: an option that was not given

std::vector<std::string> optionNames(CLI::App const& app) {
  std::vector<std::string> names;
  for (CLI::Option const* option : app.get_options())
    for (std::string const& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Throws the Failure for the first argument that `app` has not understood, if there is one.
void rejectExtras(CLI::App const& app) {
  std::vector<std::string> const extras = app.remaining();
  if (extras.empty()) return;
  auto const option = std::ranges::find_if(
      extras, [](std::string const& word) { return word.size() > 1 && word.front() == '-'; });
  if (option == extras.end())
    throw Failure(ExitStatus::usage, "unexpected argument '" + extras.front() + "'");
  std::string const name = option->substr(0, option->find('='));
  throw Failure(ExitStatus::usage,
                "unknown option '" + name + "'" + suggestion(name, optionNames(app)));
}

/// The Failure for what CLI11 could not parse, in words that do not depend on its version. `all`:
/// the program's commands; empty: it is a single one.
Failure usageFailure(CLI::ParseError const& error, std::vector<Command> const& all, int count,
                     char const* const* words) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (Command const& command : all) names.push_back(command.name);
  if (count < 2 && !all.empty()) return {ExitStatus::usage, "a command is missing"};
  std::string const first = count < 2 ? "" : words[1];
  bool const isCommand = all.empty() || std::ranges::find(names, first) != names.end();
  if (!isCommand && first.starts_with('-'))
    return {ExitStatus::usage, "unknown option '" + first + "'"};
  if (!isCommand)
    return {ExitStatus::usage, "unknown command '" + first + "'" + suggestion(first, names)};
  std::string const text = error.what();
  if (error.get_name() == "ArgumentMismatch")
    return {ExitStatus::usage, text.substr(0, text.find(':')) + ": a value is missing"};
  return {ExitStatus::usage, text};
}

constexpr char helpText[] = "print this help and exit";

void setUp(CLI::App& app) {
  app.set_version_flag("--version", OSI_CUDA_VERSION);
  app.set_help_flag("--help,-h", helpText);
}

/// Help of at most 80 columns: a longer line goes on below its text.
std::string folded(std::string const& help) {
  constexpr std::size_t width = 80, column = 30;
  std::istringstream lines(help);
  std::string result;
  for (std::string line; std::getline(lines, line); result += line + '\n') {
    std::size_t const indent = line.starts_with(' ') ? column : 0;
    for (std::size_t blank;
         line.size() > width && (blank = line.rfind(' ', width)) > indent && blank != line.npos;
         line = std::string(indent, ' ') + line.substr(blank + 1))
      result += line.substr(0, line.find_last_not_of(' ', blank) + 1) + '\n';
  }
  return result;
}

/// False: the words asked for help or the version only, which has been printed.
bool parse(CLI::App& app, std::vector<Command> const& commands, int count,
           char const* const* words) {
  try {
    app.parse(count, words);
    return true;
  } catch (CLI::CallForHelp const&) {
    std::cout << folded(app.help());
    return false;
  } catch (CLI::Success const& version) {
    app.exit(version);
    return false;
  } catch (CLI::ParseError const& error) {
    throw usageFailure(error, commands, count, words);
  }
}

/// Runs all of a program; what it throws becomes a message, and its exit status.
int reported(std::string const& program, std::vector<Command> const& commands, int count,
             char const* const* words, std::function<ExitStatus()> const& run) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file above the limit is a failed write
  try {
    ExitStatus const status = run();
    std::cout.flush();
    // A full disk behind `> result.json` is a failed write.
    if (!std::cout.good()) throw Failure(ExitStatus::cannotWrite, "can't write standard output");
    return static_cast<int>(status);
  } catch (...) {
    FailureReport const failure = report(std::current_exception(), program);
    std::cerr << failure.line << '\n';
    if (failure.status == ExitStatus::usage) {
      bool const inCommand =
          count > 1 && std::ranges::find(commands, words[1], &Command::name) != commands.end();
      std::cerr << "Run " << program << (inCommand ? ' ' + std::string(words[1]) : "")
                << " --help for help.\n";
    }
    // What was not understood must be known before parsing is: --json decides where an error goes.
    auto const isJson = [](std::string_view word) { return word == "--json"; };
    if (std::any_of(words, words + count, isJson)) std::cout << toText(failure.json) << std::endl;
    return static_cast<int>(failure.status);
  }
}

}  // namespace

void addSolverOptions(CLI::App& app, std::vector<std::string>& texts, ListedIn where) {
  auto const& table = optionTable();
  texts.assign(table.size(), absent);
  for (std::size_t i = 0; i < table.size(); ++i) {
    OptionRecord const& record = table[i];
    app.add_option("--" + record.name, texts[i], record.help)
        ->type_name(record.values + " [" + record.defaultText + "]")
        ->group(where == ListedIn::thisHelp ? "Solver options" : "");
  }
  if (where == ListedIn::helpOfSolve)
    app.footer(
        "Solver options: --engine, --algorithm, --time-limit, --threads and all others that "
        "`osi-cuda solve --help` and docs/reference/options.md list.");
}

Options solverOptions(std::vector<std::string> const& texts, Options options) {
  auto const& table = optionTable();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (texts[i] == absent) continue;
    std::string const fault = table[i].set(options, texts[i]);
    if (!fault.empty()) throw Failure(ExitStatus::usage, "--" + table[i].name + ": " + fault);
  }
  return options;
}

int runProgram(std::string const& program, std::string const& help,
               std::vector<Command> const& commands, int count, char const* const* words) {
  return reported(program, commands, count, words, [&] {
    CLI::App app{help, program};
    app.require_subcommand(1);
    setUp(app);
    Run run;
    for (Command const& command : commands) {
      CLI::App* const sub = app.add_subcommand(command.name, command.help);
      // The options of all commands take a millisecond to set up.
      if (std::find(words, words + count, command.name) == words + count) continue;
      sub->set_help_flag("--help,-h", helpText);
      sub->allow_extras();  // rejected below, with a message of ours
      sub->callback([sub, &run, whenParsed = command.setUp(*sub)] {
        rejectExtras(*sub);
        run = whenParsed;
      });
    }
    return parse(app, commands, count, words) ? run() : ExitStatus::optimal;
  });
}

int runTool(Command const& tool, int count, char const* const* words) {
  return reported(tool.name, {}, count, words, [&] {
    CLI::App app{tool.help, tool.name};
    setUp(app);
    app.allow_extras();
    Run const run = tool.setUp(app);
    if (!parse(app, {}, count, words)) return ExitStatus::optimal;
    rejectExtras(app);
    return run();
  });
}

}  // namespace osi_cuda::shell
