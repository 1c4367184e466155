// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "readers/line_source.hpp"

namespace osi_cuda::readers {

/// Names in the order in which they were added, and their indices by name: an open-addressing
/// hash table of indices, so that a look-up touches one slot and one name.
class NameTable {
 public:
  static constexpr int absent = -1;

  NameTable() = default;
  /// The names of `count` things, where nameOf(i) is that of i. Of equal ones the first is found.
  template <class NameOf>
  NameTable(int count, NameOf const& nameOf) {
    names_.reserve(at(count));
    for (int i = 0; i < count; ++i)
      if (add(nameOf(i)) == absent) names_.push_back(nameOf(i));
  }

  int size() const { return static_cast<int>(names_.size()); }
  std::string const& operator[](int index) const { return names_[index]; }

  /// The index of `name`, or absent.
  int find(std::string_view name) const;

  /// The index of `name` if it is `guess` or the one after it, else as find. Files mostly list
  /// names in order, and comparing costs less than hashing.
  int findNear(std::string_view name, int guess) const {
    if (guess + 1 < size() && names_[guess + 1] == name) return guess + 1;
    if (guess >= 0 && guess < size() && names_[guess] == name) return guess;
    return find(name);
  }

  /// Adds a name that is not in the table and returns its index; returns absent when it is in.
  int add(std::string_view name);

  /// Gives the names away; the table is empty afterwards.
  std::vector<std::string> release();

 private:
  struct Slot {
    std::uint32_t hash = 0;
    int index = absent;
  };
  std::size_t slotOf(std::string_view name, std::uint32_t hash) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // length a power of two, at most half full
};

/// The rows and columns of a model as solution files speak of them: by name and by count. Faults
/// are those of a file: members throw ReadError at the word. `source` and `lp` must outlive it.
class ModelNames {
 public:
  ModelNames(LineSource const& source, LinearProgram const& lp);

  int size(bool isRows) const { return isRows ? lp_.rows() : lp_.columns(); }

  /// The index of the row or column of that name, or NameTable::absent. Files list them in the
  /// model's order mostly, so the one at `position` is tried first.
  int find(std::string_view name, bool isRows, int position) const;
  /// The same of a name that has to be there.
  int index(std::string_view name, bool isRows, int position) const;

  /// A number that has to be size(isRows), or with `orNone` also 0.
  int count(std::string_view word, bool isRows, bool orNone = false) const;

 private:
  LineSource const& source_;
  LinearProgram const& lp_;
  NameTable columns_;
  NameTable rows_;
};

}  // namespace osi_cuda::readers
