// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "osi_cuda/base/abandoned.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/host/parallel.hpp"
#include "osi_cuda/engine/host/positions.hpp"
#include "osi_cuda/simplex/on_processor.hpp"
#include "osi_cuda/simplex/whole_lines.hpp"

namespace osi_cuda::host {

/// What Teams on the processor (team.hpp) have in common: the loop runs on one thread, each call
/// spreads over a few. Rows, columns and products of the tableau are the matter of who derives.
class LoopTeam : public WholeLines<LoopTeam> {
 public:
  explicit LoopTeam(Positions& positions)
      : p_(positions), rows_(p_.rowState()), columns_(p_.columnState()) {}

  /// Has a run of pivots end with Interrupted where it takes long and `stop` answers true.
  void watch(std::function<bool()> const& stop) {
    constexpr double usual = 0.1;  // seconds: it comes to its end, with all that it has done
    poll_.emplace(stop, usual);
  }

  RowState rows() const { return rows_; }
  ColumnState columns() const { return columns_; }
  int used() const { return p_.used; }
  int capacity() const { return p_.capacity; }
  bool slack(int variable) const { return variable >= p_.structurals; }

  void forRows(auto f) {
    for (int i = 0; i < p_.m; ++i) f(i);
  }
  void forColumns(auto f) {
    for (int j = 0; j < p_.n; ++j) f(j);
  }
  template <class T, class F, class Combine>
  T reduceRows(T const& zero, F f, Combine combine) {
    return reduceChunks(p_.threads, p_.m, zero, f, combine);
  }
  template <class T, class F, class Combine>
  T reduceColumns(T const& zero, F f, Combine combine) {
    return reduceChunks(p_.threads, p_.n, zero, f, combine);
  }

  // Where nothing is known of entries that are zero: all rows and columns.
  void forColumnEntries(int also, auto f) { forPattern(p_.m, rowPattern_, rows_.entry, also, f); }
  void forRowEntries(int also, auto f) {
    forPattern(p_.n, columnPattern_, columns_.entry, also, f);
  }
  template <class T, class F, class Combine>
  T reduceColumnEntries(T const& zero, F f, Combine combine) {
    return reducePattern(p_.m, rowPattern_, zero, f, combine);
  }
  template <class T, class F, class Combine>
  T reduceRowEntries(T const& zero, F f, Combine combine) {
    return reducePattern(p_.n, columnPattern_, zero, f, combine);
  }
  rules::Blocking harrisRows(auto breakpoint, auto candidateOf) {
    return harris(p_.m, rowPattern_, rows_.entry, breakpoint, candidateOf);
  }
  rules::Blocking harrisColumns(auto breakpoint, auto candidateOf) {
    return harris(p_.n, columnPattern_, columns_.entry, breakpoint, candidateOf);
  }

  rules::Turn turnRows(auto kinksOf, double slope) {
    return turn(p_.m, rowPattern_, kinksOf, slope);
  }
  rules::Turn turnColumns(auto kinksOf, double slope) {
    return turn(p_.n, columnPattern_, kinksOf, slope);
  }
  template <class T, class F, class Combine>
  T reduceTurnColumns(T const& zero, F f, Combine combine) {
    return reducePattern(p_.n, columnPattern_ ? &kinks_.places() : nullptr, zero, f, combine);
  }

  double columnWeight(int q) const { return columns_.weight[q]; }
  double rowWeight(int r) const { return rows_.weight[r]; }
  void setColumnValue(int q, double x) { columns_.value[q] = x; }
  void shiftCost(int q, double delta) {
    p_.cost[static_cast<std::size_t>(columns_.variable[q])] += delta;
    columns_.reducedCost[q] += delta;
  }

 protected:
  /// Once a pivot.
  void pollStop() {
    if (poll_ && (Abandoned::now() || (*poll_)())) throw Interrupted{};
  }

  void swapVariables(Exchange const& x) { osi_cuda::swapVariables(rows_, columns_, x); }

  Positions& p_;
  // Where the entries of the present column and row differ from zero; null: maybe anywhere.
  std::vector<int> const* rowPattern_ = nullptr;
  std::vector<int> const* columnPattern_ = nullptr;
  KinkList kinks_;  ///< of the last turn
  RowState rows_;
  ColumnState columns_;

 private:
  /// f for the places of the pattern and for one more, or for all of them.
  void forPattern(int count, std::vector<int> const* pattern, double const* entry, int also,
                  auto f) {
    if (!pattern) {
      for (int i = 0; i < count; ++i) f(i);
      return;
    }
    for (int const i : *pattern) f(i);
    if (also >= 0 && entry[also] == 0.0) f(also);
  }
  /// combine over f(partial, i) for the places of the pattern, or for all of them.
  template <class T, class F, class Combine>
  T reducePattern(int count, std::vector<int> const* pattern, T const& zero, F f, Combine combine) {
    if (!pattern) return reduceChunks(p_.threads, count, zero, f, combine);
    T result = zero;
    for (int const i : *pattern) f(result, i);
    return result;
  }

  rules::Blocking harris(int count, std::vector<int> const* pattern, double const* entry,
                         auto breakpoint, auto candidateOf) {
    auto const pass1 = [&](rules::HarrisBound& bound, int i) {
      double const relaxed = breakpoint(i).relaxed, size = std::fabs(entry[i]);
      if (relaxed < bound.relaxed) bound.relaxed = relaxed;
      if (size > bound.largest) bound.largest = size;
    };
    auto const bound =
        reducePattern(count, pattern, rules::HarrisBound{}, pass1, rules::combineBounds);
    rules::Blocking result;
    result.relaxed = bound.relaxed;
    result.largest = rules::fromCoarseBits(rules::coarseBits(bound.largest));
    if (!(bound.relaxed < rules::unlimited)) return result;
    auto const pass2 = [&](rules::Candidate& best, int i) {
      auto const b = breakpoint(i);
      if (b.ratio <= bound.relaxed && b.ratio < rules::unlimited)
        best = rules::better(best, candidateOf(i, b));
    };
    result.best = reducePattern(count, pattern, rules::Candidate{}, pass2, rules::better);
    return result;
  }

  rules::Turn turn(int count, std::vector<int> const* pattern, auto kinksOf, double slope) {
    auto const lineOf = [&](int k) {
      return pattern ? (*pattern)[static_cast<std::size_t>(k)] : k;
    };
    int const places = pattern ? static_cast<int>(pattern->size()) : count;
    return kinks_.turn(places, lineOf, kinksOf, slope);
  }

  std::optional<Poll> poll_;
};

}  // namespace osi_cuda::host
