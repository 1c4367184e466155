// SPDX-License-Identifier: EPL-2.0
#include "readers/name_table.hpp"

#include <utility>

#include "readers/solution_file.hpp"

namespace osi_cuda::readers {

namespace {

// The standard library's hash of a string (MurmurHash) mixes well enough for linear probing.
std::uint32_t hashOf(std::string_view name) {
  std::size_t const hash = std::hash<std::string_view>{}(name);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

/// The slot that holds `name`, or the empty one where it belongs.
std::size_t NameTable::slotOf(std::string_view name, std::uint32_t hash) const {
  std::size_t const mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].index != absent &&
         (slots_[slot].hash != hash || names_[slots_[slot].index] != name))
    slot = (slot + 1) & mask;
  return slot;
}

int NameTable::find(std::string_view name) const {
  if (slots_.empty()) return absent;
  return slots_[slotOf(name, hashOf(name))].index;
}

int NameTable::add(std::string_view name) {
  if (2 * (names_.size() + 1) > slots_.size()) grow();
  std::uint32_t const hash = hashOf(name);
  Slot& slot = slots_[slotOf(name, hash)];
  if (slot.index != absent) return absent;
  slot = {hash, size()};
  names_.emplace_back(name);
  return slot.index;
}

void NameTable::grow() {
  constexpr std::size_t smallest = 64;
  std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(slots_.empty() ? smallest : 2 * slots_.size()));
  std::size_t const mask = slots_.size() - 1;
  for (Slot const& moved : old) {
    if (moved.index == absent) continue;
    std::size_t slot = moved.hash & mask;
    while (slots_[slot].index != absent) slot = (slot + 1) & mask;
    slots_[slot] = moved;
  }
}

std::vector<std::string> NameTable::release() {
  slots_.clear();
  return std::exchange(names_, {});
}

ModelNames::ModelNames(LineSource const& source, LinearProgram const& lp)
    : source_(source),
      lp_(lp),
      columns_(lp.columns(), [&lp](int j) { return lp.columnName(j); }),
      rows_(lp.rows(), [&lp](int i) { return lp.rowName(i); }) {}

int ModelNames::find(std::string_view name, bool isRows, int position) const {
  bool const isThere = position < size(isRows) &&
                       name == (isRows ? lp_.rowName(position) : lp_.columnName(position));
  return isThere ? position : (isRows ? rows_ : columns_).find(name);
}

int ModelNames::index(std::string_view name, bool isRows, int position) const {
  int const index = find(name, isRows, position);
  if (index == NameTable::absent)
    source_.fail(name, isRows ? "the name of a row" : "the name of a column");
  return index;
}

int ModelNames::count(std::string_view word, bool isRows, bool orNone) const {
  std::string const expected =
      concat("the number of ", isRows ? "rows" : "columns", ", ", size(isRows));
  int const found = solutionIndex(source_, word, size(isRows), expected);
  if (found != size(isRows) && !(orNone && found == 0)) source_.fail(word, expected);
  return found;
}

}  // namespace osi_cuda::readers
