// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "examples/common/program.hpp"

/// Measurements of forms of one kind of work, the CSV file that keeps them, and the commands
/// `experiment` and `report`.
namespace osi_cuda::examples {

/// How long one form of one kind of work took on one problem.
struct Measurement {
  std::string series;   ///< the kind of work
  std::string problem;  ///< what was computed
  double size = 0.0;    ///< orders the problems of a series
  std::string form;     ///< how it was computed
  double seconds = 0.0;
  double bytes = 0.0;       ///< the least that has to be moved; 0: unknown
  double iterations = 0.0;  ///< 0: none
  double error = 0.0;       ///< against the reference of the series, relative
  bool ok = false;          ///< the error is rounding
  std::string executor;     ///< "host" or the device's name
  std::string note;
};

using Store = std::function<void(Measurement const&)>;
/// Measures all forms of one kind of work.
using Series = std::function<void(Store const&)>;

/// Appends a line to a CSV file; a new file gets a header first. Throws Failure (cannotWrite).
void append(std::string const& path, Measurement const& measurement);

/// Throws what shell::CsvTable throws.
std::vector<Measurement> readMeasurements(std::string const& path);

/// A table of Markdown for each series, in milliseconds: a line a form, a column a problem; the
/// newest measurement counts.
std::string tablesOf(std::vector<Measurement> const& all);

/// `experiment KIND [--results FILE]`. `addOptions` adds those of the example. The exit status is
/// `disagreement` where a form computed something else than its reference.
Command experimentCommand(std::map<std::string, Series> const& series,
                          std::function<void(CLI::App&)> const& addOptions);

/// `report FILE`: the tables of a file of measurements.
Command reportCommand();

}  // namespace osi_cuda::examples
