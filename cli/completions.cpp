// SPDX-License-Identifier: EPL-2.0
// Completions for shells, from the commands themselves.

#include <fmt/format.h>

#include "cli/manual.hpp"

namespace osi_cuda::cli {
namespace {

std::string joined(std::vector<std::string> const& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes, for all three shells.
std::string quoted(std::string const& text) {
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
    text += "    " + quoted(command.name + ":" + command.help) + "\n";
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
      text += " \\\n      " + quoted(specification);
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
            quoted(command.help) + "\n";
    for (Word const& word : command.words) {
      if (!word.isOption) continue;
      bool const isLong = word.name.starts_with("--");
      text += "complete -c osi-cuda -n " + quoted("__fish_seen_subcommand_from " + command.name) +
              (isLong ? " -l " + word.name.substr(2) : " -s " + word.name.substr(1));
      if (!word.values.empty()) text += word.takesFile ? " -r -F" : " -x";
      if (!word.choices.empty()) text += " -a " + quoted(joined(word.choices));
      text += " -d " + quoted(word.help) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completions(std::string const& shell) {
  auto const all = commandWords();
  if (shell == "bash") return bash(all);
  if (shell == "zsh") return zsh(all);
  if (shell == "fish") return fish(all);
  return {};
}

}  // namespace osi_cuda::cli
