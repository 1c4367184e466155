// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace osi_cuda::shell {

/// Rows of text cells, printed with columns as wide as their widest cell. The first column is
/// flush left, numbers flush right. The last column is not padded.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// What stands in the columns after the first: numbers are flush right, words flush left.
enum class Cells { numbers, words };

/// A table of Markdown; the first line is its head.
std::string markdownTable(std::vector<std::vector<std::string>> const& lines,
                          Cells cells = Cells::numbers);

/// A number with `digits` significant digits, as short as they allow; "-" for what is not finite.
std::string shortNumber(double value, int digits);

}  // namespace osi_cuda::shell
