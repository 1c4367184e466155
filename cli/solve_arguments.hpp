// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "cli/analysis.hpp"
#include "cli/log.hpp"

namespace osi_cuda::cli {

/// The arguments of solve, as parsed.
struct SolveArguments {
  std::string file;
  std::string basisIn;
  std::string start;
  std::string basisOut;
  std::string solution;
  std::string proof;
  std::string trace;
  std::string checkpoint;
  std::string checkpointInterval = "60";
  std::string resume;
  AnalysisArguments analysis;
  std::vector<std::string> optionTexts;
  bool certificate = false;
  bool integers = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;

  Verbosity verbosity() const {
    if (quiet) return Verbosity::quiet;
    return verbose ? Verbosity::verbose : Verbosity::normal;
  }
};

/// Adds them to `app`; `arguments` has to outlive the parsing.
void addSolveArguments(CLI::App& app, SolveArguments& arguments);

/// Throws the Failure `usage` for what is not understood, for a file that is to be two things, and
/// for what a search for integers does not have.
void checkArguments(SolveArguments const& arguments, SearchChoice search);

/// Refuses options that were given; `why` ends the message.
void refuseGiven(std::initializer_list<std::pair<char const*, bool>> options,
                 std::string const& why);

}  // namespace osi_cuda::cli
