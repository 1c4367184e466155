// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>

#include "osi_cuda/model/device_numbers.hpp"

namespace osi_cuda {

/// The numbers of one column of a matrix: `size` of them, each `step` numbers behind the one before
/// it. They belong to the matrix.
class Entries {
 public:
  Entries(double const* first, std::size_t size, std::ptrdiff_t step)
      : first_(first), size_(size), step_(step) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double operator[](std::size_t k) const { return first_[static_cast<std::ptrdiff_t>(k) * step_]; }

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = double;
    using difference_type = std::ptrdiff_t;
    using pointer = double const*;
    using reference = double const&;

    Iterator() = default;
    Iterator(double const* place, std::ptrdiff_t step) : place_(place), step_(step) {}
    double const& operator*() const { return *place_; }
    Iterator& operator++() {
      place_ += step_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator const before = *this;
      ++*this;
      return before;
    }
    bool operator==(Iterator const& other) const { return place_ == other.place_; }

   private:
    double const* place_ = nullptr;
    std::ptrdiff_t step_ = 1;
  };
  Iterator begin() const { return {first_, step_}; }
  Iterator end() const { return {first_ + static_cast<std::ptrdiff_t>(size_) * step_, step_}; }

 private:
  double const* first_;
  std::size_t size_;
  std::ptrdiff_t step_;
};

/// The entries of one column with their rows: `for (auto const [row, value] : matrix.column(j))`.
class Column {
 public:
  struct Entry {
    int row;
    double value;
  };
  class Iterator {
   public:
    Iterator(int const* row, Entries::Iterator value) : row_(row), value_(value) {}
    Entry operator*() const { return {*row_, *value_}; }
    Iterator& operator++() {
      ++row_;
      ++value_;
      return *this;
    }
    bool operator==(Iterator const& other) const { return row_ == other.row_; }

   private:
    int const* row_;
    Entries::Iterator value_;
  };

  Column(int const* rows, Entries values) : rows_(rows), values_(values) {}
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  Iterator begin() const { return {rows_, values_.begin()}; }
  Iterator end() const { return {rows_ + values_.size(), values_.end()}; }

 private:
  int const* rows_;
  Entries values_;
};

/// All m x n numbers of a matrix, zeros too, as they lie in memory: by rows or by columns, without
/// gaps. Without an owner they belong to the caller of whoever made the matrix, and have to stay
/// where and as they are as long as the matrix, a copy or a transpose of it is in use.
struct DenseArray {
  double const* numbers = nullptr;           ///< null: there is no such array
  bool byRows = false;                       ///< entry (i, j) is number i n + j, else j m + i
  std::shared_ptr<void const> owner;         ///< keeps the numbers, which nobody changes; or null
  std::shared_ptr<int const[]> lineNumbers;  ///< 0, 1, ..., max(m, n) - 1: the rows of each column
  /// The same numbers in the memory of a device, where they stay as these do; none: null.
  DeviceNumbers there{};
};

}  // namespace osi_cuda
