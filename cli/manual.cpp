// SPDX-License-Identifier: EPL-2.0
// Completions for shells, from the commands themselves.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/manual.hpp"
#include "osi_cuda/model/options.hpp"

namespace osi_cuda::cli {

namespace {

std::string joined(std::vector<std::string> const& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes, for all three shells.
std::string singleQuoted(std::string const& text) {
  std::string result = "'";
  for (char const c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string bash(std::vector<CommandWords> const& all) {
  std::vector<std::string> names;
  for (CommandWords const& command : all) names.push_back(command.name);
  std::string text =
      "# SPDX-License-Identifier: EPL-2.0\n"
      "# Completions of osi-cuda for bash; made by `osi-cuda info --completions bash`.\n"
      "_osi_cuda() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '" +
      joined(names) +
      " --help --version' -- \"$current\") $(compgen -f -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${COMP_WORDS[1]}:$before in\n";
  for (CommandWords const& command : all) {
    for (Word const& word : command.words) {
      if (!word.isOption || word.values.empty()) continue;
      text += "    " + command.name + ":" + word.name + ") COMPREPLY=(";
      if (!word.choices.empty())
        text += "$(compgen -W '" + joined(word.choices) + "' -- \"$current\")";
      else if (word.takesFile)
        text += "$(compgen -f -- \"$current\")";
      text += "); return ;;\n";
    }
  }
  text +=
      "  esac\n  if [[ $current != -* ]]; then\n    COMPREPLY=($(compgen -f -- \"$current\"))\n    "
      "return\n  fi\n"
      "  case ${COMP_WORDS[1]} in\n";
  for (CommandWords const& command : all) {
    std::vector<std::string> options;
    for (Word const& word : command.words)
      if (word.isOption) options.push_back(word.name);
    text += "    " + command.name + ") COMPREPLY=($(compgen -W '" + joined(options) +
            "' -- \"$current\")) ;;\n";
  }
  return text + "  esac\n}\ncomplete -o filenames -F _osi_cuda osi-cuda\n";
}

/// A colon ends a part of zsh's specifications, brackets enclose one.
std::string forZsh(std::string const& text) {
  std::string result;
  for (char c : text) {
    if (c == ':' || c == '[' || c == ']') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh(std::vector<CommandWords> const& all) {
  std::string text =
      "#compdef osi-cuda\n"
      "# SPDX-License-Identifier: EPL-2.0\n"
      "# Completions of osi-cuda for zsh; made by `osi-cuda info --completions zsh`.\n"
      "_osi_cuda() {\n"
      "  local -a commands=(\n";
  for (CommandWords const& command : all)
    text += "    " + singleQuoted(command.name + ":" + command.help) + "\n";
  text +=
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    _files\n"
      "    return\n"
      "  fi\n"
      "  local command=${words[2]}\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n";
  for (CommandWords const& command : all) {
    text += "    " + command.name + ") _arguments";
    for (Word const& word : command.words) {
      if (!word.isOption) continue;
      std::string specification = word.name + "[" + forZsh(word.help) + "]";
      if (!word.values.empty()) {
        specification += ":" + forZsh(word.values) + ":";
        if (!word.choices.empty())
          specification += "(" + joined(word.choices) + ")";
        else if (word.takesFile)
          specification += "_files";
      }
      text += " \\\n      " + singleQuoted(specification);
    }
    text += " \\\n      '*:file:_files' ;;\n";
  }
  return text + "  esac\n}\n_osi_cuda \"$@\"\n";
}

std::string fish(std::vector<CommandWords> const& all) {
  std::string text =
      "# SPDX-License-Identifier: EPL-2.0\n"
      "# Completions of osi-cuda for fish; made by `osi-cuda info --completions fish`.\n";
  for (CommandWords const& command : all) {
    text += "complete -c osi-cuda -n __fish_use_subcommand -a " + command.name + " -d " +
            singleQuoted(command.help) + "\n";
    for (Word const& word : command.words) {
      if (!word.isOption) continue;
      bool const isLong = word.name.starts_with("--");
      text += "complete -c osi-cuda -n " +
              singleQuoted("__fish_seen_subcommand_from " + command.name) +
              (isLong ? " -l " + word.name.substr(2) : " -s " + word.name.substr(1));
      if (!word.values.empty()) text += word.takesFile ? " -r -F" : " -x";
      if (!word.choices.empty()) text += " -a " + singleQuoted(joined(word.choices));
      text += " -d " + singleQuoted(word.help) + "\n";
    }
  }
  return text;
}

Word wordOf(CLI::Option const& option) {
  Word word;
  word.isOption = option.nonpositional();
  auto const& longNames = option.get_lnames();
  if (!word.isOption)
    word.name = option.get_name(true);
  else
    word.name = longNames.empty() ? "-" + option.get_snames().front() : "--" + longNames.front();
  word.help = option.get_description();
  if (word.isOption && option.get_expected_min() > 0) word.values = option.get_type_name();
  word.takesFile = word.values == "FILE" || word.name == "FILE" || word.name == "IN" ||
                   word.name == "OUT" || word.name == "STUB" || word.name == "LIST";
  if (!longNames.empty()) {
    if (OptionRecord const* const record = findOption(longNames.front()))
      word.choices = record->choices;
  }
  return word;
}

/// A backslash, a dash and a dot at the beginning mean something else in roff.
std::string roff(std::string const& text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (!result.empty() && (result[0] == '.' || result[0] == '\'')) result.insert(0, "\\&");
  return result;
}

void appendWord(std::string& page, Word const& word) {
  page += ".TP\n.B " + roff(word.name);
  if (!word.values.empty()) page += " \\fI" + roff(word.values) + "\\fR";
  page += "\n" + roff(word.help) + "\n";
}

constexpr char exitStatuses[] =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\noptimal; with \\-\\-crossover off also an interior optimum\n"
    ".TP\n.B 1\nthe problem has no optimum, and that is proved: infeasible or unbounded\n"
    ".TP\n.B 2\nstopped by a limit or interrupted\n"
    ".TP\n.B 3\nnumerical trouble: no status could be proved\n"
    ".TP\n.B 4\nsolvers disagree (compare), or a regression (regress)\n"
    ".TP\n.B 64\nwrong usage\n"
    ".TP\n.B 65\nthe input file is bad; the message says FILE:LINE:COLUMN\n"
    ".TP\n.B 66\nno such file\n"
    ".TP\n.B 69\nthe asked engine, device or solver is not available, or not enough memory\n"
    ".TP\n.B 70\ninternal error\n"
    ".TP\n.B 73\nan output file can't be written\n";

}  // namespace

std::string completions(std::string const& shell) {
  auto const all = commandWords();
  if (shell == "bash") return bash(all);
  if (shell == "zsh") return zsh(all);
  if (shell == "fish") return fish(all);
  return {};
}

// The manual page, from the commands themselves.

std::vector<CommandWords> commandWords() {
  std::vector<CommandWords> all;
  for (Command const& command : commands()) {
    CLI::App app{command.help, command.name};
    app.set_help_flag("--help,-h", "print this help and exit");
    command.setUp(app);
    CommandWords words{command.name, command.help, {}};
    for (CLI::Option const* const option : app.get_options())
      words.words.push_back(wordOf(*option));
    all.push_back(std::move(words));
  }
  return all;
}

std::string manualPage() {
  std::string page =
      ".\\\" SPDX-License-Identifier: EPL-2.0\n.TH OSI\\-CUDA 1 \"\" \"osi\\-cuda " OSI_CUDA_VERSION
      "\" \"User Commands\"\n.SH NAME\nosi\\-cuda \\- linear programs by a dense simplex on CUDA "
      "devices or the processor\n.SH SYNOPSIS\n";
  auto const all = commandWords();
  for (CommandWords const& command : all) {
    page += ".B osi\\-cuda " + roff(command.name) + "\n";
    for (Word const& word : command.words)
      if (!word.isOption) page += "\\fI" + roff(word.name) + "\\fR\n";
    page += "[options]\n.br\n";
  }
  page +=
      ".B osi\\-cuda \\-\\-version\n.SH DESCRIPTION\n"
      "Solves linear programs by simplex methods and an interior point method, to an optimal "
      "vertex with its basis, and "
      "proves what it says. Files are MPS, CPLEX LP, lp_solve LP, AMPL's .nl or NumPy's .npz, told "
      "apart by their "
      "content, plain or compressed; \\- is standard input. Results go to standard output, "
      "everything else to standard error.\n";
  for (CommandWords const& command : all) {
    page += ".SH \"OSI\\-CUDA " + roff(command.name) + "\"\n" + roff(command.help) + "\n";
    for (Word const& word : command.words) appendWord(page, word);
  }
  page += exitStatuses;
  page +=
      ".SH ENVIRONMENT\n"
      ".TP\n.B OSI_CUDA_ENGINE_PATH\nthe module of the CUDA engine, or its folder, by its absolute "
      "path\n"
      ".TP\n.B osi_cuda_options\nkeywords for osi\\-cuda STUB \\-AMPL\n"
      ".SH FILES\nThe pages of /usr/share/doc/osi\\-cuda, and the project's docs/, say more.\n";
  return page;
}

}  // namespace osi_cuda::cli
