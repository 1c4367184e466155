// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "osi_cuda/simplex/on_processor.hpp"
#include "osi_cuda/simplex/whole_lines.hpp"

namespace osi_cuda::batch {

/// The loops, reductions and ratio tests of a Team (simplex/team.hpp) that is one thread of the
/// processor, and what it does with the states of rows and columns, wherever its tableau is.
/// `Derived` offers rows(), columns(), problem() and combineColumns().
template <class Derived>
class OneThread : public WholeLines<Derived> {
 public:
  /// `interrupt` tells of a wish to stop, from any thread.
  explicit OneThread(std::atomic<bool> const& interrupt) : interrupt_(interrupt) {}

  bool slack(int variable) { return variable >= columnCount(); }
  bool interrupted() const { return interrupt_.load(std::memory_order_relaxed); }
  void sync() const {}
  double columnWeight(int q) { return team().columns().weight[q]; }
  double rowWeight(int r) { return team().rows().weight[r]; }
  void setColumnValue(int q, double x) { team().columns().value[q] = x; }
  void shiftCost(int q, double delta) { team().columns().reducedCost[q] += delta; }
  /// There are no sketches: weights that are called sketched are formed exactly.
  void updateColumnSketch(Exchange const&) {}
  void updateRowSketch(Exchange const&) {}

  void dualSteepestProducts() {
    ColumnState const columns = team().columns();
    for (int j = 0; j < columnCount(); ++j)
      columns.change[j] = slack(columns.variable[j]) ? columns.entry[j] : 0.0;
    team().combineColumns();
  }

  void forRows(auto f) {
    for (int i = 0; i < rowCount(); ++i) f(i);
  }
  void forColumns(auto f) {
    for (int j = 0; j < columnCount(); ++j) f(j);
  }
  void forAll(int count, auto f) {
    for (int k = 0; k < count; ++k) f(k);
  }
  void forCells(int rows, int columns, auto f) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) f(i, j);
  }
  template <class T, class F, class Combine>
  T reduceRows(T const& zero, F f, Combine) {
    T result = zero;
    for (int i = 0; i < rowCount(); ++i) f(result, i);
    return result;
  }
  template <class T, class F, class Combine>
  T reduceColumns(T const& zero, F f, Combine) {
    T result = zero;
    for (int j = 0; j < columnCount(); ++j) f(result, j);
    return result;
  }
  rules::Blocking harrisRows(auto breakpoint, auto candidateOf) {
    return harris(rowCount(), team().rows().entry, breakpoint, candidateOf);
  }
  rules::Blocking harrisColumns(auto breakpoint, auto candidateOf) {
    return harris(columnCount(), team().columns().entry, breakpoint, candidateOf);
  }
  rules::Turn turnRows(auto kinksOf, double slope) { return turn(rowCount(), kinksOf, slope); }
  rules::Turn turnColumns(auto kinksOf, double slope) {
    return turn(columnCount(), kinksOf, slope);
  }

 protected:
  /// The two variables change places.
  void swapStates(Exchange const& x) { swapVariables(team().rows(), team().columns(), x); }

 private:
  Derived& team() { return static_cast<Derived&>(*this); }
  int rowCount() { return team().problem().rows; }
  int columnCount() { return team().problem().columns; }

  template <class Breakpoint, class CandidateOf>
  rules::Blocking harris(int count, double const* entry, Breakpoint breakpoint,
                         CandidateOf candidateOf) {
    double relaxed = rules::unlimited, largest = 0.0;
    steps_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      rules::Breakpoint const b = steps_[static_cast<std::size_t>(i)] = breakpoint(i);
      double const size = std::fabs(entry[i]);
      if (b.relaxed < relaxed) relaxed = b.relaxed;
      if (size > largest) largest = size;
    }
    rules::Blocking result;
    result.relaxed = relaxed;
    result.largest = rules::fromCoarseBits(rules::coarseBits(largest));
    if (!(relaxed < rules::unlimited)) return result;
    for (int i = 0; i < count; ++i) {
      rules::Breakpoint const& b = steps_[static_cast<std::size_t>(i)];
      if (b.ratio <= relaxed && b.ratio < rules::unlimited)
        result.best = rules::better(result.best, candidateOf(i, b));
    }
    return result;
  }

  rules::Turn turn(int count, auto kinksOf, double slope) {
    return kinks_.turn(
        count, [](int k) { return k; }, kinksOf, slope);
  }

  std::atomic<bool> const& interrupt_;
  std::vector<rules::Breakpoint> steps_;
  KinkList kinks_;
};

}  // namespace osi_cuda::batch
