// SPDX-License-Identifier: EPL-2.0
#include "examples/common/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "examples/common/failure.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "shell/csv_table.hpp"

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
  if (!file) throw Failure(ExitStatus::cannotWrite, "can't write " + path);
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

std::string markdownTable(std::vector<std::vector<std::string>> const& lines, Cells cells) {
  std::string text;
  for (auto const& line : lines) {
    text += fmt::format("| {} |\n", fmt::join(line, " | "));
    if (&line != &lines.front()) continue;
    text += "|---|";
    for (std::size_t k = 1; k < line.size(); ++k) text += cells == Cells::words ? "---|" : "---:|";
    text += '\n';
  }
  return text;
}

std::string durationText(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:.3g} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3)
                         : fmt::format("{:.3g} us", seconds * 1e6);
}

double median(std::vector<double> values) {
  auto const middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double medianSeconds(int repeats, std::function<void()> const& work) {
  std::vector<double> seconds;
  for (int k = 0; k < std::max(repeats, 1); ++k) {
    Stopwatch const watch;
    work();
    seconds.push_back(watch.seconds());
  }
  return median(std::move(seconds));
}

}  // namespace osi_cuda::examples
