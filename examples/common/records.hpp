// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace osi_cuda::examples {

/// One line of a results file: values, without commas, by the names of their columns.
using Record = std::map<std::string, std::string>;

std::string toField(double value, int digits = 7);
/// "" and NaN if there is none.
std::string textOf(Record const& record, std::string const& name);
double numberOf(Record const& record, std::string const& name);

/// Appends the record; a new file gets a line with the names of the columns first. An empty path:
/// does nothing. Throws Failure (cannotWrite).
void appendRecord(std::string const& path, std::vector<std::string> const& columns,
                  Record const& record);

/// Throws what shell::CsvTable throws.
std::vector<Record> readRecords(std::string const& path);

/// A table of Markdown; the first line is its head. Numbers are flush right, words flush left.
enum class Cells { numbers, words };
std::string markdownTable(std::vector<std::vector<std::string>> const& lines,
                          Cells cells = Cells::numbers);

/// 12.3 us, 4.56 ms or 7.89 s.
std::string durationText(double seconds);

/// Of an even number the upper one of the middle two; at least one value.
double median(std::vector<double> values);
/// Seconds of one call on the host's clock: the median of `repeats`.
double medianSeconds(int repeats, std::function<void()> const& work);

}  // namespace osi_cuda::examples
