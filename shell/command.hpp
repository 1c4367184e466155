// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "osi_cuda/model/options.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::shell {

/// Runs a command whose arguments have been parsed. Throws Failure or what the readers and the
/// solver throw; report() translates it.
using Run = std::function<ExitStatus()>;

/// One subcommand.
struct Command {
  std::string name;
  std::string help;  ///< one line
  /// Adds the command's arguments to `app`, which outlives the Run that it returns.
  std::function<Run(CLI::App& app)> setUp;
};

/// Adds an argument that has to be there; help shows nothing but its name.
template <class Target>
CLI::Option* addArgument(CLI::App& app, std::string const& name, Target& target,
                         std::string const& help) {
  return app.add_option(name, target, help)->type_name("")->required();
}

/// Adds an option with a value; `values` is how help shows it.
template <class Target>
CLI::Option* addValue(CLI::App& app, std::string const& name, Target& target,
                      std::string const& values, std::string const& help) {
  return app.add_option(name, target, help)->type_name(values);
}
/// The same of a value that `check` has to accept, whose own words help does not show.
template <class Target>
CLI::Option* addValue(CLI::App& app, std::string const& name, Target& target,
                      std::string const& values, CLI::Validator check, std::string const& help) {
  return addValue(app, name, target, values, help)->check(check.description(""));
}

/// Where help shows the solver's options.
enum class ListedIn { thisHelp, helpOfSolve };

/// Adds an argument --NAME for each solver option to `app`. `texts`, which must outlive the
/// parsing, gets one text per record of the table; options that were not given keep a mark.
void addSolverOptions(CLI::App& app, std::vector<std::string>& texts,
                      ListedIn where = ListedIn::thisHelp);

/// `options` with what the texts say. Throws Failure for a value that is not understood.
Options solverOptions(std::vector<std::string> const& texts, Options options = {});

/// The whole of main(): parses, runs the command, and turns what was thrown into a message on
/// standard error, a JSON object on standard output where --json is among the words, and the exit
/// status that is returned. `program`: its name, `help`: one line on what it does.
int runProgram(std::string const& program, std::string const& help,
               std::vector<Command> const& commands, int count, char const* const* words);

/// The same for a program that is a single command.
int runTool(Command const& tool, int count, char const* const* words);

}  // namespace osi_cuda::shell
