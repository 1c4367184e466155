// SPDX-License-Identifier: EPL-2.0
#include "shell/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace osi_cuda::shell {
namespace {

bool looksLikeNumber(std::string const& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.eE+-") == std::string::npos;
}

}  // namespace

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (auto const& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  for (auto const& row : rows_) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      std::string const padding(widths[k] - row[k].size(), ' ');
      if (k > 0) line += "  ";
      line += k > 0 && looksLikeNumber(row[k]) ? padding + row[k] : row[k] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

std::string shortNumber(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "-";
}

}  // namespace osi_cuda::shell
