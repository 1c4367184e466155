// SPDX-License-Identifier: EPL-2.0
#include "bench/textbook/csv.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/failure.hpp"

namespace osi_cuda::textbook {
namespace {

std::vector<std::string> fieldsOf(std::string const& line) {
  std::vector<std::string> fields(1);
  for (char const c : line) {
    if (c == ',')
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

}  // namespace

Record& Record::set(std::string const& name, std::string value) {
  if (values_.emplace(name, value).second)
    names_.push_back(name);
  else
    values_[name] = std::move(value);
  return *this;
}

Record& Record::set(std::string const& name, double value) {
  std::ostringstream text;
  text.precision(7);
  text << value;
  return set(name, text.str());
}

std::string const& Record::text(std::string const& name) const {
  static std::string const none;
  auto const found = values_.find(name);
  return found == values_.end() ? none : found->second;
}

double Record::number(std::string const& name) const {
  std::string const& value = text(name);
  char* end = nullptr;
  double const result = std::strtod(value.c_str(), &end);
  return value.empty() || *end != '\0' ? std::nan("") : result;
}

void appendRecord(std::string const& path, Record const& record) {
  if (path.empty()) return;
  std::error_code ignored;
  bool const isNew = !std::filesystem::exists(path, ignored);
  std::ofstream file(path, std::ios::app);
  std::string header, line;
  for (std::string const& name : record.names()) {
    header += (header.empty() ? "" : ",") + name;
    line += (line.empty() ? "" : ",") + record.text(name);
  }
  if (isNew) file << header << '\n';
  file << line << std::endl;
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
                         path + ":" + std::to_string(number) + ": expected " +
                             std::to_string(names.size()) + " fields, found " +
                             std::to_string(fields.size()));
    Record record;
    for (std::size_t k = 0; k < names.size(); ++k) record.set(names[k], fields[k]);
    records.push_back(record);
  }
  return records;
}

}  // namespace osi_cuda::textbook
