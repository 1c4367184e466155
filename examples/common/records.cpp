// SPDX-License-Identifier: EPL-2.0
#include "examples/common/records.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "shell/csv_table.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::examples {
std::string toField(double value, int digits) {
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

std::string textOf(Record const& record, std::string const& name) {
  auto const found = record.find(name);
  return found == record.end() ? "" : found->second;
}

double numberOf(Record const& record, std::string const& name) {
  std::string const text = textOf(record, name);
  return text.empty() ? std::numeric_limits<double>::quiet_NaN()
                      : std::strtod(text.c_str(), nullptr);
}

void appendRecord(std::string const& path, std::vector<std::string> const& columns,
                  Record const& record) {
  if (path.empty()) return;
  std::error_code ignored;
  bool const isNew = !std::filesystem::exists(path, ignored);
  std::ofstream file(path, std::ios::app);
  auto const write = [&](auto const& fieldOf) {
    for (std::size_t k = 0; k < columns.size(); ++k) file << (k ? "," : "") << fieldOf(columns[k]);
    file << std::endl;
  };
  if (isNew) write([](std::string const& name) { return name; });
  write([&](std::string const& name) { return textOf(record, name); });
  if (!file) throw shell::Failure(shell::ExitStatus::cannotWrite, "can't write " + path);
}

std::vector<Record> readRecords(std::string const& path) {
  shell::CsvTable table(path);
  std::vector<Record> records;
  while (table.next()) {
    Record& record = records.emplace_back();
    for (std::size_t k = 0; k < table.header().size(); ++k)
      record[table.header()[k]] = table.text(k);
  }
  return records;
}

}  // namespace osi_cuda::examples
