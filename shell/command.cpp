// SPDX-License-Identifier: EPL-2.0
#include "shell/command.hpp"

namespace osi_cuda::shell {
namespace {

constexpr char absent[] = "\x01";  // what no argument can be: an option that was not given

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

}  // namespace osi_cuda::shell
