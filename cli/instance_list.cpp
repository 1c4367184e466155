// SPDX-License-Identifier: EPL-2.0
#include "cli/instance_list.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>

#include "cli/failure.hpp"

namespace osi_cuda::cli {
namespace {

namespace fs = std::filesystem;

std::string trimmed(std::string const& text) {
  constexpr char blanks[] = " \t\r";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The fields of one line; a doubled quote within quotes is a quote.
std::vector<std::string> fieldsOf(std::string const& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    char const c = line[k];
    if (c == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') {
      fields.back() += line[++k];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (auto& field : fields) field = trimmed(field);
  return fields;
}

fs::path fileOfName(fs::path const& folder, std::string const& name) {
  for (char const* ending : {".mps.gz", ".mps", ".lp.gz", ".lp"})
    if (auto file = folder / (name + ending); fs::exists(file)) return file;
  return folder / (name + ".mps");  // reading it says that it is not there
}

bool isStatus(std::string const& text) {
  return text == "optimal" || text == "infeasible" || text == "unbounded";
}

class Failing {
 public:
  Failing(fs::path const& list, int line) : where_(list.string() + ':' + std::to_string(line)) {}
  [[noreturn]] void operator()(std::string const& sentence) const {
    throw Failure(ExitStatus::badInput, where_ + ": " + sentence);
  }

 private:
  std::string where_;
};

Instance instanceOf(std::map<std::string, std::string> const& row, fs::path const& folder,
                    Failing const& fail) {
  auto const field = [&](char const* column) {
    auto const found = row.find(column);
    return found == row.end() ? std::string() : found->second;
  };
  Instance instance;
  std::string const file = field("file");
  instance.name = field("name");
  if (file.empty() && instance.name.empty()) fail("expected a file or a name");
  instance.file = file.empty() ? fileOfName(folder, instance.name) : folder / file;
  if (instance.name.empty()) instance.name = file;
  instance.status = field("status");
  std::string objective = field("objective");
  if (isStatus(objective)) {
    instance.status = objective;
    objective.clear();
  }
  if (!instance.status.empty() && !isStatus(instance.status))
    fail("expected optimal, infeasible or unbounded, found '" + instance.status + "'");
  if (objective.empty()) return instance;
  double value = 0.0;
  auto const* const end = objective.data() + objective.size();
  if (auto const parsed = std::from_chars(objective.data(), end, value);
      parsed.ec != std::errc() || parsed.ptr != end)
    fail("expected a number as objective, found '" + objective + "'");
  instance.objective = value;
  if (instance.status.empty()) instance.status = "optimal";
  return instance;
}

}  // namespace

std::vector<Instance> readInstanceList(fs::path const& list) {
  std::ifstream in(list);
  if (!in) throw Failure(ExitStatus::noInput, "can't open '" + list.string() + "'");
  std::vector<std::string> header;
  std::vector<Instance> instances;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (trimmed(line).empty() || line.front() == '#') continue;
    Failing const fail(list, number);
    auto const fields = fieldsOf(line);
    if (header.empty()) {
      header = fields;
      auto const has = [&](char const* column) {
        return std::find(header.begin(), header.end(), column) != header.end();
      };
      if (!has("file") && !has("name")) fail("expected a column called file or name");
      continue;
    }
    if (fields.size() > header.size())
      fail("expected " + std::to_string(header.size()) + " fields, found " +
           std::to_string(fields.size()));
    std::map<std::string, std::string> row;
    for (std::size_t k = 0; k < fields.size(); ++k) row[header[k]] = fields[k];
    instances.push_back(instanceOf(row, list.parent_path(), fail));
  }
  return instances;
}

std::string checksumOf(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Failure(ExitStatus::noInput, "can't open '" + file.string() + "'");
  uLong sum = crc32(0, nullptr, 0);
  std::uint64_t length = 0;
  std::array<char, 1 << 16> block{};
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    sum = crc32(sum, reinterpret_cast<Bytef const*>(block.data()), static_cast<uInt>(in.gcount()));
    length += static_cast<std::uint64_t>(in.gcount());
  }
  std::array<char, 9> digits{};
  std::snprintf(digits.data(), digits.size(), "%08lx", static_cast<unsigned long>(sum));
  return std::string("crc32:") + digits.data() + ':' + std::to_string(length);
}

}  // namespace osi_cuda::cli
