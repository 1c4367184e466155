// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/saved_search.hpp"

#include <charconv>
#include <stdexcept>
#include <type_traits>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/fingerprint.hpp"

namespace osi_cuda::search {
namespace {

constexpr std::string_view savedTitle = "osi-cuda search 1";  // the number is that of the format

std::string problemPrint(LinearProgram const& lp) {
  Fingerprint print;
  print.add(fingerprintOf(lp));
  print.add(std::string_view(lp.integer.data(), lp.integer.size()));
  for (SemicontinuousColumn const& one : lp.choices.semicontinuous) {
    print.add(static_cast<std::uint64_t>(one.column));
    print.add(one.on);
  }
  for (OrderedSet const& set : lp.choices.sets) {
    print.add(static_cast<std::uint64_t>(set.type));
    print.add(set.weights);
    for (int const column : set.columns) print.add(static_cast<std::uint64_t>(column));
  }
  return print.text();
}

std::string checksumOf(std::string_view text) {
  Fingerprint print;
  print.add(text);
  return print.text();
}

/// The same fields in the same order for the text and its reader.
void goThrough(auto& file, auto& saved) {
  file.line("nodes", saved.nodes, saved.names, saved.doubts);
  file.line("spent", saved.iterations, saved.solves, saved.seconds);
  file.line("closed", saved.closed, saved.absoluteGap, saved.relativeGap, saved.trusts);
  file.list("point", saved.point, [&](auto& x) { file.fields(x); });
  file.list("everywhere", saved.everywhere,
            [&](auto& x) { file.fields(x.column, x.upper, x.value); });
  file.list("gains", saved.gains, [&](auto& x) { file.fields(x.column, x.up, x.sum, x.count); });
  file.list("tree", saved.tree, [&](auto& x) {
    file.fields(x.name, x.parent, x.change.column, x.change.upper, x.change.value, x.bound,
                x.distance);
  });
}

struct SavedText {
  std::string text;

  void field(auto value) {
    char digits[32];
    if constexpr (std::is_same_v<decltype(value), bool>)
      text += value ? " 1" : " 0";
    else
      (text += ' ').append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  void fields(auto const&... values) {
    (field(values), ...);
    text += '\n';
  }
  void line(char const* name, auto const&... values) {
    text += name;
    fields(values...);
  }
  void list(char const* name, auto const& items, auto const& each) {
    line(name, items.size());
    for (auto const& item : items) each(item);
  }
};

struct SavedWords {
  std::string_view left;

  [[noreturn]] static void fail() {
    throw std::invalid_argument("it is no checkpoint of a search, or a damaged one");
  }
  std::string_view word() {
    left.remove_prefix(std::min(left.find_first_not_of(" \n"), left.size()));
    std::string_view const word = left.substr(0, left.find_first_of(" \n"));
    left.remove_prefix(word.size());
    return word;
  }
  template <class Value>
  void field(Value& value) {
    std::string_view const digits = word();
    std::conditional_t<std::is_same_v<Value, bool>, int, Value> number{};
    char const* const end = digits.data() + digits.size();
    auto const found = std::from_chars(digits.data(), end, number);
    if (digits.empty() || found.ptr != end) fail();
    value = static_cast<Value>(number);
  }
  void fields(auto&... values) { (field(values), ...); }
  void line(char const* name, auto&... values) {
    if (word() != name) fail();
    fields(values...);
  }
  void list(char const* name, auto& items, auto const& each) {
    std::size_t size = 0;
    line(name, size);
    if (size > left.size()) fail();  // an item takes a character at least
    items.resize(size);
    for (auto& item : items) each(item);
  }
};

void checkColumns(SavedSearch const& saved, LinearProgram const& lp) {
  int const n = lp.columns();
  auto const isColumn = [n](int j) { return j >= 0 && j < n; };
  auto const isBranched = [most = n + std::ssize(lp.choices.sets)](int j) {
    return j >= 0 && j < most;
  };
  bool good = saved.point.empty() || saved.point.size() == at(n);
  for (auto const& change : saved.everywhere) good = good && isColumn(change.column);
  for (auto const& gains : saved.gains) good = good && isBranched(gains.column);
  for (auto const& node : saved.tree) good = good && isBranched(node.change.column);
  if (!good) SavedWords::fail();
}

}  // namespace

std::string textOf(SavedSearch const& saved, LinearProgram const& lp) {
  SavedText file{.text = std::string(savedTitle) + "\nproblem " + problemPrint(lp) + '\n'};
  goThrough(file, saved);
  return file.text + "checksum " + checksumOf(file.text) + '\n';
}

SavedSearch readSavedSearch(std::string_view text, LinearProgram const& lp) {
  std::size_t const end = text.rfind("checksum ");
  if (!text.starts_with(savedTitle) || end == text.npos) SavedWords::fail();
  SavedWords words{text.substr(end)};
  words.word();
  if (words.word() != checksumOf(text.substr(0, end))) SavedWords::fail();
  words.left = text.substr(savedTitle.size(), end - savedTitle.size());
  if (words.word() != "problem") SavedWords::fail();
  if (words.word() != problemPrint(lp))
    throw std::invalid_argument("it is a checkpoint of another problem");
  SavedSearch saved;
  goThrough(words, saved);
  checkColumns(saved, lp);
  return saved;
}

}  // namespace osi_cuda::search
