// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/start_pool.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::batch {
namespace {

constexpr std::size_t wordBits = 32, leastStarts = 16;
/// Handles of dropped bases that still name an ancestor, for each basis that there is room for.
constexpr std::size_t linksOfEach = 8;

bool bitAt(std::span<StartPool::Word const> bits, std::size_t v) {
  return (bits[v / wordBits] >> (v % wordBits) & 1u) != 0;
}
void setBit(std::span<StartPool::Word> bits, std::size_t v, bool value) {
  if (value) bits[v / wordBits] |= 1u << (v % wordBits);
}

}  // namespace

StartPool::StartPool(std::size_t variables, std::size_t bytes, std::int64_t first)
    : words_(wordsOf(variables)), first_(first) {
  std::size_t const each = 2 * words_ * sizeof(Word) + linksOfEach * sizeof(Record);
  capacity_ =
      std::clamp<std::size_t>(bytes / each, leastStarts, std::numeric_limits<std::int32_t>::max());
}

void StartPool::write(std::span<VariableStatus const> columns, std::span<VariableStatus const> rows,
                      std::span<Word> bits) {
  std::ranges::fill(bits, Word{0});
  std::span<Word> const basic = bits.first(bits.size() / 2), upper = bits.last(bits.size() / 2);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    setBit(basic, j, columns[j] == VariableStatus::basic);
    setBit(upper, j, columns[j] == VariableStatus::atUpper);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    setBit(basic, columns.size() + i, rows[i] == VariableStatus::basic);
    setBit(upper, columns.size() + i, rows[i] == VariableStatus::atLower);
  }
}

StartPool::Record const* StartPool::recordOf(std::int64_t handle) const {
  return handle >= first_ && handle < next() ? &records_[at(handle - first_)] : nullptr;
}

std::span<StartPool::Word const> StartPool::find(std::int64_t handle) const {
  for (Record const* own = recordOf(handle); own; own = recordOf(own->parent))
    if (own->slot >= 0) return std::span(memory_).subspan(2 * words_ * at(own->slot), 2 * words_);
  return {};
}

std::int64_t StartPool::keep(std::int64_t parent, std::span<Word const> bits) {
  std::size_t const slots = words_ == 0 ? capacity_ : memory_.size() / (2 * words_);
  std::int32_t slot = static_cast<std::int32_t>(slots);
  if (free_.empty() && slots >= capacity_) sweep();
  if (free_.empty()) {
    memory_.resize(memory_.size() + 2 * words_);
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  std::ranges::copy(bits, bitsOf(slot).begin());
  Record const* const above = recordOf(parent);
  std::int64_t const handle = next();
  records_.push_back({above ? parent : -1, above ? above->generation + 1 : 0, slot});
  return handle;
}

/// Drops half of the older half at least, of the coarsest generations last; all of it where that
/// does not do.
void StartPool::sweep() {
  std::size_t const kept = capacity_ - free_.size(), wanted = std::max<std::size_t>(1, kept / 4);
  for (std::int32_t step = 2; free_.size() < wanted; step *= 2) {
    std::size_t seen = 0;
    constexpr std::int32_t coarsest = 1 << 20;
    for (Record& own : records_) {
      if (own.slot < 0) continue;
      if (++seen > kept / 2 + 1) break;
      if (step <= coarsest && own.generation % step == 0) continue;
      free_.push_back(own.slot);
      own.slot = -1;
    }
    if (step > coarsest) break;
  }
  while (records_.size() > linksOfEach * capacity_ ||
         (!records_.empty() && records_.front().slot < 0 && records_.front().parent < first_)) {
    if (records_.front().slot >= 0) free_.push_back(records_.front().slot);
    records_.pop_front();
    ++first_;
  }
}

void StartPool::renumber(std::span<int const> columns, std::size_t columnsBefore,
                         std::size_t rows) {
  std::size_t const before = words_, after = wordsOf(columns.size() + rows);
  std::vector<Word> old = std::exchange(memory_, {});
  memory_.assign(before == 0 ? 0 : old.size() / before * after, 0);
  words_ = after;
  for (Record const& own : records_) {
    if (own.slot < 0) continue;
    std::span<Word> const to = bitsOf(own.slot);
    for (std::size_t sort = 0; sort < 2; ++sort) {
      std::span<Word const> const from =
          std::span<Word const>(old).subspan((2 * at(own.slot) + sort) * before, before);
      std::span<Word> const target = to.subspan(sort * after, after);
      for (std::size_t j = 0; j < columns.size(); ++j)
        setBit(target, j,
               columns[j] < 0 ? sort == 1 && columns[j] == -2 : bitAt(from, at(columns[j])));
      for (std::size_t i = 0; i < rows; ++i)
        setBit(target, columns.size() + i, bitAt(from, columnsBefore + i));
    }
  }
}

}  // namespace osi_cuda::batch
