// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/tree_file.hpp"

#include <charconv>

namespace osi_cuda::search {

TreeFile::TreeFile(std::function<void(std::string_view)> sink, std::span<int const> rows)
    : sink_(std::move(sink)), rows_(rows) {}

void TreeFile::add(std::string_view word) {
  if (!text_.empty() && text_.back() != '\n') text_ += ' ';
  text_ += word;
}
void TreeFile::add(double value) {
  char digits[32];
  add(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, value).ptr));
}
void TreeFile::add(std::int64_t value) {
  add(std::to_string(value));
}
void TreeFile::add(BoundChange const& change) {
  add(std::int64_t{change.column});
  add(change.upper ? "upper" : "lower");
  add(change.value);
}
void TreeFile::line() {
  constexpr std::size_t enough = 1 << 16;
  text_ += '\n';
  if (text_.size() < enough) return;
  sink_(text_);
  text_.clear();
}

void TreeFile::begin(int columns, int rows) {
  if (!isOpen()) return;
  add("osi_cuda tree 1");
  add(std::int64_t{columns});
  add(std::int64_t{rows});
  line();
}

void TreeFile::implied(BoundChange const& change) {
  if (!isOpen()) return;
  add("implied");
  add(change);
  line();
}

std::int64_t TreeFile::multipliers(std::span<double const> y) {
  if (!isOpen()) return -1;
  add("multipliers");
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0.0) continue;
    add(std::int64_t{rows_[i]});
    add(y[i]);
  }
  line();
  return written_++;
}

void TreeFile::node(NodePool::Node const& child, std::int64_t parent) {
  if (!isOpen()) return;
  add("node");
  add(child.name);
  add(parent);
  add(child.change);
  line();
}

void TreeFile::bound(std::int64_t node, std::int64_t multipliers) {
  if (!isOpen()) return;
  add("bound");
  add(node);
  add(multipliers);
  line();
}

void TreeFile::empty(std::int64_t node, std::int64_t multipliers) {
  if (!isOpen()) return;
  add("empty");
  add(node);
  if (multipliers >= 0) add(multipliers);
  line();
}

void TreeFile::fix(BoundChange const& change, std::int64_t multipliers) {
  if (!isOpen()) return;
  add("fix");
  add(change);
  add(multipliers);
  line();
}

void TreeFile::end(std::span<double const> point, double bound) {
  if (!isOpen()) return;
  if (!point.empty()) {
    add("point");
    for (std::size_t j = 0; j < point.size(); ++j) {
      if (point[j] == 0.0) continue;
      add(static_cast<std::int64_t>(j));
      add(point[j]);
    }
    line();
  }
  add("claim");
  add(bound);
  line();
  sink_(text_);
  text_.clear();
}

}  // namespace osi_cuda::search
