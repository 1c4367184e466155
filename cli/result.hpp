// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/integers/integer_search.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;

/// Wall time in seconds of the parts of a command.
struct PhaseSeconds {
  double read = 0.0;
  double solve = 0.0;
  double total = 0.0;
};

/// What earlier processes had done of a solve that was resumed.
struct Before {
  std::int64_t iterations = 0;
  double seconds = 0.0;  ///< of solving
};

enum class Certificates { omit, show };

/// What an analysis adds to a report: a value of JSON, and lines of text with a label each.
struct Section {
  std::string key;
  nlohmann::ordered_json json;
  std::vector<std::pair<std::string, std::string>> lines;

  void add(std::string label, std::string text) {
    lines.emplace_back(std::move(label), std::move(text));
  }
};

/// What `solve` reports, in text or as JSON.
struct Result {
  std::string file;  ///< as the user called it; `-` is standard input
  /// Null when the limit or the user ended the command while the file was read; the solution then
  /// has a status and nothing else. Not owned.
  LinearProgram const* problem = nullptr;
  Solution solution;
  PhaseSeconds seconds;
  std::optional<Before> before;  ///< not counted in the solution and in `seconds`
  std::vector<std::string> notices;
  Certificates certificates = Certificates::omit;
  std::vector<Section> sections;  ///< of the analyses that were asked for
};

/// What a search for integers came to: its claims, and what is proved.
Section searchSection(IntegerSolution const& found);

ExitStatus exitStatusOf(Status status);

/// Has the status an objective value to report? A proof of infeasibility or unboundedness has not.
bool hasObjective(Result const& result);

/// What an answer leaves out of its problem, as two counts.
void addRelaxed(nlohmann::ordered_json& json, RelaxedColumns const& relaxed);

/// The values that are not zero, by name.
nlohmann::ordered_json nonzeros(std::vector<double> const& values,
                                std::function<std::string(int)> const& nameOf);

/// The object that docs/reference/program.md describes. Numbers that are not there, or not finite,
/// are null. Certificates hold their nonzero entries by name.
nlohmann::ordered_json toJson(Result const& result);

/// A few lines for a reader at a terminal, each ended.
std::string toSummary(Result const& result);

}  // namespace osi_cuda::cli
