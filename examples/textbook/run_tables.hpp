// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "examples/common/records.hpp"

namespace osi_cuda::textbook {

using examples::Record;

// Tables and plots of many runs: of each of many solvers on each of many problems.

/// The runs on one problem "FAMILY:SIZE", by a label of who ran.
struct ProblemRuns {
  std::string name, family, size;
  double entries = 0.0;  ///< rows x columns
  std::map<std::string, Record> runs;

  Record const* find(std::string const& label) const {
    auto const found = runs.find(label);
    return found == runs.end() ? nullptr : &found->second;
  }
};

/// From records with the fields problem, rows, columns, verdict and seconds, by family and size. Of
/// several runs of a label that one counts that was not "stopped", and was quickest.
std::vector<ProblemRuns> problemsOf(std::vector<Record> const& records,
                                    std::function<std::string(Record const&)> const& labelOf);
std::set<std::string> familiesOf(std::vector<ProblemRuns> const& problems);

/// A number of a table, and what stands before it: "" as measured, "~" estimated, "> " a bound.
struct Value {
  double number = std::nan("");
  std::string mark = "";
  int digits = 3;
  std::string text() const;  ///< "-" if there is none
};

/// One column of a table over problems, or one curve.
struct Column {
  std::string title;
  std::function<Value(ProblemRuns const&)> of;
};

/// A line a problem. `ratios`: how many times the first column's number each one is stands beside
/// it.
std::string overProblems(std::vector<ProblemRuns> const& problems,
                         std::vector<Column> const& columns, bool ratios);

/// Curves over rows x columns, both axes logarithmic, as an SVG document.
std::string plotOf(std::vector<ProblemRuns> const& problems, std::string const& family,
                   std::vector<Column> const& columns, std::string const& title,
                   std::string const& yTitle);

}  // namespace osi_cuda::textbook
