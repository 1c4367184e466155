// SPDX-License-Identifier: EPL-2.0
#include "readers/name_table.hpp"

#include <utility>

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

}  // namespace osi_cuda::readers
