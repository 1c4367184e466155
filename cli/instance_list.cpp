// SPDX-License-Identifier: EPL-2.0
#include "cli/instance_list.hpp"

#include <zlib.h>

#include <array>
#include <fstream>

#include "readers/number.hpp"
#include "shell/csv_table.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {

using namespace shell;
namespace {

namespace fs = std::filesystem;

fs::path fileOfName(fs::path const& folder, std::string const& name) {
  for (char const* ending : {".mps.gz", ".mps", ".lp.gz", ".lp"})
    if (auto file = folder / (name + ending); fs::exists(file)) return file;
  return folder / (name + ".mps");  // reading it says that it is not there
}

Instance instanceOf(CsvTable const& table, fs::path const& folder) {
  auto const field = [&](char const* column) {
    auto const place = table.find(column);
    return place ? table.text(*place) : std::string();
  };
  Instance instance;
  std::string const file = field("file");
  instance.name = field("name");
  if (file.empty() && instance.name.empty()) table.failAtLine("a file or a name");
  instance.file = file.empty() ? fileOfName(folder, instance.name) : folder / file;
  if (instance.name.empty()) instance.name = file;
  instance.status = field("status");
  if (!instance.status.empty() && !isClaim(instance.status))
    table.fail(table.need("status"), "optimal, infeasible or unbounded");
  std::string const objective = field("objective");
  if (isClaim(objective)) instance.status = objective;
  if (isClaim(objective) || objective.empty()) return instance;
  instance.objective = readers::wholeNumber<double>(objective);
  if (!instance.objective)
    table.fail(table.need("objective"), "a number, optimal, infeasible or unbounded");
  if (instance.status.empty()) instance.status = "optimal";
  return instance;
}

}  // namespace

bool isClaim(std::string const& status) {
  return status == "optimal" || status == "infeasible" || status == "unbounded";
}

std::vector<Instance> readInstanceList(fs::path const& list) {
  CsvTable table(list.string(), ShortLines::emptyCells);
  if (!table.find("file") && !table.find("name")) table.failAtLine("a column called file or name");
  std::vector<Instance> instances;
  while (table.next()) instances.push_back(instanceOf(table, list.parent_path()));
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
  return concat("crc32:", digits.data(), ':', length);
}

}  // namespace osi_cuda::cli
