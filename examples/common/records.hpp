// SPDX-License-Identifier: EPL-2.0
#pragma once

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

}  // namespace osi_cuda::examples
