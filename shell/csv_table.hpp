// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "readers/line_source.hpp"

namespace osi_cuda::shell {

/// What lines with fewer cells than the header mean.
enum class ShortLines { fault, emptyCells };

/// A CSV file, plain or compressed, line by line. The first line names the columns, which may stand
/// in any order; empty lines and lines that begin with # are passed over. Blanks around a cell do
/// not count, and a cell may stand in double quotes: commas within them separate nothing, and a
/// doubled quote is a quote. Throws readers::OpenError and readers::ReadError, whose place is the
/// cell.
class CsvTable {
 public:
  explicit CsvTable(std::string const& path, ShortLines shortLines = ShortLines::fault);

  std::vector<std::string> const& header() const { return header_; }
  std::optional<std::size_t> find(std::string const& column) const;
  /// The place of a column that must be there.
  std::size_t need(std::string const& column) const;

  /// Steps to the next line that says something.
  bool next();

  std::string text(std::size_t column) const;
  [[noreturn]] void fail(std::size_t column, std::string const& expected) const;
  /// At the beginning of the line; `found` may be empty: the line itself.
  [[noreturn]] void failAtLine(std::string const& expected, std::string const& found = "") const;
  [[noreturn]] void failAtEnd(std::string const& expected) const { lines_.failAtEnd(expected); }

 private:
  bool step();
  void split();

  readers::LineSource lines_;
  ShortLines shortLines_;
  std::vector<std::string> header_;
  std::vector<std::string_view> cells_;  ///< without the quotes around them
};

}  // namespace osi_cuda::shell
