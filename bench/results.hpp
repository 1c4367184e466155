// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace osi_cuda::bench {

/// One solver's run on one problem: a line of a results file.
struct Result {
  std::string problem;
  int rows = 0;
  int columns = 0;
  std::string solver;  ///< "cuda/primal", "clp/dual": who solved, and by what algorithm
  std::string status;  ///< as Status prints it, or a word for what came before a status
  bool right = false;  ///< the known answer, to the accuracy that the program asks of this solver
  std::int64_t iterations = 0;
  double seconds = 0.0;
  double error = 0.0;     ///< of the objective, relative to the known optimum; NaN: not known
  double residual = 0.0;  ///< the largest in the original problem; NaN: none was looked at

  double cells() const { return static_cast<double>(rows) * columns; }
  bool operator==(Result const&) const = default;
};

/// A line of a results file: fields separated by tabs, a full stop as the last one, so that a line
/// which was cut off shows. Numbers read back as the same doubles. No newline.
std::string formatResult(Result const& result);

/// Nothing: the line is broken.
std::optional<Result> parseResult(std::string_view line);

/// All sound lines of these files in order. A file that is not there is empty; of lines for the
/// same problem and solver the last one counts, in the place of the first.
std::vector<Result> readResults(std::vector<std::string> const& files);

/// A results file that grows. What was in it when it was opened need not be run again.
class ResultsFile {
 public:
  /// An empty path: nothing is read or kept. Throws Failure when it can't be written. A
  /// broken last line, left by a run that was stopped, is ended; readResults passes over it.
  explicit ResultsFile(std::string const& path);
  bool has(std::string const& problem, std::string const& solver) const;
  /// Writes the line through to the file at once.
  void append(Result const& result);

 private:
  std::set<std::pair<std::string, std::string>> done_;
  std::ofstream file_;
};

/// Deals jobs of these costs to `parts` hands, the largest first, each to the hand that has least;
/// the hand of each job. Equal costs are dealt in the order given, so every process deals the same.
std::vector<int> deal(std::vector<double> const& costs, int parts);

}  // namespace osi_cuda::bench
