// SPDX-License-Identifier: EPL-2.0
#include "shell/csv_table.hpp"

#include <algorithm>

#include "readers/input.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::shell {
namespace {

/// Where the cell at the beginning of `text` ends: at the first comma outside of quotes.
std::size_t endOfCell(std::string_view text) {
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '"') quoted = !quoted;  // a doubled one changes nothing
    if (text[k] == ',' && !quoted) return k;
  }
  return text.size();
}

std::string_view unframed(std::string_view cell) {
  constexpr std::string_view blanks = " \t\r";
  cell.remove_prefix(std::min(cell.find_first_not_of(blanks), cell.size()));
  cell = cell.substr(0, cell.find_last_not_of(blanks) + 1);
  bool const quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

}  // namespace

CsvTable::CsvTable(std::string const& path, ShortLines shortLines)
    : lines_(readers::decompress(readers::openFile(path), 0), path, {}), shortLines_(shortLines) {
  if (!step()) lines_.failAtEnd("a header line that names the columns");
  for (std::size_t k = 0; k < cells_.size(); ++k) header_.push_back(text(k));
}

std::optional<std::size_t> CsvTable::find(std::string const& column) const {
  auto const found = std::ranges::find(header_, column);
  if (found == header_.end()) return std::nullopt;
  return at(found - header_.begin());
}

std::size_t CsvTable::need(std::string const& column) const {
  if (auto const place = find(column)) return *place;
  failAtLine("a column '" + column + "' in the header");
}

bool CsvTable::next() {
  if (!step()) return false;
  bool const isShort = cells_.size() < header_.size() && shortLines_ == ShortLines::emptyCells;
  if (isShort) cells_.resize(header_.size(), lines_.line().substr(lines_.line().size()));
  if (cells_.size() != header_.size())
    failAtLine(concat(header_.size(), " cells as in the header"), std::to_string(cells_.size()));
  return true;
}

std::string CsvTable::text(std::size_t column) const {
  std::string text(cells_[column]);
  for (std::size_t k = text.find("\"\""); k != text.npos; k = text.find("\"\"", k + 1))
    text.erase(k, 1);
  return text;
}

void CsvTable::fail(std::size_t column, std::string const& expected) const {
  lines_.fail(cells_[column].data(), expected,
              cells_[column].empty() ? "an empty cell" : readers::quoted(cells_[column]));
}

void CsvTable::failAtLine(std::string const& expected, std::string const& found) const {
  lines_.fail(lines_.line().data(), expected,
              found.empty() ? readers::quoted(lines_.line()) : found);
}

bool CsvTable::step() {
  do {
    if (!lines_.next()) return false;
  } while (lines_.line().find_first_not_of(" \t,") == std::string_view::npos ||
           lines_.line().starts_with('#'));
  split();
  return true;
}

void CsvTable::split() {
  cells_.clear();
  std::string_view rest = lines_.line();
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  if (rest.starts_with(byteOrderMark)) rest.remove_prefix(byteOrderMark.size());
  for (bool more = true; more;) {
    std::size_t const end = endOfCell(rest);
    cells_.push_back(unframed(rest.substr(0, end)));
    more = end < rest.size();
    if (more) rest.remove_prefix(end + 1);
  }
}

}  // namespace osi_cuda::shell
