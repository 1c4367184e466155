// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace osi_cuda::factors {

/// A set of numbers 0..size-1 as bits, sixty-four to a word, and a bit for each word that may have
/// any. Sweeps visit its members in order and also those that join ahead of them on the way: four
/// thousand numbers are passed by at once where there are none, so that a solve whose result has
/// few entries costs hardly more than these, and makes the same sums in the same order as one over
/// all numbers.
class Marks {
 public:
  void resize(int size) {
    words_.assign((static_cast<std::size_t>(size) + 63) / 64, 0);
    used_.assign((words_.size() + 63) / 64, 0);
  }
  void set(int i) {
    words_[static_cast<std::size_t>(i) >> 6] |= bit(i);
    used_[static_cast<std::size_t>(i) >> 12] |= bit(i >> 6);
  }
  void set(int i, bool present) {
    if (present)
      set(i);
    else
      words_[static_cast<std::size_t>(i) >> 6] &= ~bit(i);
  }
  void clear() {
    std::fill(words_.begin(), words_.end(), 0);
    std::fill(used_.begin(), used_.end(), 0);
  }
  void setAll(int size) {
    std::fill(words_.begin(), words_.end(), ~std::uint64_t{0});
    std::fill(used_.begin(), used_.end(), ~std::uint64_t{0});
    if (size % 64 != 0) words_.back() = bit(size) - 1;
    if (words_.size() % 64 != 0) used_.back() = bit(blocks()) - 1;
  }

  int count() const {
    int sum = 0;
    for (std::size_t u = 0; u < used_.size(); ++u)
      for (auto open = used_[u]; open != 0; open &= open - 1)
        sum += bitsOf(words_[u * 64 + first(open)]);
    return sum;
  }
  /// f(i) for all members, none of which is left then.
  void takeAll(auto f) {
    for (std::size_t u = 0; u < used_.size(); ++u)
      for (auto some = std::exchange(used_[u], 0); some != 0; some &= some - 1) {
        std::size_t const w = u * 64 + first(some);
        for (auto open = std::exchange(words_[w], 0); open != 0; open &= open - 1)
          f(static_cast<int>(w * 64 + first(open)));
      }
  }

  /// Sixty-four numbers are a block.
  int blocks() const { return static_cast<int>(words_.size()); }
  static int blockOf(int i) { return i >> 6; }
  /// f(i) for the members in that block.
  void sweepBlock(int block, auto f) const {
    for (auto open = words_[static_cast<std::size_t>(block)]; open != 0; open &= open - 1)
      f(block * 64 + std::countr_zero(open));
  }

  /// f(i) from `first` upwards; f may set numbers above i.
  void sweepUp(auto f, int first = 0) const {
    auto const begin = static_cast<std::size_t>(first) >> 6;
    for (std::size_t u = begin >> 6; u < used_.size(); ++u)
      up(used_[u], u == begin >> 6 ? static_cast<int>(begin) : 0, [&](int place) {
        std::size_t const w = u * 64 + static_cast<std::size_t>(place);
        up(words_[w], w == begin ? first : 0, [&](int k) { f(static_cast<int>(w * 64) + k); });
      });
  }
  /// f(i) downwards to `last`; f may set numbers below i.
  void sweepDown(auto f, int last = 0) const {
    auto const end = static_cast<std::size_t>(last) >> 6;
    for (std::size_t u = used_.size(); u-- > end >> 6;)
      down(used_[u], u == end >> 6 ? static_cast<int>(end) : 0, [&](int place) {
        std::size_t const w = u * 64 + static_cast<std::size_t>(place);
        down(words_[w], w == end ? last : 0, [&](int k) { f(static_cast<int>(w * 64) + k); });
      });
  }

 private:
  /// f(k) for the bits of a word from that of `least` upwards; f may set higher ones.
  static void up(std::uint64_t const& word, int least, auto f) {
    std::uint64_t done = bit(least) - 1;
    while (std::uint64_t const open = word & ~done) {
      int const k = std::countr_zero(open);
      done = (std::uint64_t{2} << k) - 1;
      f(k);
    }
  }
  static void down(std::uint64_t const& word, int least, auto f) {
    std::uint64_t done = bit(least) - 1;
    while (std::uint64_t const open = word & ~done) {
      int const k = 63 - std::countl_zero(open);
      done |= ~(bit(k) - 1);
      f(k);
    }
  }
  // std::popcount is a call of a function where the processor is not known.
  static int bitsOf(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return static_cast<int>(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
  }
  static std::uint64_t bit(int i) { return std::uint64_t{1} << (i & 63); }
  static std::size_t first(std::uint64_t word) {
    return static_cast<std::size_t>(std::countr_zero(word));
  }
  std::vector<std::uint64_t> words_, used_;
};

/// A vector with a mark at each entry that may differ from zero.
template <class Number>
class PatternVector {
 public:
  /// All zero.
  void resize(int size) {
    values_.assign(static_cast<std::size_t>(size), Number{});
    marks_.resize(size);
  }
  int size() const { return static_cast<int>(values_.size()); }
  Number const& operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
  Marks const& marks() const { return marks_; }

  void set(int i, Number const& value) {
    values_[static_cast<std::size_t>(i)] = value;
    marks_.set(i);
  }
  void add(int i, Number const& value) {
    values_[static_cast<std::size_t>(i)] += value;
    marks_.set(i);
  }
  void subtract(int i, Number const& value) {
    values_[static_cast<std::size_t>(i)] -= value;
    marks_.set(i);
  }
  /// Changes an entry that is marked already.
  Number& marked(int i) { return values_[static_cast<std::size_t>(i)]; }

  void markAll() { marks_.setAll(size()); }
  /// Whether so much of it is marked that a loop over all is the faster one.
  bool mostlyMarked() const { return 4 * marks_.count() > size(); }

  void clear() {
    if (mostlyMarked()) {
      std::fill(values_.begin(), values_.end(), Number{});
      marks_.clear();
      return;
    }
    marks_.takeAll([&](int i) { values_[static_cast<std::size_t>(i)] = Number{}; });
  }
  /// Becomes `other`, of the same size.
  void assign(PatternVector const& other) {
    if (other.mostlyMarked()) {
      *this = other;
    } else {
      clear();
      other.marks_.sweepUp([&](int i) { set(i, other[i]); });
    }
  }

 private:
  std::vector<Number> values_;
  Marks marks_;
};

}  // namespace osi_cuda::factors
