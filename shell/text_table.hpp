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

/// A number with `digits` significant digits, as short as they allow; "-" for what is not finite.
std::string shortNumber(double value, int digits);

}  // namespace osi_cuda::shell
