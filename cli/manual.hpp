// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda::cli {

/// One option or argument of a command, as help, manual and completions show it.
struct Word {
  std::string name;  ///< "--engine", "-h"; of an argument what stands for it
  std::string help;
  std::string values;                ///< what follows: "FILE", "auto, cuda or host"; empty: nothing
  std::vector<std::string> choices;  ///< the words that may follow, where they are few
  bool isOption = true;
  bool takesFile = false;
};

struct CommandWords {
  std::string name, help;
  std::vector<Word> words;
};

/// All commands with all that they take, from the very objects that parse the command line.
std::vector<CommandWords> commandWords();

/// The manual page osi-cuda(1), in roff.
std::string manualPage();

/// What makes a shell complete commands, options and their values. `shell`: "bash", "zsh" or
/// "fish"; of others the text is empty.
std::string completions(std::string const& shell);

/// The option table as the Markdown table that README.md holds.
std::string optionsMarkdown();

}  // namespace osi_cuda::cli
