// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/double_double.hpp"

/// What the code of this folder, written once, has to know of the numbers that it works with.
namespace osi_cuda::factors {

inline bool isZero(double x) {
  return x == 0.0;
}
inline bool isZero(DoubleDouble const& x) {
  return x.isZero();
}
inline double rounded(double x) {
  return x;
}
inline double rounded(DoubleDouble const& x) {
  return x.hi;
}

/// Constants of a kind of numbers. Entries of the scaled matrix are near 1.
template <class Number>
struct Precision;

template <>
struct Precision<double> {
  static constexpr double smallestEntry = 1e-14;  ///< what factors drop as rounding
  static constexpr double smallestFactor = 1e-9;  ///< a pivot of the factors that is not rounding
  static constexpr double smallestPivot = 1e-7;   ///< the same of the simplex method
  /// Exchanges until the basis is factored anew, for the sake of rounding, and because what comes
  /// with that passes over all rows; where solves with fewer of them take longer than that,
  /// FactoredBasis::worn() tells.
  static int exchangesAtMost(int rows) { return std::min(400, 100 + rows / 50); }
  static double product(double a, double b) { return a * b; }
};

template <>
struct Precision<DoubleDouble> {
  static constexpr double smallestEntry = double_double::solveRounding;
  static constexpr double smallestFactor = double_double::solveRounding;
  static constexpr double smallestPivot = 1e-13;
  static int exchangesAtMost(int) { return 48; }
  static DoubleDouble product(double a, double b) { return exactProduct(a, b); }
};

/// An entry of a sparse line.
template <class Number>
struct Entry {
  int index;
  Number value;
};

/// Sparse lines one behind the other: those that are added keep their number.
template <class Number>
class Lines {
 public:
  void clear() {
    begin_.assign(1, 0);
    entries_.clear();
  }
  void reserve(std::size_t lines, std::size_t entries) {
    begin_.reserve(lines + 1);
    entries_.reserve(entries);
  }
  void add(int index, Number const& value) { entries_.push_back({index, value}); }
  void endLine() { begin_.push_back(entries_.size()); }
  /// Forgets all but the first `lines`.
  void truncate(std::size_t lines) {
    begin_.resize(lines + 1);
    entries_.resize(begin_.back());
  }
  /// Gives the entries the indices that `index` makes of theirs.
  void renumber(auto index) {
    for (Entry<Number>& entry : entries_) entry.index = index(entry.index);
  }
  std::size_t count() const { return begin_.size() - 1; }
  std::size_t entryCount() const { return entries_.size(); }
  Entry<Number> const* begin(std::size_t line) const { return entries_.data() + begin_[line]; }
  Entry<Number> const* end(std::size_t line) const { return entries_.data() + begin_[line + 1]; }

  /// One line for each value of what `key` makes of an entry's index, from 0 to `lines` - 1; its
  /// entries carry what `index` makes of the number of the line that they come from, in ascending
  /// order of that number.
  Lines transposed(std::size_t lines, auto key, auto index) const {
    Lines result;
    result.begin_.assign(lines + 1, 0);
    for (Entry<Number> const& entry : entries_)
      ++result.begin_[static_cast<std::size_t>(key(entry.index)) + 1];
    for (std::size_t l = 0; l < lines; ++l) result.begin_[l + 1] += result.begin_[l];
    result.entries_.resize(entries_.size());
    std::vector<std::size_t> next(result.begin_.begin(), result.begin_.end() - 1);
    for (std::size_t line = 0; line < count(); ++line)
      for (auto entry = begin(line); entry != end(line); ++entry)
        result.entries_[next[static_cast<std::size_t>(key(entry->index))]++] = {index(line),
                                                                                entry->value};
    return result;
  }

 private:
  std::vector<std::size_t> begin_{0};
  std::vector<Entry<Number>> entries_;
};

}  // namespace osi_cuda::factors
