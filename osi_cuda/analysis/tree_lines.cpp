// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/tree_lines.hpp"

#include <algorithm>
#include <charconv>

namespace osi_cuda {
namespace {

/// The words of the lines one after the other.
class LineWords {
 public:
  explicit LineWords(std::string_view text) : left_(text) {}

  bool nextLine() {
    line_ = left_.substr(0, left_.find('\n'));
    left_.remove_prefix(std::min(line_.size() + 1, left_.size()));
    return !line_.empty();
  }
  std::string_view word() {
    std::string_view const word = line_.substr(0, line_.find(' '));
    line_.remove_prefix(std::min(word.size() + 1, line_.size()));
    return word;
  }
  bool atEnd() const { return line_.empty(); }
  std::string_view rest() const { return line_; }
  template <class Number>
  Number number() {
    std::string_view const digits = word();
    Number value{};
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  }
  LineChange change() {
    int const column = number<int>();
    bool const upper = word() == "upper";
    return {column, upper, number<double>()};
  }

 private:
  std::string_view left_, line_;
};

}  // namespace

TreeLines readTree(std::string_view lines) {
  TreeLines tree;
  LineWords words(lines);
  words.nextLine();  // the size of the model
  while (words.nextLine()) {
    std::string_view const kind = words.word();
    if (kind == "multipliers") {
      tree.multipliers.push_back(words.rest());
    } else if (kind == "node") {
      auto const name = words.number<std::int64_t>();
      TreeNode& node = tree.nodes[name];
      node.parent = words.number<std::int64_t>();
      node.change = words.change();
      tree.nodes[node.parent].children.push_back(name);
    } else if (kind == "bound") {
      auto const name = words.number<std::int64_t>();
      tree.nodes[name].bounds.push_back(words.number<std::size_t>());
    } else if (kind == "empty") {
      auto const name = words.number<std::int64_t>();
      if (!words.atEnd()) tree.nodes[name].contradiction = words.number<std::size_t>();
    } else if (kind == "fix") {
      LineChange const change = words.change();
      tree.fixes.emplace_back(change, words.number<std::size_t>());
    } else if (kind == "implied") {
      tree.implied.push_back(words.change());
    } else if (kind == "claim") {
      tree.claim = words.number<double>();
    }
  }
  return tree;
}

std::vector<std::pair<int, double>> multipliersIn(std::string_view line) {
  std::vector<std::pair<int, double>> found;
  LineWords words(line);
  for (words.nextLine(); !words.atEnd();) {
    int const row = words.number<int>();
    found.emplace_back(row, words.number<double>());
  }
  return found;
}

}  // namespace osi_cuda
