// SPDX-License-Identifier: EPL-2.0
#include "examples/common/records.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "cli/failure.hpp"

namespace osi_cuda::examples {
namespace {

std::vector<std::string> fieldsOf(std::string const& line) {
  std::vector<std::string> fields(1);
  for (char const c : line)
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

}  // namespace

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
  if (!file) throw cli::Failure(cli::ExitStatus::cannotWrite, "can't write " + path);
}

std::vector<Record> readRecords(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw cli::Failure(cli::ExitStatus::noInput, "can't open " + path);
  std::string line;
  std::getline(file, line);
  std::vector<std::string> const names = fieldsOf(line);
  std::vector<Record> records;
  for (int number = 2; std::getline(file, line); ++number) {
    std::vector<std::string> const fields = fieldsOf(line);
    if (fields.size() != names.size())
      throw cli::Failure(cli::ExitStatus::badInput,
                         path + ":" + std::to_string(number) + ":1: expected " +
                             std::to_string(names.size()) + " fields, found " +
                             std::to_string(fields.size()));
    Record& record = records.emplace_back();
    for (std::size_t k = 0; k < names.size(); ++k) record[names[k]] = fields[k];
  }
  return records;
}

}  // namespace osi_cuda::examples
