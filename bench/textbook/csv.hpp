// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace osi_cuda::textbook {

/// One line of a results file: values by the names of its columns. Values hold no commas.
class Record {
 public:
  Record& set(std::string const& name, std::string value);
  Record& set(std::string const& name, double value);  ///< seven digits
  std::string const& text(std::string const& name) const;  ///< "" if there is none
  double number(std::string const& name) const;            ///< NaN if there is none
  std::vector<std::string> const& names() const { return names_; }

 private:
  std::vector<std::string> names_;  ///< in the order of set()
  std::map<std::string, std::string> values_;
};

/// Appends the record; a new file gets a header line first. An empty path: does nothing. Throws
/// Failure (cannotWrite).
void appendRecord(std::string const& path, Record const& record);

/// Throws Failure (noInput, badInput).
std::vector<Record> readRecords(std::string const& path);

}  // namespace osi_cuda::textbook
