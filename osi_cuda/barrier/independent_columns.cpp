// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/independent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda {
IndependentColumns::IndependentColumns(int rows)
    : pivotOf_(at(rows), -1), lengths_(at(rows), 0), work_(at(rows), 0.0), touched_(at(rows), 0) {}

// The column in work_, less what those taken before have of it. Returns its largest entry.
double IndependentColumns::load(std::span<int const> indices, std::span<double const> values) {
  double size = 0.0;
  for (std::size_t e = 0; e < indices.size(); ++e) {
    int const row = indices[e];
    work_[at(row)] = values[e];
    touched_[at(row)] = 1;
    pattern_.push_back(row);
    size = std::max(size, std::fabs(values[e]));
    if (pivotOf_[at(row)] >= 0) pending_.push_back(pivotOf_[at(row)]);
  }
  std::make_heap(pending_.begin(), pending_.end(), std::greater<>());
  eliminate();
  return size;
}

void IndependentColumns::clear() {
  for (int const row : pattern_) {
    work_[at(row)] = 0.0;
    touched_[at(row)] = 0;
  }
  pattern_.clear();
}

double IndependentColumns::reduce(std::span<int const> indices, std::span<double const> values,
                                  std::span<double> rest) {
  double const size = load(indices, values);
  for (int const row : pattern_)
    if (pivotOf_[at(row)] < 0) rest[at(row)] = work_[at(row)];
  clear();
  return size;
}

bool IndependentColumns::take(std::span<int const> indices, std::span<double const> values) {
  double const size = load(indices, values);
  double largest = 0.0;
  for (int const row : pattern_)
    if (pivotOf_[at(row)] < 0) largest = std::max(largest, std::fabs(work_[at(row)]));
  bool const independent = largest > least * size;
  if (independent) {
    int const pivot = choosePivot(largest);
    double const inverse = 1.0 / work_[at(pivot)];
    for (int const row : pattern_) {
      if (row == pivot || pivotOf_[at(row)] >= 0 || work_[at(row)] == 0.0) continue;
      indices_.push_back(row);
      values_.push_back(work_[at(row)] * inverse);
      ++lengths_[at(row)];
    }
    pivotOf_[at(pivot)] = taken();
    pivotRow_.push_back(pivot);
    starts_.push_back(indices_.size());
  }
  clear();
  return independent;
}

// work <- L^-1 work. A column of L has entries only in rows that had no pivot when it was taken, so
// that subtracting it makes work only for later ones.
void IndependentColumns::eliminate() {
  while (!pending_.empty()) {
    std::pop_heap(pending_.begin(), pending_.end(), std::greater<>());
    int const column = pending_.back();
    pending_.pop_back();
    double const factor = work_[at(pivotRow_[at(column)])];
    if (factor == 0.0) continue;
    operations_ += static_cast<std::int64_t>(starts_[at(column) + 1] - starts_[at(column)]) + 1;
    for (std::size_t e = starts_[at(column)]; e < starts_[at(column) + 1]; ++e) {
      int const row = indices_[e];
      work_[at(row)] -= factor * values_[e];
      if (touched_[at(row)]) continue;
      touched_[at(row)] = 1;
      pattern_.push_back(row);
      if (pivotOf_[at(row)] < 0) continue;
      pending_.push_back(pivotOf_[at(row)]);
      std::push_heap(pending_.begin(), pending_.end(), std::greater<>());
    }
  }
}

/// The row with fewest entries so far, of those large enough to be a stable pivot.
int IndependentColumns::choosePivot(double largest) const {
  constexpr double stable = 0.1;
  int best = -1;
  for (int const row : pattern_) {
    if (pivotOf_[at(row)] >= 0 || std::fabs(work_[at(row)]) < stable * largest) continue;
    if (best < 0 || lengths_[at(row)] < lengths_[at(best)] ||
        (lengths_[at(row)] == lengths_[at(best)] && row < best))
      best = row;
  }
  return best;
}

}  // namespace osi_cuda
