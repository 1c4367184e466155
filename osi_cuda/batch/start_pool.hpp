// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda::batch {

/// Bases that variants may begin at, by handles. Each takes two bits a variable: whether it is
/// basic, and whether it rests on its upper bound (a row's slack: the row on its lower one).
/// Private factors in their place would take 8 k (m + n) bytes: of 30 rows, 500 columns and 25
/// exchanges 106 kB instead of 136 bytes. To form them anew (variant_start.hpp) takes some pivots'
/// time, and as few lines as the bases differ in.
///
/// The memory is bounded. Where it is full, some of the older ones are dropped, every second,
/// fourth or further generation of them; a handle of those stands for the nearest ancestor that is
/// kept.
class StartPool {
 public:
  using Word = std::uint32_t;

  StartPool() = default;
  /// For `variables` = m + n variables; at least a few bases. Handles begin at `first`.
  StartPool(std::size_t variables, std::size_t bytes, std::int64_t first);

  /// Of either sort of bits.
  std::size_t words() const { return words_; }
  static std::size_t wordsOf(std::size_t variables) { return (variables + 31) / 32; }
  /// Bits of a basis: `words` basic ones, as many of rest.
  static void write(std::span<VariableStatus const> columns, std::span<VariableStatus const> rows,
                    std::span<Word> bits);
  /// Keeps a basis that a variant came to from `parent`; returns its handle.
  std::int64_t keep(std::int64_t parent, std::span<Word const> bits);
  /// The basis, or that of the nearest ancestor; nothing: the common basis.
  std::span<Word const> find(std::int64_t handle) const;
  std::int64_t next() const { return first_ + static_cast<std::int64_t>(records_.size()); }
  /// The same bases of a problem with some of these columns: `columns` are their numbers here; -1
  /// and -2: a new one, on its lower or its upper bound.
  void renumber(std::span<int const> columns, std::size_t columnsBefore, std::size_t rows);

 private:
  struct Record {
    std::int64_t parent = -1;
    std::int32_t generation = 0;
    std::int32_t slot = -1;  ///< of the memory; -1: dropped
  };
  Record const* recordOf(std::int64_t handle) const;
  void sweep();
  std::span<Word> bitsOf(std::int32_t slot) {
    return std::span(memory_).subspan(2 * words_ * static_cast<std::size_t>(slot), 2 * words_);
  }

  std::size_t words_ = 0, capacity_ = 0;
  std::int64_t first_ = 0;  ///< handle of the first record
  std::deque<Record> records_;
  std::vector<Word> memory_;
  std::vector<std::int32_t> free_;
};

}  // namespace osi_cuda::batch
